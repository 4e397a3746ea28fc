Els Caminants de Nit  6f1c  WAIT 19:48: esperando el primer contacto
posición:        aún ninguna
receptor:        0 satélites usados
línea GPS:       10 frases en el último minuto, 0 con error
captura:         no: sin posición del receptor
envío:           todo enviado
cola:            0 pendientes, 0 apartadas, 0 enviadas
última captura:  aún ninguna
último contacto: aún ninguno
contactos:       cada 10 min, por transmit.interval
batería:         4200 mV, 100 % según la tensión
carga:           100 % ± 6 %, estimada
durará:          21 h 30 min con un 95 % de confianza, llega a la meta
módem:           apagado
sesión:          en marcha, número 1, iniciada hace 12 s
meta:            dentro de 11 h 59 min; la sesión termina 60 min después
hora:            aún no fiable
dispositivo:     6f1c2a94-0b7d-4e35-9c58-d1a2f3b47e60
