import TrackerCore
public import Wording

/// A dialogue with a modem; while it is active, all bytes from the modem go to it.
protocol ModemDialogue: Sendable {
  var words: ModemStrings { get }
  var isActive: Bool { get }
  var stream: ModemStream { get set }
  /// - Returns: what to send.
  mutating func hear(_ piece: ModemStream.Piece, at now: Instant) -> [UInt8]
  /// Ends at once.
  ///
  /// - Returns: what to send.
  mutating func interrupt(_ interruption: ModemInterruption) -> [UInt8]
}

/// What ends any dialogue, and is for the core too.
enum ModemInterruption: Sendable, Equatable {
  /// The first line after power-on.
  case restart
  case simGone

  init?(_ line: String, _ words: ModemStrings) {
    // The whole line: the echo of a text message may begin with the same letters.
    if words.begins.hasAlternative(where: { line.utf8.elementsEqual($0) }) {
      self = .restart
    } else if words.simGone.hasAlternative(where: { line.utf8.starts(with: $0) }) {
      self = .simGone
    } else {
      return nil
    }
  }

  /// With the likely cause.
  var problem: ModemPhrase {
    switch self {
    case .restart: .restarted
    case .simGone: .simGone
    }
  }
}

/// Why a dialogue is ended from outside.
public enum AbandonReason: Sendable {
  /// The modem is needed for something else.
  case needed
  case lineLost

  var problem: ModemPhrase {
    switch self {
    case .needed: .needed
    case .lineLost: .lineLost
    }
  }
}

/// What people read about a modem: a constant message in the log, and texts in the status.
public struct ModemTrouble: Sendable, Worded {
  public let message: StaticString
  public let texts: Texts

  public static let restarted = ModemTrouble(
    message:
      "the modem restarted by itself: its supply is probably too weak; check battery and cable",
    texts: ModemPhrase.restarted.texts)
  public static let accessPointRefused = ModemTrouble(
    message: "the modem refuses the access point; correct apn",
    texts: ModemPhrase.accessPointRefused.texts)
  public static let radioStaysOn = ModemTrouble(
    message: "the modem refuses to switch its radio off; update its firmware or exchange it",
    texts: ModemPhrase.radioStaysOn.texts)
}

extension ModemDialogue {
  /// Handles bytes from the modem. Those after the end of the dialogue are ignored, except after an
  /// interruption.
  ///
  /// - Returns: what to send.
  mutating func receive(_ bytes: some Sequence<UInt8>, at now: Instant) -> [UInt8] {
    var output: [UInt8] = []
    for byte in bytes {
      guard isActive else {
        if !stream.news.isEmpty { stream.news.append(byte) }
        continue
      }
      guard let piece = stream.take(byte) else { continue }
      if case .line(let line) = piece, let interruption = ModemInterruption(line, words) {
        output += interrupt(interruption)
        stream.news = Array("\(line)\r\n".utf8)
      } else {
        output += hear(piece, at: now)
      }
    }
    return output
  }

  /// Returns what the modem has said that is for the core, once: the line that interrupted the
  /// dialogue, and what followed.
  mutating func takeNews() -> [UInt8] {
    defer { stream.news = [] }
    return stream.news
  }
}

extension StaticString {
  var text: String { withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }

  /// Whether one of the alternatives, which `|` separates, is so.
  fileprivate func hasAlternative(where isSo: (Slice<UnsafeBufferPointer<UInt8>>) -> Bool) -> Bool {
    withUTF8Buffer { bytes in bytes.split(separator: UInt8(ascii: "|")).contains(where: isSo) }
  }
}
