Els Caminants de Nit  6f1c  NO-GO: la batería no llega a la meta
haga:            cambie la batería, o escriba: set policy adaptive
posición:        42.15598 2.46485, hace 3 s
receptor:        11 satélites usados, HDOP 0,8
línea GPS:       21 frases en el último minuto, 0 con error
captura:         próxima dentro de 5:27, cada 10 min
envío:           todo enviado; próximo contacto dentro de 5:27
cola:            0 pendientes, 0 apartadas, 7 enviadas
última captura:  número 7, hace 4 min
último contacto: hace 3 min, 1 captura entregada
contactos:       cada 10 min, por transmit.interval; próximo en menos de 11:47
batería:         3577 mV, 31 % según la tensión
carga:           33 % (de 29 a 47), estimada
durará:          4 h 37 min con un 95 % de confianza, NO llega a la meta
módem:           apagado, Movistar, señal -89 dBm, hace 3 min
sesión:          en marcha, número 1, iniciada hace 65 min
meta:            dentro de 10 h 55 min; la sesión termina 60 min después
hora:            2026-04-18 09:05:14 UTC
dispositivo:     6f1c2a94-0b7d-4e35-9c58-d1a2f3b47e60
