public import FieldConsole
import SystemCalls
public import TrackerCore
public import Wording

/// The client of a `ControlSocket`: sends one command and reads the answer.
public enum ControlClient {

  /// - Parameters:
  ///   - line: without a line end.
  ///   - limit: how long all of it may take. A running daemon answers at once, unless the disk
  ///     delays an order.
  public static func ask(
    _ line: String, at path: String, within limit: Milliseconds = .seconds(10)
  ) throws(AnswerError) -> String {
    let deadline = KernelTimer.monotonic.milliseconds + limit.count
    guard let address = UnixAddress(path) else {
      throw AnswerError(.impossible, AnswerPhrase.badPath.texts(path))
    }
    let socket: Descriptor
    do throws(SystemError) {
      socket = try address.connected(within: rest(until: deadline))
    } catch {
      throw AnswerError(connecting: path, error.code)
    }
    let bytes = Array((line.filter { !$0.isNewline } + "\n").utf8)
    do throws(SystemError) {
      guard try socket.send(bytes, isWaiting: true) else { throw SystemError(code: Errno.again) }
    } catch {
      throw AnswerError(.other, AnswerPhrase.hungUp.texts(path, SystemReason.texts(of: error.code)))
    }
    return try answer(from: socket, path, deadline)
  }

  /// Asks for a tracker's facts. One of another version refuses the question, or answers in another
  /// form.
  public static func facts(
    at path: String, within limit: Milliseconds = .seconds(10)
  ) throws(AnswerError) -> TrackerFacts {
    let answer = try ask("facts \(TrackerFacts.format)", at: path, within: limit)
    guard answer.hasPrefix("ok\n"),
      let facts = try? TrackerFacts(message: String(answer.dropFirst(3)))
    else { throw AnswerError(foreign: path) }
    return facts
  }

  private static func answer(
    from socket: borrowing Descriptor, _ path: String, _ deadline: Int64
  ) throws(AnswerError) -> String {
    var answer: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while answer.count < MachineBounds.answerBytesRead {
      let count: Int
      do throws(SystemError) {
        count = try socket.receive(into: &bytes, within: rest(until: deadline))
      } catch {
        guard error.code == Errno.again else {
          let why = SystemReason.texts(of: error.code)
          throw AnswerError(.other, AnswerPhrase.hungUp.texts(path, why))
        }
        throw AnswerError(
          .silent(process: socket.peer?.process), AnswerPhrase.silent.texts(path))
      }
      if count == 0 { break }
      answer += bytes[..<count]
    }
    guard !answer.isEmpty else {
      throw AnswerError(.other, AnswerPhrase.hungUpSilently.texts(path))
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// At least a millisecond: 0 would mean no limit.
  private static func rest(until deadline: Int64) -> Int64 {
    max(1, deadline - KernelTimer.monotonic.milliseconds)
  }
}

/// Why a daemon gave no answer: one line that says what, where and what to do.
public struct AnswerError: Error, Sendable, Worded {
  public enum Kind: Sendable, Equatable {
    /// Nobody listens there.
    case absent
    /// This user may not ask.
    case forbidden
    /// Somebody listens and does not answer in time; `process` if it is known.
    case silent(process: Int32?)
    /// No socket can have such a path.
    case impossible
    /// It hung up: it ended just then, or is not a trackerd.
    case other
  }

  public var kind: Kind
  public let texts: Texts

  init(_ kind: Kind, _ texts: Texts) {
    self.kind = kind
    self.texts = texts
  }

  /// What came back is not a tracker's answer.
  init(foreign path: String) { self.init(.other, AnswerPhrase.foreign.texts(path)) }

  init(connecting path: String, _ code: Int32) {
    switch code {
    case Errno.accessDenied, Errno.notPermitted:
      self.init(.forbidden, AnswerPhrase.forbidden.texts(path, SocketOwner.texts(path)))
    // The listener's queue stayed full.
    case Errno.again: self.init(.silent(process: nil), AnswerPhrase.silent.texts(path))
    case Errno.noSuchFile, Errno.connectionRefused, Errno.notFolder:
      self.init(.absent, AnswerPhrase.absent.texts(path, SystemReason.texts(of: code)))
    default: self.init(.other, AnswerPhrase.other.texts(path, SystemReason.texts(of: code)))
    }
  }
}

/// Who may use a socket.
enum SocketOwner {
  /// `only user root and group trailtracker`, of the socket or of the directory that hides it.
  static func texts(_ path: String) -> Texts {
    var place = path
    while true {
      if let status = try? FileStatus(place) { return texts(status) }
      let above = directory(of: place)
      guard above != place else { return AnswerPhrase.onlyOthers.texts }
      place = above
    }
  }

  private static func texts(_ status: FileStatus) -> Texts {
    let user = PeerName.text(of: status.owner)
    let isForGroup = status.permissions & (status.kind == .socket ? 0o020 : 0o010) != 0
    guard isForGroup else { return AnswerPhrase.onlyUser.texts(user) }
    return AnswerPhrase.onlyGroup.texts(user, group(status.group))
  }

  private static func group(_ number: UInt32) -> String {
    guard let name = groupName(number), PeerName.isName(name) else { return "\(number)" }
    return name
  }
}

/// Why a running tracker gives no answer.
enum AnswerPhrase: String, Catalogue {
  case forbidden, silent, absent, other, hungUp, hungUpSilently, badPath, foreign
  case onlyOthers, onlyUser, onlyGroup

  var texts: Texts {
    switch self {
    case .forbidden:
      Texts(
        ca: "{1}: {2} pot preguntar a aquest equip; feu-vos-en, o useu sudo",
        es: "{1}: {2} puede preguntar a este equipo; sea uno de ellos, o use sudo",
        en: "{1}: {2} may ask this tracker; become one of them, or use sudo",
        fr: "{1} : {2} peut interroger cette balise ; devenez l'un d'eux, ou utilisez sudo")
    case .silent:
      Texts(
        ca: "{1}: trackerd no respon a temps; vegeu trackerctl status",
        es: "{1}: trackerd no responde a tiempo; vea trackerctl status",
        en: "{1}: trackerd does not answer in time; see trackerctl status",
        fr: "{1} : trackerd ne répond pas à temps ; voir trackerctl status")
    case .absent:
      Texts(
        ca: "{1}: cap trackerd no hi respon: {2}; engegueu trackerd, o indiqueu-ne el --socket",
        es: "{1}: ningún trackerd responde ahí: {2}; arranque trackerd, o indique su --socket",
        en: "{1}: no trackerd answers there: {2}; start trackerd, or pass its --socket",
        fr: "{1} : aucun trackerd n'y répond : {2} ; lancez trackerd, ou indiquez son --socket")
    case .other:
      Texts(
        ca: "{1}: no se li pot preguntar: {2}; indiqueu el --socket correcte",
        es: "{1}: no se le puede preguntar: {2}; indique el --socket correcto",
        en: "{1}: cannot be asked: {2}; pass the right --socket",
        fr: "{1} : interrogation impossible : {2} ; indiquez le bon --socket")
    case .hungUp:
      Texts(
        ca: "{1}: trackerd ha penjat: {2}; torneu-ho a provar",
        es: "{1}: trackerd ha colgado: {2}; vuelva a probar",
        en: "{1}: trackerd hung up: {2}; try again",
        fr: "{1} : trackerd a raccroché : {2} ; réessayez")
    case .hungUpSilently:
      Texts(
        ca: "{1}: trackerd ha penjat sense respondre; mireu-ne el registre",
        es: "{1}: trackerd ha colgado sin responder; mire su registro",
        en: "{1}: trackerd hung up without an answer; look at its log",
        fr: "{1} : trackerd a raccroché sans répondre ; regardez son journal")
    case .foreign:
      Texts(
        ca: "{1}: qui hi respon no és cap trackerd d'aquesta versió",
        es: "{1}: quien responde ahí no es un trackerd de esta versión",
        en: "{1}: what answers there is not a trackerd of this version",
        fr: "{1} : ce qui y répond n'est pas un trackerd de cette version")
    case .badPath:
      Texts(
        ca: "{1}: no és un camí de sòcol vàlid; useu-ne un d'1 a 107 bytes",
        es: "{1}: no es una ruta de socket válida; use una de 1 a 107 bytes",
        en: "{1}: is not a valid socket path; use one of 1 to 107 bytes",
        fr: "{1} : ce n'est pas un chemin de socket valide ; prenez-en un de 1 à 107 octets")
    case .onlyOthers:
      Texts(
        ca: "només altres",
        es: "solo otros",
        en: "only others",
        fr: "seuls d'autres")
    case .onlyUser:
      Texts(
        ca: "només l'usuari {1}",
        es: "solo el usuario {1}",
        en: "only user {1}",
        fr: "seul l'utilisateur {1}")
    case .onlyGroup:
      Texts(
        ca: "només l'usuari {1} i el grup {2}",
        es: "solo el usuario {1} y el grupo {2}",
        en: "only user {1} and group {2}",
        fr: "seul l'utilisateur {1} et le groupe {2}")
    }
  }
}

/// Names of people at the control socket.
public enum PeerName {
  /// Whether a line to the socket may begin with `as` and this.
  public static func isName(_ text: String) -> Bool {
    (1...MachineBounds.personBytes).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
          || "@-_./".utf8.contains(byte)
      }
  }

  /// The user's name, or `uid:1000`, one word.
  public static func text(of user: UInt32?) -> String {
    guard let user else { return "unknown" }
    guard let name = userName(user), isName(name) else { return "uid:\(user)" }
    return name
  }
}
