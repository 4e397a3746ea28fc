traza           race.nmea, 26:37:57, 101,6 km
ejecución       placa pi-zero-2w-sim7600, semilla 1, huella 7b50b2565f25dcf1
final           todo enviado, 0:00:01 después de la traza

receptor        31.926 sentencias, 15.963 informes, 15.877 posiciones
  no usadas       sin posición 78, velocidad imposible 8

capturas        160 hechas, 160 confirmadas, 0 pendientes, 0 apartadas
envíos          160 de 160 con éxito en 160 contactos
contactos       cada 0:10:00, según transmit.interval
por radio       161 peticiones, 204.149 bytes enviados, 474.391 recibidos
servidor        160 capturas recibidas, 0 por duplicado; 0 de 160 promesas
                incumplidas
entrega         la mitad en 29,7 s, el 95 % en 44,5 s, todas en 58,7 s

energía         19400,515 mWh, 436,51 J por captura entregada
  por parte, mWh  placa 10013,924, receptor 5193,692, módem 1282,822,
                  conversión 2910,077
batería         queda el 46 % (34-58)

Silencios de un minuto o más:
    20:00:27 -  20:03:45  no capturado  sin posición del receptor
