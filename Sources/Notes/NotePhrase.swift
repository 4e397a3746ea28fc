import TrackerCore
public import Wording

/// Why a note could not be written: one line.
public struct NoteError: Error, Sendable, Equatable, Worded {
  public let texts: Texts

  init(_ phrase: NotePhrase, _ argument: String = "") { texts = phrase.texts(argument) }

  /// A text as it is kept.
  static func checked(_ text: String) throws(NoteError) -> String {
    let line = text.plain
    guard line.contains(where: { $0 != " " }),
      line.unicodeScalars.count <= NoteBounds.textScalars
    else { throw NoteError(.length) }
    return line
  }
}

enum NotePhrase: Catalogue {
  case length, unknown, unknownName, deleted, full

  var texts: Texts {
    switch self {
    case .length:
      Texts(
        ca: "una nota té d'1 a 500 caràcters; escurceu-la",
        es: "una nota tiene de 1 a 500 caracteres; acórtela",
        en: "a note has 1 to 500 characters; shorten it",
        fr: "une note a de 1 à 500 caractères ; raccourcissez-la")
    case .unknown:
      Texts(
        ca: "no hi ha aquesta nota; torneu a obrir la llista",
        es: "no existe esa nota; vuelva a abrir la lista",
        en: "there is no such note; open the list again",
        fr: "cette note n'existe pas ; rouvrez la liste")
    case .unknownName:
      Texts(
        ca: "no hi ha cap nota '{1}'; vegeu notes", es: "no hay ninguna nota '{1}'; vea notes",
        en: "there is no note '{1}'; see notes", fr: "pas de note '{1}' ; voyez notes")
    case .deleted:
      Texts(
        ca: "la nota està esborrada; escriviu-ne una altra",
        es: "la nota está borrada; escriba otra",
        en: "the note is deleted; write another one",
        fr: "la note est supprimée ; écrivez-en une autre")
    case .full:
      Texts(
        ca: "ja hi ha 2000 versions de notes; digueu-ho als organitzadors",
        es: "ya hay 2000 versiones de notas; avise a los organizadores",
        en: "there are 2000 versions of notes already; tell the organisers",
        fr: "il y a déjà 2000 versions de notes ; dites-le aux organisateurs")
    }
  }
}

/// What a note is about.
public enum NoteCategory: String, Catalogue {
  case general, equipment, health, route

  public init?(word: String) {
    guard let category = Self(rawValue: word.lowercased()) else { return nil }
    self = category
  }

  public var texts: Texts {
    switch self {
    case .general: Texts(ca: "general", es: "general", en: "general", fr: "général")
    case .equipment: Texts(ca: "material", es: "material", en: "equipment", fr: "matériel")
    case .health: Texts(ca: "salut", es: "salud", en: "health", fr: "santé")
    case .route: Texts(ca: "ruta", es: "ruta", en: "route", fr: "parcours")
    }
  }
}

extension NoteVersion {
  /// The category's name; one that this program does not know is shown as it is.
  public func category(in language: Language) -> String {
    NoteCategory(rawValue: category)?.texts[language] ?? category
  }
}
