import BoardSupport
import MachineAccess
import Testing
import TrackerCore
import Uplink

/// The attributes that a tracker's settings name are those that its dialogue asks a layer for.
@Suite struct AttributeSettingsTests {
  private let again: Comment = "repeat with: swift test --filter AttributeSettingsTests"

  private struct NoEnd: Error {}

  /// What is said of a layer with only the attributes of the race.
  private func check(_ fields: String) throws -> (outcome: UplinkOutcome, problem: String) {
    let text =
      "{ store: 's', server: { address: 'https://host/x/FeatureServer/0', fields: {\(fields)} } }"
    let settings = try DaemonSettings(try FileNode.parse(Array(text.utf8), path: ""))
    var dialogue = try AnyDialogue(settings.server, nil)
    let now = UTC(milliseconds: 1_780_000_000_000)
    _ = dialogue.begin(.check, at: now)
    let known = ["CodiEquip", "Equip", "Bateria", "Entrada", "Tipus", "UUID"]
    let list = known.map { #"{"name":"\#($0)","type":"esriFieldTypeString"}"# }
    let layer = #"{"fields":[\#(list.joined(separator: ","))]}"#
    let reply = HTTPReply.response(status: 200, headers: [], body: Array(layer.utf8))
    guard case .done(let result) = dialogue.receive(reply, at: now) else { throw NoEnd() }
    return (result.outcome, result.problem?.english ?? "")
  }

  @Test(arguments: ServerSettings.Field.allCases)
  func `A layer must have an attribute that the settings name`(
    _ field: ServerSettings.Field
  ) throws {
    let (outcome, problem) = try check("\(field): 'Seu'")
    #expect(outcome != .ready && problem.contains("has no field Seu"), "\(problem); \(again)")
  }

  @Test(arguments: [ServerSettings.Field.nextContact, .silence, .trigger])
  func `An attribute for the control room is missed under its usual name, unless it is off`(
    _ field: ServerSettings.Field
  ) throws {
    let name = try #require(field.usualName)
    let (outcome, problem) = try check("")
    #expect(outcome == .ready && problem.contains("\(name) ("), "\(problem); \(again)")
    let without = try check("\(field): false")
    #expect(without.outcome == .ready && !without.problem.contains(name), "\(without); \(again)")
  }
}
