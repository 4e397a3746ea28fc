import ModemDialogues
import SystemCalls
import TrackerCore
import Wording

/// Text messages by a modem on this machine: what comes in goes to a `TextDesk`, and what that
/// wants to say goes out. Whatever becomes of the modem, it is tried again, and the room goes on.
final class TextModem: Sendable {
  private let path: String
  private let ending: Ending
  private let language: Language
  private let say: @Sendable (String) -> Void
  /// Is told what is wrong, and when it is over.
  private let report: @Sendable (String?) -> Void

  init(
    _ path: String, until ending: Ending, language: Language,
    say: @escaping @Sendable (String) -> Void, report: @escaping @Sendable (String?) -> Void
  ) {
    self.path = path
    self.ending = ending
    self.language = language
    self.say = say
    self.report = report
  }

  /// Serves the modem until the server ends.
  func run(_ desk: consuming TextDesk, taken: @Sendable () -> Void) {
    var said: String?
    func tell(_ problem: Texts?) {
      report(problem?[language])
      guard problem?.english != said else { return }
      say(problem?.english ?? "\(path): text messages come in again")
      said = problem?.english
    }
    while !ending.isHere {
      do {
        let line = try TextLine(path, until: ending)
        while !ending.isHere {
          let reading = try line.read()
          let now = HostTime.now.utc
          line.clear(try desk.take(reading, at: now))
          if !reading.texts.isEmpty { taken() }
          tell(reading.isFull ? TextPhrase.full.texts(path) : nil)
          desk.answerCalls(at: now)
          for next in desk.outgoing {
            desk.ended(wasSent: try line.send(next.text, to: next.number))
          }
          if !desk.tookNew { ending.wait(.seconds(Bounds.textSeconds)) }
        }
      } catch {
        if ending.isHere { return }
        tell((error as? TextTrouble)?.texts ?? path.texts.colon(Texts(of: error)))
        ending.wait(.seconds(Bounds.textRetrySeconds))
      }
    }
  }
}

/// Why there are no text messages.
private struct TextTrouble: Error, Worded {
  var texts: Texts
}

/// A modem's open port. Its calls wait.
private final class TextLine {
  private let path: String
  private let ending: Ending
  private let port: Descriptor
  private var operations = ModemOperations(family: .generic, http: nil)
  private var count: UInt32 = 0

  init(_ path: String, until ending: Ending) throws {
    self.path = path
    self.ending = ending
    do throws(SystemError) {
      port = try Descriptor(opening: path, [.readWrite, .notControlling, .nonBlocking])
      guard try port.lock() else { throw SystemError("flock", path, code: Errno.busy) }
    } catch {
      if error.code == Errno.busy { throw TextTrouble(texts: TextPhrase.used.texts(path)) }
      throw TextTrouble(texts: TextPhrase.noPort.texts(path, reason(of: error.code)))
    }
    // A modem on USB has no rate; another one is taken to have the usual one.
    guard makeRaw(port.number, baud: 115_200) else {
      throw TextTrouble(texts: TextPhrase.mute.texts(path))
    }
    try prepare()
  }

  /// Messages are stored, not delivered: what would be delivered to nobody is lost.
  private func prepare() throws {
    // What another program has left unfinished.
    try write([0x1B])
    guard try ask("ATE0") != nil else { throw TextTrouble(texts: TextPhrase.mute.texts(path)) }
    let sim = try ask("AT+CPIN?") ?? []
    if sim.contains(where: { $0.hasPrefix("+CPIN:") && !$0.hasSuffix("READY") }) {
      throw TextTrouble(texts: TextPhrase.pin.texts(path))
    }
    guard sim.contains(where: { $0.hasPrefix("+CPIN:") }) else {
      throw TextTrouble(texts: TextPhrase.noSIM.texts(path))
    }
    _ = try ask("AT+CNMI=1,0,0,0,0")
  }

  /// The messages that it has stored, after deleting those that were taken into account.
  func read() throws -> InboxReading {
    count &+= 1
    let words = operations.beginReading(RequestID(count), all: true, at: Self.now)
    guard case .read(_, let reading) = try complete(words), reading.isComplete else {
      throw TextTrouble(texts: TextPhrase.unreadable.texts(path))
    }
    return reading
  }

  func clear(_ places: [Int]) { operations.clear(places) }

  func send(_ text: String, to number: PhoneNumber) throws -> Bool {
    count &+= 1
    let words = operations.begin(RequestID(count), to: number, text: text, at: Self.now)
    guard case .texted(_, let wasSent) = try complete(words) else { return false }
    return wasSent
  }

  private func complete(_ words: [UInt8]) throws -> ModemOperations.Completed {
    try write(words)
    while true {
      if let completed = operations.takeCompleted() { return completed }
      let now = Self.now
      try write(operations.deadlineReached(at: now))
      guard operations.isActive else { continue }
      let rest = operations.nextDeadline.map { ($0 - now).count } ?? 1000
      let bytes = try bytes(within: max(1, min(rest, 200)))
      try write(operations.receive(bytes, at: Self.now))
    }
  }

  /// - Returns: its lines; `nil`: it did not answer.
  private func ask(_ command: String) throws -> [String]? {
    try write(Array("\(command)\r".utf8))
    let end = Self.now + Bounds.textAnswer
    var said: [UInt8] = []
    while Self.now < end, said.count < Bounds.smallBodyBytes {
      said += try bytes(within: 200)
      let lines = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map(String.init)
      let isEnd = lines.contains { $0 == "OK" || $0 == "ERROR" || $0.hasPrefix("+CME ERROR") }
      if isEnd, said.last == 0x0A { return lines }
    }
    return nil
  }

  private func bytes(within milliseconds: Int64) throws -> [UInt8] {
    if ending.isHere { throw TextTrouble(texts: TextPhrase.mute.texts(path)) }
    var set = PollSet()
    set.add(port.number)
    _ = set.wait(atMost: milliseconds)
    var buffer = [UInt8](repeating: 0, count: 4096)
    var room = buffer.mutableSpan
    switch Descriptor.read(port.number, into: &room) {
    case .bytes(let count): return Array(buffer.prefix(count))
    case .nothing: return []
    case .ended: throw TextTrouble(texts: TextPhrase.noPort.texts(path, "EOF"))
    case .failed(let code):
      throw TextTrouble(texts: TextPhrase.noPort.texts(path, reason(of: code)))
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    let end = Self.now + Bounds.textAnswer
    while !rest.isEmpty {
      switch Descriptor.write(port.number, rest) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .nothing where Self.now < end: pause(milliseconds: 20)
      case .nothing: throw TextTrouble(texts: TextPhrase.mute.texts(path))
      case .ended: throw TextTrouble(texts: TextPhrase.noPort.texts(path, "EOF"))
      case .failed(let code):
        throw TextTrouble(texts: TextPhrase.noPort.texts(path, reason(of: code)))
      }
    }
  }

  private static var now: Instant { .start + HostTime.now.uptime }
}
