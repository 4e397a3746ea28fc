import Wording

/// The table of messages from the control room to trackers, beside the layer of captures: the room
/// adds rows, and a tracker that has fetched its own writes when (`Rebut`), and of an order what
/// became of it (`Resultat`).
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
      Field(name: "Fins", kind: .date),
      Field(name: "Resultat", kind: .text(length: Bounds.resultCharacters)),
      Field(name: "Captura", kind: .text(length: 40)),
    ], table: "message", isEditable: true)

  var isMailbox: Bool { table == "message" }

  /// As ArcGIS calls it.
  var typeName: String { geometry == nil ? "Table" : "Feature Layer" }
}

/// A tracker's confirmation that it has a message, or its word on an order.
struct Confirmation: Sendable {
  var object: Int64
  /// Whose message it is, as the tracker knows.
  var device: String
  /// Milliseconds since 1970; `nil`: there is more to come.
  var fetched: Int64?
  /// What became of an order.
  var result: String?

  /// Validates a change of the table.
  ///
  /// It names the row and its device, so that a row of another device is never hit by mistake.
  init(_ feature: IncomingFeature) throws(ItemError) {
    guard let byName = feature.byName, feature.geometry == .none else { throw .attributes }
    guard case .integer(let object)? = byName["objectid"] else {
      throw .missing("it has no OBJECTID")
    }
    guard case .text(let device)? = byName["desti"] else {
      throw .missing("it has no Desti")
    }
    guard Set(byName.keys).isSubset(of: ["objectid", "desti", "rebut", "resultat"]) else {
      throw .confirmation
    }
    (self.object, self.device) = (object, device)
    if case .integer(let date)? = try Self.stored("Rebut", in: byName) { fetched = date }
    if case .text(let text)? = try Self.stored("Resultat", in: byName) { result = text.plain }
    if fetched == nil && result == nil { throw .confirmation }
  }

  private static func stored(
    _ name: String, in values: [String: IncomingFeature.Value]
  ) throws(ItemError) -> StoredValue? {
    guard let field = Layer.mailbox.field(name), let value = values[name.lowercased()] else {
      return nil
    }
    return try field.stored(value)
  }
}

extension ItemError {
  static let confirmation = ItemError(
    code: 1019,
    description: "A tracker may write Rebut and Resultat of its own messages, and nothing else.")
  static let onlyTheRoom = ItemError(
    code: 1018, description: "Not allowed: \(FeatureServer.onlyTheRoom)")
}
