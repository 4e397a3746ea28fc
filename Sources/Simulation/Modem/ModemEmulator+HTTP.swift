public import TrackerCore
public import Uplink
import Wording

/// The state of a modem's HTTP service.
struct ModemWebState: Sendable {
  var isOpen = false
  var url = ""
  var content = ""
  var userData = ""
  var body: [UInt8] = []
  /// How long it waits for a body, as it was told; `nil`: for ever.
  var bodyTime: Milliseconds?
  var bodyEndsAt: Instant?
  /// A request that the caller has to send.
  var pending: Pending?
  /// Its own limits, with the manuals' defaults.
  var connectLimit = Milliseconds.seconds(120)
  var receiveLimit = Milliseconds.seconds(20)
  var head: [UInt8] = []
  var answer: [UInt8] = []

  struct Pending: Sendable {
    var request: HTTPRequest
    var action: ModemScript.HTTPAction
    var wantsAnswer: Bool
    /// When the modem stops waiting for the server.
    var givesUpAt: Instant
    var isTaken = false
  }

  mutating func prepare(_ action: ModemScript.HTTPAction, wantsAnswer: Bool, at now: Instant) {
    // The modem turns these four characters into a line end.
    var headers = userData.pieces(between: "\\r\\n").compactMap { line -> HTTPHeader? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return HTTPHeader(String(line[..<colon]), String(value))
    }
    if !content.isEmpty { headers.append(HTTPHeader("Content-Type", content)) }
    let request =
      switch action {
      case .get: HTTPRequest(method: .get, url: url, headers: headers)
      case .post: HTTPRequest(method: .post, url: url, headers: headers, body: body)
      }
    pending = Pending(
      request: request, action: action, wantsAnswer: wantsAnswer, givesUpAt: now + receiveLimit)
  }
}

// The HTTP commands of SIM7600 and A76XX, according to their manuals.
extension ModemEmulator {
  /// Returns a request to send, once. Pass the reply to `answer`.
  public mutating func takeRequest() -> HTTPRequest? {
    guard let pending = web.pending, !pending.isTaken else { return nil }
    web.pending?.isTaken = true
    if keepsTranscript { requests.append(pending.request) }
    return pending.request
  }

  /// Takes the reply to the request from `takeRequest`.
  public mutating func answer(_ reply: HTTPReply, at now: Instant) {
    guard let pending = web.pending else { return }
    web.pending = nil
    resumeAt = max(resumeAt, now)
    if pending.wantsAnswer {
      let code = take(reply)
      let isChunked = flags.isChunked && !web.answer.isEmpty
      let length = isChunked ? "chunk" : "\(web.answer.count)"
      if flags.continues { say("+HTTPACTION: \(pending.action.rawValue),100,0") }
      say("+HTTPACTION: \(pending.action.rawValue),\(code),\(length)")
    }
    advance(to: now)
  }

  /// The server has not answered within the modem's own limit.
  mutating func giveUpRequest(at now: Instant) {
    guard let pending = web.pending, now >= pending.givesUpAt else { return }
    web.pending = nil
    if pending.wantsAnswer { say("+HTTPACTION: \(pending.action.rawValue),705,0") }
  }

  /// - Returns: the status, or the manuals' error code.
  private mutating func take(_ reply: HTTPReply) -> Int32 {
    web.answer = []
    switch reply {
    case .response(let status, let headers, let body):
      let lines = headers.map { "\($0.name): \($0.value)\r\n" }
      web.head = Array(("HTTP/1.1 \(status)\r\n" + lines.joined() + "\r\n").utf8)
      web.answer = body
      return status
    case .unreachable: return 714
    case .tooLarge, .stalled: return 706
    case .lost: return 704
    }
  }

  mutating func answer(http command: String) -> [ModemScript.Step]? {
    guard let style = http else { return nil }
    if command.hasPrefix("AT+CSSLCFG=") { return line("OK") }
    guard command.hasPrefix("AT+HTTP") else { return nil }
    if command == "AT+HTTPINIT" {
      guard !web.isOpen else { return line("ERROR") }
      web = ModemWebState()
      web.isOpen = true
      return line("OK")
    }
    guard web.isOpen else { return line("ERROR") }
    let numbers = command.drop { $0 != "=" }.dropFirst().split(separator: ",").compactMap {
      Int($0)
    }
    if command == "AT+HTTPTERM" {
      web.isOpen = false
      return line("OK")
    }
    if command.hasPrefix("AT+HTTPPARA=") { return line(setParameter(command) ? "OK" : "ERROR") }
    if command.hasPrefix("AT+HTTPDATA="), numbers.count == 2, (1...153_600).contains(numbers[0]) {
      web.bodyTime = .seconds(Int64(min(numbers[1], 1000)))
      return line("DOWNLOAD") + [.body(numbers[0])] + line("OK")
    }
    if command.hasPrefix("AT+HTTPACTION="), let number = numbers.first,
      let action = ModemScript.HTTPAction(rawValue: number)
    {
      return act(action)
    }
    if command == "AT+HTTPHEAD" { return head(style) }
    if command.hasPrefix("AT+HTTPREAD="), numbers.count == 2 {
      return read(style, from: numbers[0], count: numbers[1])
    }
    return line("ERROR")
  }

  private func line(_ text: String) -> [ModemScript.Step] {
    [.say(Array("\r\n\(text)\r\n".utf8))]
  }

  private mutating func setParameter(_ command: String) -> Bool {
    let fields = command.dropFirst("AT+HTTPPARA=".count).split(separator: ",", maxSplits: 1)
    guard fields.count == 2 else { return false }
    let value = String(fields[1].filter { $0 != "\"" })
    switch fields[0] {
    case "\"URL\"": web.url = value
    case "\"CONTENT\"": web.content = value
    case "\"USERDATA\"": web.userData = value
    case "\"CONNECTTO\"": return Self.limit(value, atLeast: 20).map { web.connectLimit = $0 } != nil
    case "\"RECVTO\"": return Self.limit(value, atLeast: 2).map { web.receiveLimit = $0 } != nil
    case "\"SSLCFG\"": break
    default: return false
    }
    return true
  }

  /// Reads a limit within the manuals' range, seconds.
  private static func limit(_ value: String, atLeast least: Int64) -> Milliseconds? {
    Int64(value).flatMap { (least...120).contains($0) ? .seconds($0) : nil }
  }

  private func act(_ action: ModemScript.HTTPAction) -> [ModemScript.Step] {
    if !hasBearer {
      return line("OK") + [.wait(500)] + line("+HTTPACTION: \(action.rawValue),601,0")
    }
    if !flags.hasRoute {
      return line("OK") + [.wait(web.connectLimit)]
        + line("+HTTPACTION: \(action.rawValue),714,0")
    }
    return line("OK") + [.wait(100), .act(action)]
  }

  private func head(_ style: ModemScript.HTTPStyle) -> [ModemScript.Step] {
    let mark = style == .sim7600 ? "+HTTPHEAD: DATA," : "+HTTPHEAD: "
    return [.say(Array("\r\n\(mark)\(web.head.count)\r\n".utf8) + web.head)] + line("OK")
  }

  /// OK comes first, then the data in pieces of at most 1024 bytes; those of an answer without a
  /// length as they arrive (A76XX Series AT Command Manual V1.11, AT+HTTPREAD).
  private func read(
    _ style: ModemScript.HTTPStyle, from start: Int, count: Int
  ) -> [ModemScript.Step] {
    guard start >= 0, count > 0, start < web.answer.count else { return line("ERROR") }
    var steps = line("OK")
    let end = start + min(count, web.answer.count - start)
    let size = flags.isChunked ? 217 : 1024
    for piece in stride(from: start, to: end, by: size) {
      let bytes = web.answer[piece..<min(end, piece + size)]
      let mark = style == .sim7600 ? "+HTTPREAD: DATA," : "+HTTPREAD: "
      if flags.isChunked && piece > start { steps.append(.wait(50)) }
      steps.append(.say(Array("\r\n\(mark)\(bytes.count)\r\n".utf8)))
      if flags.interrupts { steps += line("+CGEV: NW MODIFY 1,2,0") }
      steps.append(.say(Array(bytes)))
    }
    // Of an answer without a length this marks the end, not that of a piece.
    return steps + (flags.isChunked && end < web.answer.count ? [] : line("+HTTPREAD: 0"))
  }
}
