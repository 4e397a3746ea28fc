import LeanUplink
import Testing
import TrackerCore

/// A transcript of requests by a modem's own commands, as a controller makes them: what the modem
/// says, and what must be said to it.
struct PostingTape {
  var posting: ModemPosting
  var now: Int64 = 0
  /// Everything that was said to the modem.
  var said: [String] = []
  /// The last answer to judge.
  var answer: (status: Int32, isPage: Bool)?
  var isOver = false
  /// How the last request ended that had no answer.
  var end: ModemFailure?

  static let address = "http://camp.example/phone/k?id=1"

  init(_ family: ModemFamily = .a7670, _ security: ModemPosting.Security = .none) {
    guard let posting = ModemPosting(family: family) else {
      preconditionFailure("the family has HTTP")
    }
    self.posting = posting
    take(self.posting.begin(security, at: .start))
  }

  /// The modem says something, ended by CR LF, 10 ms later. Returns what is said to it.
  @discardableResult mutating func hear(_ lines: String...) -> String {
    now += 10
    let count = said.count
    for line in lines {
      for byte in "\r\n\(line)\r\n".utf8 {
        take(posting.receive(byte, at: Instant(milliseconds: now)))
      }
    }
    return said[count...].joined(separator: "⏎")
  }

  /// The deadline that it named comes.
  @discardableResult mutating func wait() -> String {
    guard let deadline = posting.nextDeadline else { return "nothing is waited for" }
    now = max(now, deadline.milliseconds)
    let count = said.count
    take(posting.deadlineReached(at: deadline))
    return said[count...].joined(separator: "⏎")
  }

  @discardableResult mutating func proceed(hasNext: Bool) -> String {
    let count = said.count
    take(posting.proceed(hasNext: hasNext, at: Instant(milliseconds: now)))
    return said[count...].joined(separator: "⏎")
  }

  private mutating func take(_ step: ModemPostingStep) {
    switch step {
    case .wait: break
    case .say(let words): said.append("\(words)")
    case .sayAddress: said.append("\(ModemWebWords.address)\(Self.address)\"")
    case .sayAuthority: said.append("\(ModemWebWords.authority)camp.pem\"")
    case .sayRead(let count): said.append("\(ModemWebWords.read)0,\(count)")
    case .judge(let status, let isPage): answer = (status, isPage)
    case .over(let failure): (isOver, end) = (true, failure)
    }
  }

  /// Up to where the request is on its way.
  mutating func act() {
    hear("OK")
    hear("+CSQ: 15,99", "OK")
    for _ in 0..<20 where said.last != "AT+HTTPACTION=0" { hear("OK") }
    hear("OK")
  }
}

let postingAgain: Comment = "repeat with: swift test --filter LeanUplinkTests"
