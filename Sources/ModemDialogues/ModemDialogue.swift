public import TrackerCore
public import Uplink
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

/// A host's own dialogues with a modem: requests by the modem's HTTP commands, and short messages.
///
/// While either is active it gets all bytes from the modem; the core ignores them, and they must
/// not be recorded, because they may contain secrets such as tokens.
public struct ModemOperations: Sendable {
  /// A completed operation.
  public enum Completed: Sendable {
    case replied(ModemHTTPResult)
    case texted(RequestID, wasSent: Bool)
    case read(RequestID, InboxReading)
  }

  private var http: ModemHTTP?
  private var text: ModemText
  private var inbox: ModemInbox
  private var textID: RequestID?

  /// When the current upload or query has to be over.
  private var taskEnd = Instant.start

  /// - Parameter http: `nil` when requests are not sent by the modem.
  public init(family: ModemFamily, http: ModemHTTP?) {
    self.http = http
    text = ModemText(family: family)
    inbox = ModemInbox(family: family)
  }

  public var carriesRequests: Bool { http != nil }
  // Cached, because a simulation reads them at every step and the dialogues are large.
  public private(set) var isActive = false
  public private(set) var nextDeadline: Instant?

  private mutating func update() {
    isActive = http?.isActive == true || text.isActive || inbox.isActive
    nextDeadline = http?.nextDeadline
    guard let message = text.nextDeadline ?? inbox.nextDeadline else { return }
    nextDeadline = nextDeadline.map { min($0, message) } ?? message
  }

  /// The core wants an upload or a query: its requests have to be over before the core gives it up.
  public mutating func beginTask(at now: Instant) { taskEnd = now + ModemBounds.taskLimit }

  // Each returns what to send to the modem.

  /// Begins the next request of the current task.
  public mutating func begin(_ request: HTTPRequest, at now: Instant) -> [UInt8] {
    defer { update() }
    return http?.begin(request, until: taskEnd, at: now) ?? []
  }

  public mutating func begin(
    _ id: RequestID, to number: PhoneNumber, text words: String, at now: Instant
  ) -> [UInt8] {
    defer { update() }
    textID = id
    return text.begin(to: number, text: words, at: now)
  }

  /// Reads the short messages that are stored.
  ///
  /// - Parameter all: also those that were read before.
  public mutating func beginReading(_ id: RequestID, all: Bool = false, at now: Instant) -> [UInt8]
  {
    defer { update() }
    textID = id
    return inbox.begin(all ? .all : .new, at: now)
  }

  /// The messages in these places have been taken into account: they are deleted before the next
  /// reading.
  public mutating func clear(_ places: [Int]) { inbox.clear(places) }

  public mutating func receive(_ bytes: [UInt8], at now: Instant) -> [UInt8] {
    defer { update() }
    if text.isActive { return text.receive(bytes, at: now) }
    if inbox.isActive { return inbox.receive(bytes, at: now) }
    return http?.receive(bytes, at: now) ?? []
  }

  /// Returns what the modem has said that is for the core, once. Pass it on before anything else:
  /// it has ended the operation.
  public mutating func takeNews() -> [UInt8] {
    let news = http?.takeNews() ?? []
    if !news.isEmpty { return news }
    let others = text.takeNews()
    return others.isEmpty ? inbox.takeNews() : others
  }

  /// The line did not accept the last output, and has discarded what it had not sent.
  public mutating func lineRefused(at now: Instant) -> [UInt8] {
    defer { update() }
    if text.isActive { return text.abandon() }
    if inbox.isActive { return inbox.abandon() }
    return http?.lineRefused(at: now) ?? []
  }

  public mutating func deadlineReached(at now: Instant) -> [UInt8] {
    guard let nextDeadline, now >= nextDeadline else { return [] }
    defer { update() }
    if text.isActive { return text.deadlineReached(at: now) }
    if inbox.isActive { return inbox.deadlineReached(at: now) }
    return http?.deadlineReached(at: now) ?? []
  }

  /// Ends the operation without a result of its own.
  public mutating func abandon(_ reason: AbandonReason) -> [UInt8] {
    defer { update() }
    if inbox.isActive { return inbox.abandon() }
    return text.isActive ? text.abandon() : http?.abandon(reason) ?? []
  }

  public mutating func takeCompleted() -> Completed? {
    if let id = textID, let wasSent = text.takeResult() {
      textID = nil
      return .texted(id, wasSent: wasSent)
    }
    if let id = textID, let reading = inbox.takeResult() {
      textID = nil
      return .read(id, reading)
    }
    return http?.takeResult().map { .replied($0) }
  }
}
