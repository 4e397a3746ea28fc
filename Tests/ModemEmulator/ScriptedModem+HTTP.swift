/// What a modem's HTTP service knows.
struct WebState: Sendable {
  var isOpen = false
  var url = ""
  var content = ""
  var userData = ""
  var body: [UInt8] = []
  /// A request that waits to be performed by whoever runs the modem.
  var pending: (request: WebRequest, method: Int, wantsAnswer: Bool)?
  var wantsRequest = false
  var head: [UInt8] = []
  var answer: [UInt8] = []

  mutating func forward(method: Int, wantsAnswer: Bool) {
    var headers = userData.isEmpty ? [] : userData.components(separatedBy: "\\r\\n")
    if !content.isEmpty { headers.append("Content-Type: \(content)") }
    let request = WebRequest(
      method: method == 1 ? "POST" : "GET", url: url, headers: headers,
      body: method == 1 ? body : [])
    pending = (request, method, wantsAnswer)
    wantsRequest = true
  }
}

extension String {
  fileprivate func components(separatedBy mark: String) -> [String] {
    split(separator: mark, omittingEmptySubsequences: true).map(String.init)
  }
}

// The HTTP commands of SIM7600 and A76XX, as their manuals have them.
extension ScriptedModem {
  /// A request that somebody has to perform; once. `answer` says what came of it.
  public mutating func takeRequest() -> WebRequest? {
    guard web.wantsRequest, let pending = web.pending else { return nil }
    web.wantsRequest = false
    requests.append(pending.request)
    return pending.request
  }

  /// What came of the request that was taken.
  public mutating func answer(_ answer: WebAnswer, at now: Int64) {
    guard let pending = web.pending else { return }
    web.pending = nil
    resumeAt = max(resumeAt, now)
    if pending.wantsAnswer {
      let code: Int
      switch answer {
      case .failed(let failure):
        code = failure
        web.answer = []
      case .answer(let status, let headers, let body):
        code = status
        web.head = Array((headers.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        web.answer = body
      }
      say("+HTTPACTION: \(pending.method),\(code),\(web.answer.count)")
    }
    advance(to: now)
  }

  mutating func http(_ command: String) -> [Dialogue.Step]? {
    guard let style = dialogue.http else { return nil }
    if command.hasPrefix("AT+CSSLCFG=") { return line("OK") }
    guard command.hasPrefix("AT+HTTP") else { return nil }
    if command == "AT+HTTPINIT" {
      guard !web.isOpen else { return line("ERROR") }
      web = WebState()
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
      return line("DOWNLOAD") + [.body(numbers[0])] + line("OK")
    }
    if command.hasPrefix("AT+HTTPACTION="), let method = numbers.first { return act(method) }
    if command == "AT+HTTPHEAD" { return head(style) }
    if command.hasPrefix("AT+HTTPREAD="), numbers.count == 2 {
      return read(style, from: numbers[0], count: numbers[1])
    }
    return line("ERROR")
  }

  private func line(_ text: String) -> [Dialogue.Step] { [.say(Array("\r\n\(text)\r\n".utf8))] }

  private mutating func setParameter(_ command: String) -> Bool {
    let fields = command.dropFirst("AT+HTTPPARA=".count).split(separator: ",", maxSplits: 1)
    guard fields.count == 2 else { return false }
    let value = String(fields[1].filter { $0 != "\"" })
    switch fields[0] {
    case "\"URL\"": web.url = value
    case "\"CONTENT\"": web.content = value
    case "\"USERDATA\"": web.userData = value
    case "\"SSLCFG\"", "\"CONNECTTO\"", "\"RECVTO\"": break
    default: return false
    }
    return true
  }

  private func act(_ method: Int) -> [Dialogue.Step] {
    if conditions.contains("noNetwork") {
      return line("OK") + [.wait(500)] + line("+HTTPACTION: \(method),601,0")
    }
    return line("OK") + [.wait(100), .act(method)]
  }

  private func head(_ style: Dialogue.HTTPStyle) -> [Dialogue.Step] {
    let mark = style == .sim7600 ? "+HTTPHEAD: DATA," : "+HTTPHEAD: "
    return [.say(Array("\r\n\(mark)\(web.head.count)\r\n".utf8) + web.head)] + line("OK")
  }

  /// OK comes first, and then the data in chunks of 1024 bytes at the most.
  private func read(
    _ style: Dialogue.HTTPStyle, from start: Int, count: Int
  ) -> [Dialogue.Step] {
    guard start >= 0, count > 0, start < web.answer.count else { return line("ERROR") }
    var steps = line("OK")
    let end = min(web.answer.count, start + count)
    for chunk in stride(from: start, to: end, by: 1024) {
      let bytes = web.answer[chunk..<min(end, chunk + 1024)]
      let mark = style == .sim7600 ? "+HTTPREAD: DATA," : "+HTTPREAD: "
      steps.append(.say(Array("\r\n\(mark)\(bytes.count)\r\n".utf8) + bytes))
    }
    return steps + line("+HTTPREAD: 0")
  }
}
