import SystemCalls
import TrackerCore

/// The system's errors (errno(3)) that people may meet.
public enum SystemReason: String, Catalogue {
  case notPermitted, missing, inputOutput, noSuchDevice, denied, busy, exists, notAFolder, folder
  case invalid, tooLarge, noSpace, readOnly, timedOut, refused, reset, unreachable, quota, other

  public var texts: Texts {
    switch self {
    case .notPermitted:
      Texts(
        ca: "operació no permesa", es: "operación no permitida", en: "Operation not permitted",
        fr: "opération non permise")
    case .missing:
      Texts(
        ca: "el fitxer o directori no existeix", es: "no existe el fichero o el directorio",
        en: "No such file or directory", fr: "fichier ou répertoire inexistant")
    case .inputOutput:
      Texts(
        ca: "error d'entrada/sortida", es: "error de entrada/salida", en: "Input/output error",
        fr: "erreur d'entrée/sortie")
    case .noSuchDevice:
      Texts(
        ca: "el dispositiu no existeix", es: "no existe el dispositivo", en: "No such device",
        fr: "périphérique inexistant")
    case .denied:
      Texts(
        ca: "permís denegat", es: "permiso denegado", en: "Permission denied",
        fr: "permission refusée")
    case .busy:
      Texts(
        ca: "el dispositiu o recurs està ocupat", es: "dispositivo o recurso ocupado",
        en: "Device or resource busy", fr: "périphérique ou ressource occupé")
    case .exists:
      Texts(
        ca: "el fitxer ja existeix", es: "el fichero ya existe", en: "File exists",
        fr: "le fichier existe déjà")
    case .notAFolder:
      Texts(
        ca: "no és un directori", es: "no es un directorio", en: "Not a directory",
        fr: "ce n'est pas un répertoire")
    case .folder:
      Texts(
        ca: "és un directori", es: "es un directorio", en: "Is a directory",
        fr: "c'est un répertoire")
    case .invalid:
      Texts(
        ca: "argument no vàlid", es: "argumento no válido", en: "Invalid argument",
        fr: "argument invalide")
    case .tooLarge:
      Texts(
        ca: "el fitxer és massa gran", es: "el fichero es demasiado grande", en: "File too large",
        fr: "fichier trop grand")
    case .noSpace:
      Texts(
        ca: "no queda espai al dispositiu", es: "no queda espacio en el dispositivo",
        en: "No space left on device", fr: "plus d'espace sur le périphérique")
    case .readOnly:
      Texts(
        ca: "el sistema de fitxers és només de lectura",
        es: "el sistema de ficheros es de solo lectura", en: "Read-only file system",
        fr: "système de fichiers en lecture seule")
    case .timedOut:
      Texts(
        ca: "la connexió ha esgotat el temps", es: "la conexión ha agotado el tiempo",
        en: "Connection timed out", fr: "délai de connexion dépassé")
    case .refused:
      Texts(
        ca: "connexió rebutjada", es: "conexión rechazada", en: "Connection refused",
        fr: "connexion refusée")
    case .reset:
      Texts(
        ca: "l'altra banda ha tallat la connexió", es: "el otro extremo ha cortado la conexión",
        en: "Connection reset by peer", fr: "connexion coupée par l'autre côté")
    case .unreachable:
      Texts(
        ca: "no es pot arribar a la xarxa", es: "la red es inaccesible",
        en: "Network is unreachable", fr: "réseau inaccessible")
    case .quota:
      Texts(
        ca: "s'ha superat la quota de disc", es: "se ha superado la cuota de disco",
        en: "Disk quota exceeded", fr: "quota de disque dépassé")
    case .other:
      Texts(
        ca: "el sistema diu «{1}»", es: "el sistema dice «{1}»", en: "{1}",
        fr: "le système dit « {1} »")
    }
  }

  private static let known: [Int32: SystemReason] = [
    Errno.notPermitted: .notPermitted, Errno.noSuchFile: .missing, Errno.inputOutput: .inputOutput,
    Errno.noDevice: .noSuchDevice, Errno.accessDenied: .denied, Errno.busy: .busy,
    Errno.exists: .exists, Errno.notFolder: .notAFolder, Errno.isFolder: .folder,
    Errno.invalid: .invalid, Errno.fileTooLarge: .tooLarge, Errno.noSpace: .noSpace,
    Errno.readOnlyFileSystem: .readOnly, Errno.timedOut: .timedOut,
    Errno.connectionRefused: .refused, Errno.connectionReset: .reset,
    Errno.networkUnreachable: .unreachable, Errno.overQuota: .quota,
  ]

  /// The text for an `errno`; the system's own for one that is not listed.
  public static func texts(of code: Int32) -> Texts {
    if let reason = known[code] { return reason.texts }
    return other.texts(reason(of: code))
  }
}
