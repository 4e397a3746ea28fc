Els Caminants de Nit  6f1c  GO, 1 por enviar
posición:        41.95612 2.63717, hace 3 s
receptor:        10 satélites usados, HDOP 0,9
línea GPS:       21 frases en el último minuto, 0 con error
recorrido:       38,5 km hechos, 61,1 por hacer; está en Anglès
próximo:         Bescanó, a 11,0 km; cierra en 6 h 49 min
estará allí:     en 2 h 39 min (4 de 5 entre 2 h 23 min y 2 h 54 min)
llegada:         en 16 h 55 min (4 de 5 entre 15 h 12 min y 18 h 39 min)
captura:         próxima dentro de 0:27, cada 10 min
envío:           próximo contacto dentro de 0:27
cola:            1 pendiente, 0 apartadas, 58 enviadas
en espera:       la más antigua de hace 4 min, 460 B; unos 45 s de contacto
última captura:  número 59, hace 4 min
último contacto: hace 8 min, 1 captura entregada
contactos:       cada 10 min, por transmit.interval; próximo en menos de 6:47
batería:         4059 mV, 84 % según la tensión
carga:           84 % (de 80 a 89), estimada
durará:          17 h 33 min con un 95 % de confianza, llega a la meta
módem:           apagado, Movistar, señal -75 dBm, hace 8 min
sesión:          en marcha, número 1, iniciada hace 8 h 40 min
meta:            dentro de 3 h 20 min; la sesión termina 60 min después
hora:            2026-04-18 16:40:14 UTC
dispositivo:     6f1c2a94-0b7d-4e35-9c58-d1a2f3b47e60
