Els Caminants de Nit  6f1c  GO, carrera terminada
posición:        41.97094 2.77489, hace 20 min
receptor:        duerme
captura:         no: la carrera ha terminado
envío:           todo enviado
cola:            0 pendientes, 0 apartadas, 79 enviadas
última captura:  número 79, hace 19 min
último contacto: hace 18 min, 1 captura entregada
batería:         3967 mV, 73 % según la tensión
carga:           74 % (de 71 a 80), estimada
módem:           apagado, Movistar, señal -75 dBm, hace 18 min
sesión:          terminada hace 20 min
meta:            pasada hace 80 min
hora:            2026-04-18 21:20:14 UTC
dispositivo:     6f1c2a94-0b7d-4e35-9c58-d1a2f3b47e60
