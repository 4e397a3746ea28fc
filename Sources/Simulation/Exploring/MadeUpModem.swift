import TrackerCore

/// Makes up scripts of modems that misbehave: slow answers, lines that nobody asked for, errors,
/// silence, starts and ends by themselves. All ranges are assumptions.
enum MadeUpModem {
  private static let traits = ["continues", "interrupts", "tight", "numeric", "quiet", "chunked"]

  private static let commands = [
    "AT", "ATV1", "AT+CMEE=1", "AT+CPIN?", "AT+SPIC", "AT+CSQ", "AT+CBC", "AT+COPS?", "AT+CIMI",
    "AT+CGSN", "AT+CREG?;+CGREG?;+CEREG?", "AT+CREG?;+CGREG?", "AT+CREG?", "AT+CGREG?",
    "AT+CEREG?", "AT+CFUN=1", "AT+CFUN=4", "AT+CFUN=0", "AT+CPOF", "AT+CRESET", "AT+CNMI=*",
    "AT+CMGF=*", "AT+CMGS=*", "AT+HTTPINIT", "AT+HTTPPARA=*", "AT+HTTPACTION=*", "AT+HTTPREAD*",
  ]

  private static let answers = [
    [], ["< ERROR"], ["< OK"], ["< OK", "< OK"], ["< RDY"], ["! mute"], ["! reboot"], ["! off"],
    ["< +CME ERROR: 3"], ["< +CME ERROR: 10"], ["< +CME ERROR: 14"], ["< +CME ERROR: 100"],
    ["wait 3 s", "< OK"], ["wait 12 s", "< OK"], ["<< \\xFF\\x00\\x80"],
    ["< +CPIN: READY", "< OK"],
    ["< +CREG: 0,3", "< OK"], ["< +CREG: 0,5", "< +CGREG: 0,5", "< OK"], ["< OK", "! set odd"],
    ["later 3 s RING", "< OK"], ["< +HTTPACTION: 1,706,0", "< OK"], ["< OK", "! clear odd"],
    ["< OK", "wait 2 s", "< +HTTPACTION: 1,200,0"], ["< OK", "wait 2 s", "< +HTTPACTION: 1,601,0"],
  ]

  /// What it does by itself some time after its start.
  private static let happenings = [
    "! mute", "! reboot", "! off", "! set noNetwork", "! clear noNetwork", "! set odd",
    "! set odd", "! clear odd", "! set noSIM", "! clear noSIM", "! set locked", "! clear locked",
    "! set noRoute", "! clear noRoute", "! baud 9600", "! baud 115200", "+CREG: 0", "+CREG: 1",
    "+CGEV: NW DETACH", "RING", "SMS FULL", "OK", "ERROR", "+CPIN: NOT READY", "+CPIN: READY",
    "+SIMCARD: NOT AVAILABLE", "NORMAL POWER DOWN", "RDY", "every 7 s +CSQ: 9,99",
    "<< \\x00\\xFF",
  ]

  /// - Parameter family: one that is built in.
  static func script(like family: String, _ random: inout SeededGenerator) -> ModemScript {
    .builtIn(text(like: family, &random), "made up")
  }

  private static func text(like family: String, _ random: inout SeededGenerator) -> String {
    var lines = ["like \(family)"]
    if random.once(in: 3) { lines.append("search takes \(random.whole(in: 1...150)) s") }
    if random.once(in: 4) {
      lines.append("answers take \(random.pick(from: [300, 1000, 3000, 7000])) ms")
    }
    if random.once(in: 3) { lines.append("is \(random.pick(from: traits))") }
    for _ in 0..<random.whole(in: 0...3) { lines += boot(&random) }
    for _ in 0..<random.whole(in: 0...4) { lines += block(&random) }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func boot(_ random: inout SeededGenerator) -> [String] {
    let ready = random.whole(in: 1...40)
    var lines = ["at boot", "0 ms ! set starting"]
    if !random.once(in: 6) { lines.append("\(ready) s RDY") }
    lines.append("\(ready) s ! clear starting")
    if !random.once(in: 4) { lines.append("\(ready + 1) s +CPIN: READY if sim") }
    for _ in 0..<random.whole(in: 0...3) {
      lines.append("\(ready + random.whole(in: 0...180)) s \(random.pick(from: happenings))")
    }
    return lines
  }

  private static func block(_ random: inout SeededGenerator) -> [String] {
    let when = random.pick(from: ["", " if odd", " if odd", " if not odd"])
    let command = "> \(random.pick(from: commands))\(when)"
    return (0..<random.whole(in: 1...2)).flatMap { _ in
      [command] + random.pick(from: answers)
    }
  }
}

extension ModemScript {
  /// Whether it behaves like its family, but for its own pace or how it puts its lines, so that it
  /// has to deliver. Who answers late and not in words is not reached: the tracker asks on at the
  /// next rate before. With 7 s for each answer a request by the modem's own commands takes too
  /// long.
  var isOrderly: Bool {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    let isLate = lines.contains { $0.first == "answers" }
    let isWordless = lines.contains { $0 == ["is", "quiet"] || $0 == ["is", "numeric"] }
    let starts = lines.count { $0.suffix(2) == ["set", "starting"] }
    return lines.contains { $0.first == "like" } && !(isLate && isWordless)
      && starts == lines.count { $0.suffix(2) == ["clear", "starting"] }
      && lines.allSatisfy { Self.isOrderly($0) }
  }

  private static func isOrderly(_ words: [Substring]) -> Bool {
    let first = words.first ?? "#"
    switch first {
    case "like", "search", "is", "at", "#": return true
    case "answers": return words.count == 4 && (Int(words[2]) ?? 0) <= 3000 && words[3] == "ms"
    default:
      // Within the time that boards grant for a start.
      guard let time = Int(first), time <= 200, !words.contains("every") else { return false }
      // It has its SIM, whatever it says.
      if words.contains("NOT") { return false }
      return !words.contains("!") || words.last == "starting" && time <= 20
    }
  }
}
