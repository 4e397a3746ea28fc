Els Caminants de Nit  6f1c  GO, 5 esperando cobertura
posición:        42.00741 2.60429, hace 3 s
receptor:        9 satélites usados, HDOP 0,9
línea GPS:       21 frases en el último minuto, 0 con error
captura:         próxima dentro de 8:27, cada 10 min
envío:           no: buscando red
cola:            5 pendientes, 0 apartadas, 37 enviadas
en espera:       la más antigua de hace 41 min, 2 KB; unos 45 s de contacto
última captura:  número 42, hace 92 s
último contacto: hace 50 min, 1 captura entregada
contactos:       cada 10 min, por transmit.interval; 35:12 de retraso
batería:         4065 mV, 85 % según la tensión
carga:           86 % (de 83 a 90), estimada
durará:          17 h 50 min con un 95 % de confianza, llega a la meta
módem:           buscando red, Movistar, señal -83 dBm, hace 50 min
sesión:          en marcha, número 1, iniciada hace 6 h 52 min
meta:            dentro de 5 h 08 min; la sesión termina 60 min después
hora:            2026-04-18 14:52:14 UTC
dispositivo:     6f1c2a94-0b7d-4e35-9c58-d1a2f3b47e60
