import Wording

/// What people are told about a line to the receiver or the modem.
enum LinePhrase: String, Catalogue {
  case notSerial, notADevice, wrongBaud, missing, denied, usedBy, used, cannotOpen, locked, noUSB
  case usedPerhaps, noUSBInterface, noGpsd, notGpsd, hungUp, silent

  var texts: Texts {
    switch self {
    case .notSerial:
      Texts(
        ca: "{1} no és un port sèrie; useu-ne un de /dev/serial/by-id",
        es: "{1} no es un puerto serie; use uno de /dev/serial/by-id",
        en: "{1} is not a serial port; use one of those in /dev/serial/by-id",
        fr: "{1} n'est pas un port série ; prenez-en un de /dev/serial/by-id")
    case .notADevice:
      Texts(
        ca: "{1} no és un dispositiu; useu-ne un de /dev/serial/by-id",
        es: "{1} no es un dispositivo; use uno de /dev/serial/by-id",
        en: "{1} is not a device; use one of those in /dev/serial/by-id",
        fr: "{1} n'est pas un périphérique ; prenez-en un de /dev/serial/by-id")
    case .wrongBaud:
      Texts(
        ca: "{1} no admet {2} bauds; escriviu una altra velocitat després de @",
        es: "{1} no admite {2} baudios; escriba otra velocidad después de @",
        en: "{1} does not support {2} baud; write another rate after @",
        fr: "{1} n'admet pas {2} bauds ; écrivez une autre vitesse après @")
    case .missing:
      Texts(
        ca: "{1} no existeix; endolleu-lo, o corregiu-ne el nom",
        es: "{1} no existe; conéctelo, o corrija su nombre",
        en: "{1} does not exist; plug it in, or correct its name",
        fr: "{1} n'existe pas ; branchez-le, ou corrigez son nom")
    case .denied:
      Texts(
        ca: "{1} no és accessible; afegiu l'usuari al seu grup (ls -l {1})",
        es: "{1} no es accesible; añada el usuario a su grupo (ls -l {1})",
        en: "{1} is not accessible; add the user to its group (ls -l {1})",
        fr: "{1} n'est pas accessible ; ajoutez l'utilisateur à son groupe (ls -l {1})")
    case .usedBy:
      Texts(
        ca: "{1} és en ús per {2}; atureu aquest programa",
        es: "{1} está en uso por {2}; pare ese programa",
        en: "{1} is in use by {2}; stop that program",
        fr: "{1} est utilisé par {2} ; arrêtez ce programme")
    case .used:
      Texts(
        ca: "{1} és en ús; atureu el programa que l'usa (fuser {1})",
        es: "{1} está en uso; pare el programa que lo usa (fuser {1})",
        en: "{1} is in use; stop the program that uses it (fuser {1})",
        fr: "{1} est utilisé ; arrêtez le programme qui l'utilise (fuser {1})")
    case .usedPerhaps:
      Texts(
        ca: "{1} és en ús, potser per {2}; atureu-lo (fuser {1})",
        es: "{1} está en uso, quizá por {2}; párelo (fuser {1})",
        en: "{1} is in use, perhaps by {2}; stop it (fuser {1})",
        fr: "{1} est utilisé, peut-être par {2} ; arrêtez-le (fuser {1})")
    case .cannotOpen:
      Texts(
        ca: "{1} no es pot obrir: {2}; vegeu dmesg",
        es: "{1} no se puede abrir: {2}; vea dmesg",
        en: "{1} cannot be opened: {2}; see dmesg",
        fr: "{1} ne peut être ouvert : {2} ; voir dmesg")
    case .locked:
      Texts(
        ca: "{1} és en ús per {2}, segons {3}; atureu aquest programa",
        es: "{1} está en uso por {2}, según {3}; pare ese programa",
        en: "{1} is in use by {2}, says {3}; stop that program",
        fr: "{1} est utilisé par {2}, selon {3} ; arrêtez ce programme")
    case .noUSB:
      Texts(
        ca: "no s'ha trobat el dispositiu USB {1}; endolleu-lo, o corregiu-ne els números (lsusb)",
        es: "no se ha encontrado el dispositivo USB {1}; conéctelo, o corrija sus números (lsusb)",
        en: "the USB device {1} was not found; plug it in, or correct its numbers (lsusb)",
        fr: "le périphérique USB {1} est introuvable ; branchez-le, ou corrigez ses numéros "
          + "(lsusb)")
    case .noUSBInterface:
      Texts(
        ca: "no s'ha trobat el dispositiu USB {1}, interfície {2}; endolleu-lo, o corregiu-ne "
          + "els números (lsusb)",
        es: "no se ha encontrado el dispositivo USB {1}, interfaz {2}; conéctelo, o corrija sus "
          + "números (lsusb)",
        en: "the USB device {1}, interface {2}, was not found; plug it in, or correct its "
          + "numbers (lsusb)",
        fr: "le périphérique USB {1}, interface {2}, est introuvable ; branchez-le, ou corrigez "
          + "ses numéros (lsusb)")
    case .noGpsd:
      Texts(
        ca: "no hi ha gpsd a {1}: {2}; engegueu-l'hi, o corregiu l'adreça",
        es: "no hay gpsd en {1}: {2}; arránquelo ahí, o corrija la dirección",
        en: "no gpsd at {1}: {2}; start it there, or correct the address",
        fr: "pas de gpsd à {1} : {2} ; lancez-le, ou corrigez l'adresse")
    case .notGpsd:
      Texts(
        ca: "el servidor de {1} no és gpsd; corregiu l'adreça (el port de gpsd és el 2947)",
        es: "el servidor de {1} no es gpsd; corrija la dirección (el puerto de gpsd es el 2947)",
        en: "the server at {1} is not gpsd; correct the address (gpsd's port is 2947)",
        fr: "le serveur à {1} n'est pas gpsd ; corrigez l'adresse (le port de gpsd est 2947)")
    case .hungUp: Texts(ca: "s'ha penjat", es: "se ha colgado", en: "hung up", fr: "a raccroché")
    case .silent:
      Texts(
        ca: "no respon", es: "no responde", en: "does not answer", fr: "ne répond pas")
    }
  }
}
