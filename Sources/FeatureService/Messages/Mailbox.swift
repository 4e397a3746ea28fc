import Wording

/// The table of messages from the control room to trackers, beside the layer of captures: the room
/// adds rows, and a tracker that has fetched its own writes when (`Rebut`).
extension Layer {
  static let mailbox = Layer(
    id: 1, name: "Missatges", geometry: nil,
    fields: [
      Field(name: "OBJECTID", kind: .objectID),
      Field(name: "Desti", kind: .text(length: 50)),
      Field(name: "Numero", kind: .integer),
      Field(name: "Classe", kind: .text(length: 20)),
      Field(name: "Text", kind: .text(length: Bounds.messageCharacters)),
      Field(name: "Autor", kind: .text(length: 100)),
      Field(name: "Creat", kind: .date),
      Field(name: "Ordre", kind: .integer),
      Field(name: "Rebut", kind: .date),
    ], table: "message", isEditable: true)

  var isMailbox: Bool { table == "message" }

  /// As ArcGIS calls it.
  var typeName: String { geometry == nil ? "Table" : "Feature Layer" }
}

/// A tracker's confirmation that it has a message.
struct Confirmation: Sendable {
  var object: Int64
  /// Whose message it is, as the tracker knows.
  var device: String
  /// Milliseconds since 1970.
  var fetched: Int64

  /// Validates a change of the table.
  ///
  /// It names the row and its device, so that a row of another device is never hit by mistake.
  init(_ feature: IncomingFeature) throws(ItemError) {
    guard let attributes = feature.attributes, feature.geometry == .none else {
      throw .attributes
    }
    var byName: [String: IncomingFeature.Value] = [:]
    for (name, value) in attributes { byName[name.lowercased()] = value }
    guard case .integer(let object)? = byName["objectid"] else {
      throw .missing("it has no OBJECTID")
    }
    guard case .text(let device)? = byName["desti"] else {
      throw .missing("it has no Desti")
    }
    guard Set(byName.keys) == ["objectid", "desti", "rebut"],
      let field = Layer.mailbox.field("Rebut"), let value = byName["rebut"],
      case .integer(let fetched) = try field.stored(value)
    else { throw .confirmation }
    (self.object, self.device, self.fetched) = (object, device, fetched)
  }
}

extension ItemError {
  static let confirmation = ItemError(
    code: 1019, description: "A tracker may write Rebut of its own messages, and nothing else.")
  static let onlyTheRoom = ItemError(
    code: 1018, description: "Not allowed: \(FeatureServer.onlyTheRoom)")
}
