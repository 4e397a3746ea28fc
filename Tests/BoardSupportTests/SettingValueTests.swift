import Foundation
import Testing
import TrackerCore

@testable import BoardSupport

/// The list of settings and what reads a configuration file say the same.
@Suite struct SettingValueTests {
  private let again: Comment = "repeat with: swift test --filter SettingValueTests"

  /// A file in which a key has this value; what else it needs is there.
  private func file(_ path: String, _ value: String) -> String {
    var members = ["store: 's'", "finish: '2027-04-18T12:00:00Z'"]
    var capture = "policy: 'standard'"
    var server = ["kind: 'arcgis'", "address: 'http://host/FeatureServer/0'"]
    var network: [String] = []
    let key = path.split(separator: ".").last.map(String.init) ?? ""
    let member = "\(key): \(value)"
    switch path {
    case "capture.every": capture = "policy: 'route', \(member)"
    case "capture.policy": capture = member + (value == "'route'" ? ", every: '1 km'" : "")
    // It must not be shorter than the interval.
    case "capture.heartbeat" where value != "'30 min'": capture += ", interval: '1 s', \(member)"
    case _ where path.hasPrefix("capture."): capture += ", \(member)"
    case _ where path.hasPrefix("transmit."): members.append("transmit: { \(member) }")
    case _ where path.hasPrefix("server.fields."): server.append("fields: { \(member) }")
    case "server.kind": server[0] = member
    case "server.address": server[1] = member
    case _ where path.hasPrefix("server."): server.append(member)
    case "network.up", "network.down": network = ["interface: 'ppp0'", member]
    case _ where path.hasPrefix("network."): network = [member]
    case "store": members[0] = member
    case "finish", "finishAfter": members[1] = member
    case "textAfter": members += [member, "textTo: '+34600000000'"]
    case "textTo": members += [member, "textAfter: '6 h'"]
    default: members.append(member)
    }
    if value == "'owntracks'" { server.append("user: 't7'") }
    members.append("capture: { \(capture) }")
    members.append("server: { \(server.joined(separator: ", ")) }")
    members.append("network: { \(network.joined(separator: ", ")) }")
    return "{ \(members.joined(separator: ", ")) }"
  }

  private func read(_ text: String) throws -> (core: ConfigurationFile, daemon: DaemonSettings) {
    let root = try Fixture.root(text)
    return (try ConfigurationFile(root), try DaemonSettings(root))
  }

  @Test(arguments: Settings.all)
  func `Each key of the list is read`(_ setting: Setting) {
    let error = #expect(throws: FileError.self, again) {
      _ = try read(file(setting.path, "[[]]"))
    }
    #expect(
      error?.keyPath.hasPrefix(setting.path) == true, "\(error.map { "\($0)" } ?? ""); \(again)")
  }

  @Test(arguments: [
    ("course", "/etc/trailtracker/course.geojson"), ("control", "/run/trailtracker/control"),
    ("store", "/var/lib/trailtracker/captures.db"), ("modemPort", "/dev/ttyUSB2"),
  ])
  func `A path that is none is told with an example of its own`(key: String, example: String) {
    let error = #expect(throws: FileError.self, again) { _ = try read(file(key, "5")) }
    #expect("\(error as Any)".contains(example), "\(error as Any); \(again)")
  }

  @Test(arguments: Settings.all)
  func `What the list says of a key is what is taken`(_ setting: Setting) throws {
    switch setting.form {
    case .quantity(let dimension, let range, _):
      for value in [range.lowerBound, range.upperBound] {
        _ = try read(file(setting.path, "'\(dimension.text(value))'"))
      }
      for value in [range.lowerBound - 1, range.upperBound + 1] {
        let unit = dimension.units.last { $0.divisor == 1 }?.symbols[0] ?? ""
        #expect(throws: FileError.self, "\(setting.path) \(value); \(again)") {
          _ = try read(file(setting.path, "'\(value) \(unit)'"))
        }
      }
    case .choice(let words):
      for word in words {
        _ = try read(file(setting.path, "'\(word)'").replacing("fields: {}", with: ""))
      }
    case .boolean:
      for word in ["true", "false"] { _ = try read(file(setting.path, word)) }
    case .text: break
    }
  }

  // What the default of mayActFor is the courier knows; its test is the daemon's.
  @Test(arguments: Settings.all.filter { !$0.standard.isEmpty && $0.path != "server.mayActFor" })
  func `A default that is written out changes nothing`(_ setting: Setting) throws {
    let standard = setting.standard
    var written = try read(file(setting.path, standard == "true" ? standard : "'\(standard)'"))
    // That it is written prevails over the board's own default, or over the environment.
    written.core.receiverUse = nil
    written.core.language = nil
    let plain = try read(file("store", "'s'"))
    #expect(written.core == plain.core, "\(setting.path); \(again)")
    #expect(written.daemon.gathering == plain.daemon.gathering, again)
    #expect(written.daemon.server.kind == plain.daemon.server.kind, again)
  }

  @Test func `The README has the reference that trackerd prints`() throws {
    let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/trackerd/README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    let block = Settings.reference.split(separator: "\n").map { "    \($0)\n" }.joined()
    #expect(
      text.contains(block), "put the lines of trackerd --settings there, indented; \(again)")
    #expect(block.split(separator: "\n").allSatisfy { $0.count <= 80 }, again)
  }
}
