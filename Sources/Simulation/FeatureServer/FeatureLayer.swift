import FoundationEssentials

/// The layer of captures and its rows: the server's own book, by which a capture that came twice
/// shows, whatever the tracker believes.
struct FeatureLayer {
  struct Field {
    enum Kind: Equatable {
      case objectID, globalID
      case text(length: Int)
      case number, date
    }
    var name: String
    var kind: Kind
    /// Whether a client's value is taken; a GlobalID is, by `applyEdits` with `useGlobalIds` alone.
    var isEditable: Bool { kind != .objectID && kind != .globalID }
  }

  /// A capture as the server has it.
  struct Row: Sendable {
    /// The attribute `UUID`.
    var identifier: String
    /// With braces, in capitals.
    var globalID: String
    /// Web Mercator, metres.
    var x: Double
    var y: Double
    /// Milliseconds since 1970; `nil`: the tracker did not know.
    var time: Int64?
    /// The attribute `CodiEquip`.
    var device: String?
  }

  /// The most features of an answer (`maxRecordCount`).
  static let recordLimit = 2000

  /// In the order of their arrival; the object's number is the place, counted from 1.
  private(set) var rows: [Row] = []
  /// Captures that are there, each counted once.
  var received: Int { placesByIdentifier.count }
  /// Captures that arrived although they were there already.
  var duplicates: UInt32 { UInt32(rows.count - received) }

  let model: ServiceModel
  let fields: [Field]
  private(set) var placesByIdentifier: [String: [Int]] = [:]
  private(set) var placesByGlobalID: [String: Int] = [:]
  private let refused: Set<String>

  /// - Parameter refused: identifiers of captures that it will not have, in small letters.
  init(_ model: ServiceModel, refusing refused: [String]) {
    self.model = model
    self.refused = Set(refused)
    // The Trailwalker record: device code, team, battery in percent, time of capture, kind of
    // system, and the identifier that came later.
    let record: [Field] = [
      Field(name: "OBJECTID", kind: .objectID), Field(name: "CodiEquip", kind: .text(length: 50)),
      Field(name: "Equip", kind: .text(length: 100)), Field(name: "Bateria", kind: .number),
      Field(name: "Entrada", kind: .date), Field(name: "Tipus", kind: .text(length: 50)),
      Field(name: "UUID", kind: .text(length: 38)),
    ]
    fields = record + (model.takesGlobalIDs ? [Field(name: "GlobalID", kind: .globalID)] : [])
  }

  func field(_ name: some StringProtocol) -> Field? {
    fields.first { $0.name.lowercased() == name.lowercased() }
  }

  // MARK: Rows

  /// What became of one feature.
  struct Result {
    /// The object's number, or why it was refused.
    var verdict: Swift.Result<Int, EditError>
    var globalID: String?
    var isDone: Bool { if case .success = verdict { true } else { false } }
  }

  /// Adds what is right, all or part of it.
  mutating func add(
    _ features: [SubmittedFeature], keepsGlobalIDs: Bool, isAllOrNothing: Bool
  ) -> [Result] {
    let before = rows.count
    let results = features.map { add($0, keepsGlobalID: keepsGlobalIDs) }
    guard isAllOrNothing, results.contains(where: { !$0.isDone }) else { return results }
    while rows.count > before { removeLast() }
    return results.map { result in
      result.isDone
        ? Result(verdict: .failure(.rolledBack), globalID: result.globalID) : result
    }
  }

  private mutating func add(_ feature: SubmittedFeature, keepsGlobalID: Bool) -> Result {
    do throws(EditError) {
      let row = try row(feature, keepsGlobalID: keepsGlobalID)
      guard placesByGlobalID[row.globalID] == nil else {
        return Result(verdict: .failure(.notUnique), globalID: row.globalID)
      }
      rows.append(row)
      placesByGlobalID[row.globalID] = rows.count
      placesByIdentifier[row.identifier, default: []].append(rows.count)
      return Result(verdict: .success(rows.count), globalID: row.globalID)
    } catch {
      return Result(verdict: .failure(error))
    }
  }

  private mutating func removeLast() {
    let row = rows.removeLast()
    placesByGlobalID[row.globalID] = nil
    placesByIdentifier[row.identifier]?.removeLast()
    if placesByIdentifier[row.identifier] == [] { placesByIdentifier[row.identifier] = nil }
  }

  // MARK: Judgement of one feature

  private func row(_ feature: SubmittedFeature, keepsGlobalID: Bool) throws(EditError) -> Row {
    guard let point = feature.geometry, point.x.isFinite, point.y.isFinite,
      point.spatialReference.map({ [102_100, 3857].contains($0.wkid) }) ?? true
    else { throw .geometry }
    for field in fields where field.isEditable {
      try check(feature.attributes[field.name.lowercased()] ?? .null, field)
    }
    guard case .text(let identifier)? = feature.attributes["uuid"] else { throw .value("UUID") }
    if refused.contains(identifier.lowercased()) { throw .bad }
    var row = Row(
      identifier: identifier, globalID: Self.ownGlobalID(rows.count + 1), x: point.x, y: point.y)
    if case .number(let time)? = feature.attributes["entrada"] { row.time = Int64(time) }
    if case .text(let device)? = feature.attributes["codiequip"] { row.device = device }
    guard keepsGlobalID else { return row }
    guard case .text(let text)? = feature.attributes["globalid"] else { throw .missingGlobalID }
    guard let globalID = Self.normalGlobalID(text) else { throw .emptyGlobalID }
    row.globalID = globalID
    return row
  }

  private func check(_ value: SubmittedFeature.Value, _ field: Field) throws(EditError) {
    switch (field.kind, value) {
    case (_, .null), (.number, .number): return
    case (.text(let length), .text(let text)) where text.unicodeScalars.count <= length: return
    // The years 1 to 9999, as databases have them.
    case (.date, .number(-62_135_596_800_000...253_402_300_799_999)): return
    default: throw .value(field.name)
    }
  }

  /// `{0F8FAD5B-D9CB-469F-A165-70867728950E}`, however it was written.
  static func normalGlobalID(_ text: String) -> String? {
    let isBraced = text.hasPrefix("{") && text.hasSuffix("}")
    let bare = isBraced ? String(text.dropFirst().dropLast()) : text
    return UUID(uuidString: bare).map { "{\($0.uuidString)}" }
  }

  /// What the server itself gives a row: any number will do, and it must be the same in each run.
  private static func ownGlobalID(_ number: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return "{00000000-0000-4000-8000-\(String(repeating: "0", count: 12 - digits.count))\(digits)}"
  }
}
