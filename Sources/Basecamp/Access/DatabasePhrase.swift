import SQL
import Wording

/// Why the database cannot be used now, and what to do, without saying where it is.
enum DatabasePhrase: Catalogue {
  case silent, closed, password, readOnly, full, busy, other

  init(_ error: SQLError) {
    self =
      switch error.kind {
      case .unreachable:
        switch error.cause {
        case .closed: .closed
        case .password: .password
        case nil: .silent
        }
      case .readOnly: .readOnly
      case .full: .full
      case .busy: .busy
      case .damaged, .constraint, .interrupted, .other: .other
      }
  }

  /// For the organisers: with what the database has said.
  static func texts(for error: any Error) -> Texts {
    guard let error = error as? SQLError, case let phrase = DatabasePhrase(error), phrase != .other
    else { return Texts(of: error) }
    func with(_ language: Language) -> String { "\(phrase.texts[language]) (\(error))" }
    return Texts(
      ca: with(.catalan), es: with(.spanish), en: with(.english), fr: with(.french))
  }

  var texts: Texts {
    switch self {
    case .silent:
      Texts(
        ca: "la base de dades no respon; torneu-ho a provar d'aquí a una estona",
        es: "la base de datos no responde; pruebe de nuevo dentro de un rato",
        en: "the database does not answer; try again in a while",
        fr: "la base de données ne répond pas ; réessayez dans un moment")
    case .closed:
      Texts(
        ca: "el servidor de la base de dades no accepta connexions; vegeu si està engegat",
        es: "el servidor de la base de datos no acepta conexiones; vea si está encendido",
        en: "the database's server takes no connections; see whether it is on",
        fr: "le serveur de la base de données n'accepte pas de connexions ; est-il en marche ?")
    case .password:
      Texts(
        ca: "la base de dades no accepta l'usuari o la contrasenya de basecamp; corregiu-los",
        es: "la base de datos no acepta el usuario o la contraseña de basecamp; corríjalos",
        en: "the database does not take basecamp's user or password; correct them",
        fr: "la base de données refuse l'utilisateur ou le mot de passe de basecamp ; corrigez-les")
    case .readOnly:
      Texts(
        ca: "la base de dades només es pot llegir: és una rèplica; feu-la principal",
        es: "la base de datos solo se puede leer: es una réplica; hágala principal",
        en: "the database can only be read: it is a standby; promote it",
        fr: "la base de données ne peut qu'être lue : c'est une réplique ; promouvez-la")
    case .full:
      Texts(
        ca: "el disc de la base de dades és ple; feu-hi lloc",
        es: "el disco de la base de datos está lleno; haga sitio en él",
        en: "the database's disk is full; make room on it",
        fr: "le disque de la base de données est plein ; faites-y de la place")
    case .busy, .other:
      Texts(
        ca: "la base de dades està ocupada; torneu-ho a provar d'aquí a una estona",
        es: "la base de datos está ocupada; pruebe de nuevo dentro de un rato",
        en: "the database is busy; try again in a while",
        fr: "la base de données est occupée ; réessayez dans un moment")
    }
  }
}
