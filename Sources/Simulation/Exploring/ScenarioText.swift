import FeatureService
import TrackerCore
import Uplink

extension Scenario {
  /// The file beside that of `text` with its modem's script.
  public static let scriptName = "modem.script"

  /// A scenario file with this content.
  public var text: String {
    var sections: [(key: String, text: String)] = []
    func add(_ key: String, _ lines: [String]) {
      if lines.isEmpty { return }
      sections.append((key, "[\n" + lines.map { "    \($0),\n" }.joined() + "  ]"))
    }
    func add(_ key: String, members: [String]) {
      if !members.isEmpty { sections.append((key, "{ \(members.joined(separator: ", ")) }")) }
    }
    add("coverage", windows(coverage) { "kind: \"\($0)\"" })
    add("server", windows(server) { $0.scenarioText })
    add("service", members: service.members)
    if !badCaptures.isEmpty {
      sections.append(("badCaptures", "[\(badCaptures.map { "\($0)" }.joined(separator: ", "))]"))
    }
    add("receiver", windows(receiver) { "fault: \"\($0)\"" })
    add("modem", windows(modem) { "fault: \"\($0)\"" })
    if modemScript != nil { sections.append(("modemScript", "\"\(Self.scriptName)\"")) }
    add(
      "sim",
      members: [("pin", sim.pin), ("secret", sim.secret)].compactMap { key, digits in
        digits.map { "\(key): \"\($0)\"" }
      })
    add(
      "store",
      windows(store) { fault in
        if case .slow(let delay) = fault {
          "fault: \"slow\", delay: \(Self.text(delay))"
        } else {
          "fault: \"full\""
        }
      })
    add("battery", members: batteryMembers)
    add(
      "commands",
      commands.map { "{ at: \(Self.text($0.at)), command: \($0.command.scenarioText) }" })
    add("network", members: network.members)
    add("restarts", restarts.map(\.scenarioText))
    add(
      "reloads",
      reloads.map {
        "{ at: \(Self.text($0.at)), settings: \(Self.text(settings: $0.settings)) }"
      })
    add(
      "clock",
      clock.map { jump in
        let way = jump.by < 0 ? "back" : "forward"
        let by = jump.by < 0 ? 0 - jump.by : jump.by
        return "{ at: \(Self.text(jump.at)), \(way): \(Self.text(duration: by)) }"
      })
    add(
      "people",
      people.map { writing in
        let text = writing.kind.word == "answer" ? "\(writing.kind)" : writing.text
        return "{ at: \(Self.text(writing.at)), \(writing.kind.word): \"\(text)\" }"
      })
    return "{\n" + sections.map { "  \($0.key): \($0.text),\n" }.joined() + "}\n"
  }

  private var batteryMembers: [String] {
    var members: [String] = []
    if batteryStartPercent != 100 { members.append("start: \"\(batteryStartPercent) %\"") }
    if weakCellPercent != 100 { members.append("weakCell: \"\(weakCellPercent) %\"") }
    let celsius = windows(batteryCelsius) { "celsius: \"\($0) °C\"" }
    if !celsius.isEmpty { members.append("temperature: [\(celsius.joined(separator: ", "))]") }
    return members
  }

  private func windows<Content>(
    _ track: [Window<Content>], _ content: (Content) -> String
  ) -> [String] {
    track.map { window in
      let to = window.to.map { "to: \(Self.text($0)), " } ?? ""
      return "{ from: \(Self.text(window.from)), \(to)\(content(window.content)) }"
    }
  }

  /// `"1:20:03"`, or `"1500 ms"` where that is no number of seconds.
  static func text(_ time: Milliseconds) -> String {
    if time.count % 1000 == 0, time < .hours(1000) { return "\"\(clockText(time))\"" }
    return "\"\(time.count) ms\""
  }

  static func text(settings: [String]) -> String {
    "[\(settings.map { "'\($0)'" }.joined(separator: ", "))]"
  }

  static func text(duration: Milliseconds) -> String {
    duration.count % 1000 == 0 ? "\"\(duration.count / 1000) s\"" : "\"\(duration.count) ms\""
  }
}

extension ServiceModel {
  fileprivate var members: [String] {
    var members: [String] = []
    if kind != .featureServer { members.append("kind: \"\(kind.rawValue)\"") }
    if !takesGlobalIDs { members.append("globalIDs: false") }
    if !keepsPartOfRequest { members.append("partialEdits: false") }
    if let tokenLife { members.append("tokens: \(Scenario.text(duration: tokenLife))") }
    return members
  }
}

extension NetworkModel {
  fileprivate var members: [String] {
    var members: [String] = []
    if let latency { members.append("latency: \(Scenario.text(duration: latency))") }
    if bytesPerSecond != NetworkModel().bytesPerSecond {
      members.append("bytesPerSecond: \(bytesPerSecond)")
    }
    if let registration { members.append("registration: \(Scenario.text(duration: registration))") }
    return members
  }
}

extension Command {
  /// Its name in a scenario.
  var scenarioText: String {
    switch self {
    case .raiseEmergency: "\"emergency\""
    case .withdrawEmergency: "\"emergencyOver\""
    case .setTeam(let team): "{ setTeam: \"\(team.text)\" }"
    // A test is the console's own, and in no scenario.
    case .start, .stop, .captureNow, .sendNow, .unsetTeam, .askForCall, .endCallRequest, .tryPIN,
      .test:
      "\"\(self)\""
    }
  }
}

extension Fault {
  fileprivate var scenarioText: String {
    var members: [String]
    switch kind {
    case .http(let status, let retryAfter):
      members = ["fault: \"http\", status: \(status)"]
      if let retryAfter { members.append("retryAfter: \(Scenario.text(duration: retryAfter))") }
    case .httpAfter(let status): members = ["fault: \"httpAfter\", status: \(status)"]
    case .late(let delay): members = ["fault: \"late\", delay: \(Scenario.text(duration: delay))"]
    case .rejectRequest(let code): members = ["fault: \"rejectRequest\", code: \(code)"]
    case .refuse, .dead, .reset, .timeout, .loseAcknowledgement, .cutAnswer, .unauthorised,
      .portal, .partial:
      members = ["fault: \"\(kind)\""]
    }
    switch occasion {
    case .always: break
    case .every(let number): members.append("every: \(number)")
    case .probability(let percent): members.append("probability: \"\(Int(percent)) %\"")
    }
    if target != .all { members.append("on: \"\(target.rawValue)\"") }
    if let above { members.append("above: \(above)") }
    return members.joined(separator: ", ")
  }
}
