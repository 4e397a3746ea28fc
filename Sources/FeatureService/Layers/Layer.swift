import Wording

/// A layer of a service, or a table, which is a layer without geometry: its name, its fields, and
/// where they are stored.
struct Layer: Sendable {
  enum Geometry: String, Sendable {
    case point = "esriGeometryPoint"
    case line = "esriGeometryPolyline"
  }

  var id: Int
  var name: String
  /// `nil`: its rows have none.
  var geometry: Geometry?
  var fields: [Field]
  /// A table or view with a column for each field, and `x` and `y`, or `path` for lines.
  var table: String
  var isEditable = false
  /// Whether an edit can keep some of its features and refuse others.
  var keepsPartOfEdit = true

  /// The columns of its rows' geometry; `nil`: they have none.
  var geometryColumns: String? {
    switch geometry {
    case .point: "x, y"
    case .line: "path"
    case nil: nil
    }
  }

  /// Whether it is a part of the course, not of the captures.
  var isOfCourse: Bool { table == "checkpoint" || table == "stage" }
  var objectIDField: String { "OBJECTID" }
  var globalIDField: String? { fields.first { $0.kind == .globalID }?.name }

  /// The field that says when.
  var timeField: String? { fields.first { $0.kind == .date }?.name }

  /// The field with that name, regardless of case.
  func field(_ name: some StringProtocol) -> Field? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }
  }
}

/// A service: a name in the address and its layers.
struct Service: Sendable {
  enum Kind: String, Sendable {
    case feature = "FeatureServer"
    case map = "MapServer"
  }

  var name: String
  var kind: Kind
  var about: PagePhrase
  var layers: [Layer]
  /// Layers without geometry.
  var tables: [Layer] = []

  /// For programs.
  var summary: String { about.text(in: .english) }

  /// What a client may do, in ArcGIS's words.
  func capabilities(_ access: Access, of layer: Layer? = nil) -> String {
    if layer?.isNotes ?? false || layer?.isHistory ?? false { return "Create,Query" }
    // Its rows are made by the control room alone.
    if layer?.isMailbox ?? false { return "Query,Update,Editing" }
    return switch (kind, access) {
    case (.feature, .user): "Create,Query"
    case (.feature, .owner): "Create,Delete,Query,Update,Editing"
    case (.map, _): "Map,Query,Data"
    }
  }
}

/// The services that were used in the race.
struct Catalogue: Sendable {
  var services: [Service]

  /// - Parameters:
  ///   - hasGlobalIDs: whether the layer of captures has GlobalIDs and accepts them.
  ///   - hasCourseFields: whether it has fields for where on the course a capture was taken.
  init(hasGlobalIDs: Bool, keepsPartOfEdit: Bool, hasCourseFields: Bool) {
    let captures = Layer(
      id: 0, name: "TrailWalker", geometry: .point,
      fields: Self.captureFields(hasGlobalIDs: hasGlobalIDs, hasCourseFields), table: "capture")
    var editable = captures
    editable.isEditable = true
    editable.keepsPartOfEdit = keepsPartOfEdit
    var latest = captures
    latest.name = "UltimaEntrada"
    latest.table = "latest"
    services = [
      Service(
        name: "TrailWalker", kind: .feature, about: .capturesAndNew,
        layers: [editable], tables: [.mailbox, .notes, .history]),
      Service(name: "TrailWalker", kind: .map, about: .captures, layers: [captures]),
      Service(
        name: "UltimaEntrada", kind: .map, about: .latest,
        layers: [latest]),
      Service(
        name: "rutes", kind: .map, about: .course, layers: [Self.checkpoints, Self.stages]),
    ]
  }

  /// What a new capture has values for, in order (`NewFeature.values`).
  var captureColumns: [String] { services[0].layers[0].fields.filter(\.isEditable).map(\.name) }

  func service(_ name: String, _ kind: String) -> Service? {
    services.first { $0.name == name && $0.kind.rawValue == kind }
  }

  /// The fields of the Trailwalker layer: device code, team, battery in percent, time of capture,
  /// kind of system; and those added later: the identifier, the trigger, the latest time of the
  /// next contact, why the tracker will be silent, the sequence number, and how far the position
  /// may be off, in metres.
  private static func captureFields(hasGlobalIDs: Bool, _ hasCourseFields: Bool) -> [Field] {
    let fields = [
      Field(name: "OBJECTID", kind: .objectID),
      Field(name: "CodiEquip", kind: .text(length: 50)),
      Field(name: "Equip", kind: .text(length: 100)),
      Field(name: "Bateria", kind: .number),
      Field(name: "Entrada", kind: .date),
      Field(name: "Tipus", kind: .text(length: 50)),
      Field(name: "UUID", kind: .text(length: 38)),
      Field(name: "Motiu", kind: .text(length: 50)),
      Field(name: "ProperContacte", kind: .date),
      Field(name: "Silenci", kind: .text(length: 50)),
      Field(name: "Ordre", kind: .integer),
      Field(name: "Precisio", kind: .integer),
    ]
    return fields + (hasCourseFields ? courseFields : [])
      + (hasGlobalIDs ? [Field(name: "GlobalID", kind: .globalID)] : [])
  }

  /// Metres done and to go, place.
  private static let courseFields = [
    Field(name: "Fets", kind: .integer), Field(name: "PerFer", kind: .integer),
    Field(name: "Lloc", kind: .text(length: 100)),
  ]

  private static let checkpoints = Layer(
    id: 0, name: "checkpoints", geometry: .point,
    fields: [
      Field(name: "OBJECTID", kind: .objectID), Field(name: "Nom", kind: .text(length: 100)),
      Field(name: "Altitud", kind: .number),
    ], table: "checkpoint")

  private static let stages = Layer(
    id: 1, name: "stages", geometry: .line,
    fields: [
      Field(name: "OBJECTID", kind: .objectID), Field(name: "Nom", kind: .text(length: 200)),
    ], table: "stage")
}

/// A column of a layer, as its metadata describes it.
struct Field: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case objectID
    case globalID
    /// Up to `length` characters.
    case text(length: Int)
    case integer
    case number
    /// Milliseconds since 1970.
    case date
  }

  var name: String
  var kind: Kind

  var isNullable: Bool { kind != .objectID && kind != .globalID }
  /// Whether clients may set the value. A GlobalID can only be set by `applyEdits` with
  /// `useGlobalIds`.
  var isEditable: Bool { isNullable }

  var typeName: String {
    switch kind {
    case .objectID: "esriFieldTypeOID"
    case .globalID: "esriFieldTypeGlobalID"
    case .text: "esriFieldTypeString"
    case .integer: "esriFieldTypeInteger"
    case .number: "esriFieldTypeDouble"
    case .date: "esriFieldTypeDate"
    }
  }

  private var length: Int64? {
    switch kind {
    case .globalID: 38
    case .text(let length): Int64(length)
    // Esri gives 8 for dates, their size in a file geodatabase. Older versions of GDAL read dates
    // as text, and warn of each that has more than 8 characters; no reader needs it.
    case .date, .objectID, .integer, .number: nil
    }
  }

  /// Its entry in `fields`.
  ///
  /// - Parameter isEditableLayer: whether the layer accepts edits at all.
  func description(isEditableLayer: Bool) -> JSON {
    var members: [(String, JSON)] = [
      ("name", .text(name)), ("type", .text(typeName)), ("alias", .text(name)),
      ("sqlType", "sqlTypeOther"),
    ]
    if let length { members.append(("length", .integer(length))) }
    members += [
      ("nullable", .boolean(isNullable)), ("editable", .boolean(isEditable && isEditableLayer)),
      ("domain", .null), ("defaultValue", .null),
    ]
    return .object(members)
  }
}
