import FeatureService
import SQL
import Wording

/// Why a request about the control room is not carried out.
struct RoomRefusal: Error {
  let status: Int32
  let texts: Texts

  init(_ status: Int32, _ texts: Texts) {
    self.status = status
    self.texts = texts
  }

  /// - Parameter argument: what the phrase is about, if it names something.
  init(_ status: Int32, _ phrase: RoomRefusalPhrase, _ argument: String = "") {
    self.init(status, phrase.texts(argument))
  }

  /// What could not be read or written. Where a server's database is, is the organisers' to know.
  init(of error: any Error) {
    if let error = error as? SQLError, error.kind.isPassing {
      self.init(503, DatabasePhrase(error).texts)
    } else {
      self.init(500, Texts(of: error))
    }
  }

  func reply(in language: Language) -> ServiceReply {
    let reply = ServiceReply.figure(
      .object([.init("error", .text(texts[language]))]), status: status)
    return status == 503 ? reply.after(Bounds.databaseAwaySeconds) : reply
  }
}

/// What the control room's pages refuse.
enum RoomRefusalPhrase: Catalogue {
  case noName, noAct, noPage, logIn, wrong, tooManyTries, notYours, noMark, noLink, openRoom
  case noTeam, noCourse, noDate, noKind, noWord, noPhone, foreignPage, foreignName
  case isTrackers, isPhones, noNumber

  var texts: Texts {
    switch self {
    case .noName:
      Texts(
        ca: "digueu qui sou", es: "diga quién es", en: "say who you are", fr: "dites qui vous êtes")
    case .noAct:
      Texts(
        ca: "no hi ha res a fer: doneu una alarma o un text",
        es: "no hay nada que hacer: dé una alarma o un texto",
        en: "there is nothing to do: give an alarm or a text",
        fr: "il n'y a rien à faire : donnez une alarme ou un texte")
    case .noPage:
      Texts(
        ca: "no hi ha aquesta pàgina", es: "no existe esta página", en: "there is no such page",
        fr: "cette page n'existe pas")
    case .logIn:
      Texts(
        ca: "entreu primer", es: "entre primero", en: "log in first", fr: "connectez-vous d'abord")
    case .wrong:
      Texts(
        ca: "usuari o contrasenya incorrectes", es: "usuario o contraseña incorrectos",
        en: "wrong user or password", fr: "utilisateur ou mot de passe incorrect")
    case .tooManyTries:
      Texts(
        ca: "massa contrasenyes errònies; torneu-ho a provar d'aquí a {1} s",
        es: "demasiadas contraseñas erróneas; pruebe de nuevo en {1} s",
        en: "too many wrong passwords; try again in {1} s",
        fr: "trop de mots de passe erronés ; réessayez dans {1} s")
    case .notYours:
      Texts(
        ca: "això només ho pot fer la sala de control",
        es: "eso solo lo puede hacer la sala de control",
        en: "only the control room may do that", fr: "seule la salle de contrôle peut le faire")
    case .noMark:
      Texts(
        ca: "la petició no ve d'aquesta pàgina; torneu-la a carregar",
        es: "la petición no viene de esta página; vuelva a cargarla",
        en: "the request is not from this page; load it again",
        fr: "la requête ne vient pas de cette page ; rechargez-la")
    case .noLink:
      Texts(
        ca: "l'enllaç ja no val; demaneu-ne un altre", es: "el enlace ya no vale; pida otro",
        en: "the link is not valid any more; ask for another",
        fr: "le lien n'est plus valable ; demandez-en un autre")
    case .openRoom:
      Texts(
        ca: "sense comptes tothom ho veu tot; primer feu-ne un: basecamp staff",
        es: "sin cuentas todos lo ven todo; primero cree una: basecamp staff",
        en: "without accounts everybody sees everything; make one first: basecamp staff",
        fr: "sans comptes tout le monde voit tout ; créez-en un d'abord : basecamp staff")
    case .noTeam:
      Texts(
        ca: "d'aquest equip encara no ha arribat res", es: "de este equipo aún no ha llegado nada",
        en: "nothing of this team has arrived yet", fr: "rien n'est encore arrivé de cette équipe")
    case .noCourse:
      Texts(
        ca: "no hi ha recorregut: doneu --course", es: "no hay recorrido: dé --course",
        en: "there is no course: give --course", fr: "il n'y a pas de parcours : donnez --course")
    case .noDate:
      Texts(
        ca: "{1}: doneu una data com 2026-04-18T22:00:00Z",
        es: "{1}: dé una fecha como 2026-04-18T22:00:00Z",
        en: "{1}: give a date like 2026-04-18T22:00:00Z",
        fr: "{1} : donnez une date comme 2026-04-18T22:00:00Z")
    case .noKind:
      Texts(
        ca: "el diari no té entrades del tipus {1}", es: "el diario no tiene entradas del tipo {1}",
        en: "the diary has no entries of the kind {1}",
        fr: "le journal n'a pas d'entrées du genre {1}")
    case .noWord:
      Texts(
        ca: "{1}: doneu de 1 a {2} caràcters en una línia",
        es: "{1}: dé de 1 a {2} caracteres en una línea",
        en: "{1}: give 1 to {2} characters in one line",
        fr: "{1} : donnez de 1 à {2} caractères sur une ligne")
    case .noPhone:
      Texts(
        ca: "un telèfon té xifres, +, espais i parèntesis",
        es: "un teléfono tiene cifras, +, espacios y paréntesis",
        en: "a telephone number has digits, +, blanks and brackets",
        fr: "un numéro de téléphone a des chiffres, +, des espaces et des parenthèses")
    case .isTrackers:
      Texts(
        ca: "{1}: ja hi envia un equip de seguiment; doneu un altre número o cap",
        es: "{1}: ya envía un equipo de seguimiento; dé otro número o ninguno",
        en: "{1}: a tracker sends under that number; give another, or none",
        fr: "{1} : une balise envoie sous ce numéro ; donnez-en un autre, ou aucun")
    case .isPhones:
      Texts(
        ca: "{1}: ja té un telèfon; primer revoqueu-lo",
        es: "{1}: ya tiene un teléfono; revóquelo primero",
        en: "{1}: has a phone already; revoke that first",
        fr: "{1} : a déjà un téléphone ; révoquez-le d'abord")
    case .noNumber:
      Texts(
        ca: "doneu el número de l'equip del rastrejador",
        es: "dé el número del equipo del rastreador",
        en: "give the number of the tracker's team",
        fr: "donnez le numéro de l'équipe du traceur")
    case .foreignPage:
      Texts(
        ca: "una pàgina de {1} no pot fer això", es: "una página de {1} no puede hacer eso",
        en: "a page of {1} may not do that", fr: "une page de {1} ne peut pas le faire")
    case .foreignName:
      Texts(
        ca: "sense contrasenya aquest servidor no respon com a {1}; feu servir la seva adreça",
        es: "sin contraseña este servidor no responde como {1}; use su dirección",
        en: "without a password this server does not answer as {1}; use its address",
        fr: "sans mot de passe ce serveur ne répond pas comme {1} ; utilisez son adresse")
    }
  }
}
