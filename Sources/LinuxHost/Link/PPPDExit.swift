import Wording

/// What pppd's exit code means (pppd(8), EXIT STATUS).
enum PPPDExit: String, Catalogue {
  case badOption, noPort, notDialled, silent, refused

  /// `nil` if the code says nothing that somebody could act on.
  init?(_ report: LinkReport, of command: [String]) {
    guard report.role == .up, case .code(let code) = report.end,
      command.first?.split(separator: "/").last == "pppd"
    else { return nil }
    switch code {
    case 2: self = .badOption
    case 6, 7: self = .noPort
    case 8: self = .notDialled
    // It says 16, "hung up by the modem", also when nobody has answered its first question.
    case 10, 15, 16: self = .silent
    case 19: self = .refused
    default: return nil
    }
  }

  var texts: Texts {
    switch self {
    case .badOption:
      Texts(
        ca: "pppd no accepta les seves opcions; mireu-les",
        es: "pppd no acepta sus opciones; revíselas",
        en: "pppd does not take its options; check them",
        fr: "pppd refuse ses options ; vérifiez-les")
    case .noPort:
      Texts(
        ca: "pppd no pot obrir o reservar el port; mireu quin se li ha donat",
        es: "pppd no puede abrir o reservar el puerto; revise cuál se le ha dado",
        en: "pppd cannot open or lock its port; check which one it is given",
        fr: "pppd ne peut ni ouvrir ni réserver son port ; vérifiez lequel")
    case .notDialled:
      Texts(
        ca: "el mòdem no ha pogut trucar; comproveu l'APN i l'script de chat",
        es: "el módem no ha podido llamar; compruebe el APN y el script de chat",
        en: "the modem could not dial; check the APN and chat's script",
        fr: "le modem n'a pas pu appeler ; vérifiez l'APN et le script de chat")
    case .silent:
      Texts(
        ca: "l'altre extrem ha penjat o no respon a pppd; comproveu l'APN",
        es: "el otro extremo ha colgado o no responde a pppd; compruebe el APN",
        en: "the other end hung up or does not answer pppd; check the APN",
        fr: "l'autre côté a raccroché ou ne répond pas à pppd ; vérifiez l'APN")
    case .refused:
      Texts(
        ca: "la xarxa no accepta l'usuari o la contrasenya de pppd; corregiu-los",
        es: "la red no acepta el usuario o la contraseña de pppd; corríjalos",
        en: "the network refuses pppd's user or password; correct them",
        fr: "le réseau refuse l'utilisateur ou le mot de passe de pppd ; corrigez-les")
    }
  }
}
