Els Caminants de Nit  6f1c  NO-GO: el servidor no acepta las credenciales
haga:            corrija el usuario y los secretos
posición:        42.10935 2.48285, hace 3 s
receptor:        9 satélites usados, HDOP 0,9
línea GPS:       21 frases en el último minuto, 0 con error
captura:         próxima dentro de 9:27, cada 10 min
envío:           no: buscando red
cola:            4 pendientes, 0 apartadas, 12 enviadas
en espera:       la más antigua de hace 30 min, 2 KB; unos 45 s de contacto
última captura:  número 16, hace 32 s
último contacto: hace 10 min; 1 captura entregada hace 39 min
último problema: hace 10 min: edición: error 498 del servidor: Invalid Token;
                 el servidor pide usuario y contraseña, o un token: configure
                 los secretos
contactos:       cada 10 min, por transmit.interval; próximo en menos de 5:47
batería:         4136 mV, 95 % según la tensión
carga:           96 % ± 4 %, estimada
durará:          20 h 13 min con un 95 % de confianza, llega a la meta
módem:           buscando red, Movistar, señal -81 dBm, hace 10 min
sesión:          en marcha, número 1, iniciada hace 2 h 31 min
meta:            dentro de 9 h 29 min; la sesión termina 60 min después
hora:            2026-04-18 10:31:14 UTC
dispositivo:     6f1c2a94-0b7d-4e35-9c58-d1a2f3b47e60
