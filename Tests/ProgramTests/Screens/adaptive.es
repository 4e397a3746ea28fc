Els Caminants de Nit  6f1c  GO, 6 por enviar
posición:        42.01352 2.59700, hace 4 min
receptor:        duerme hasta la próxima captura
captura:         próxima dentro de 0:27, cada 5 min
envío:           próximo contacto dentro de 10:27
cola:            6 pendientes, 0 apartadas, 72 enviadas
en espera:       la más antigua de hace 29 min, 3 KB; unos 45 s de contacto
última captura:  número 78, hace 4 min
último contacto: hace 34 min, 9 capturas entregadas
contactos:       cada 45 min, más o menos según la batería; próximo en menos de
                 16:47
batería:         3852 mV, 61 % según la tensión
carga:           62 % (de 59 a 70), estimada
durará:          14 h 01 min con un 95 % de confianza, llega a la meta con un
                 80 %
previsto:        34 % dentro de 19 h 30 min; posición de hace 22 min de media
cambiará:        más contactos desde el 74 %, menos contactos bajo el 46 %
módem:           apagado, Movistar, señal -99 dBm, hace 34 min
sesión:          en marcha, número 1, iniciada hace 6 h 30 min
meta:            dentro de 19 h 30 min; la sesión termina 60 min después
hora:            2026-04-18 14:30:14 UTC
dispositivo:     6f1c2a94-0b7d-4e35-9c58-d1a2f3b47e60
