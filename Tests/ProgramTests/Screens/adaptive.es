Els Caminants de Nit  6f1c  NO-GO: la batería no llega a la meta
haga:            cargue o cambie la batería
posición:        42.01360 2.59699, hace 4 min
receptor:        duerme hasta la próxima captura
captura:         próxima dentro de 0:27, cada 5 min
envío:           próximo contacto dentro de 45:27
cola:            1 pendiente, 0 apartadas, 77 enviadas
en espera:       la más antigua de hace 4 min, 460 B; unos 45 s de contacto
última captura:  número 78, hace 4 min
último contacto: hace 9 min, 11 capturas entregadas
contactos:       cada 55 min, más o menos según la batería; próximo en menos de
                 51:47
batería:         3620 mV, 35 % según la tensión
carga:           36 % ± 3 %, estimada
durará:          6 h 47 min con un 95 % de confianza, NO llega a la meta
plan:            9 % dentro de 19 h 30 min; posición de hace 27 min de media
cambiará:        más contactos desde el 72 %, menos contactos bajo el 1 %
módem:           apagado, Movistar, señal -105 dBm, hace 9 min
sesión:          en marcha, número 1, iniciada hace 6 h 30 min
meta:            dentro de 19 h 30 min; la sesión termina 60 min después
hora:            2026-04-18 14:30:14 UTC
dispositivo:     6f1c2a94-0b7d-4e35-9c58-d1a2f3b47e60
