import SQL
public import TrackerCore
import Wording

/// A capture that is on disk, for a log and for whoever watches the race.
public struct TakenCapture: Sendable, Equatable {
  public var objectID: Int64
  /// The attributes as the client sent them, of up to 100 characters.
  public var device: String?
  public var team: String?
  /// When it was taken, in milliseconds since 1970.
  public var moment: Int64?
  /// When it was stored; of a capture of an earlier version, when it was taken.
  public var arrived: UTC?
  /// The capture's own identifier.
  public var id: UniqueID?
  public var position: Coordinate?
  public var batteryPercent: Double?
  /// The name of the reason for which it was taken.
  public var trigger: String?
  /// The latest time at which the tracker promised to make contact again.
  public var promise: UTC?
  /// Why it will be silent, if it said so.
  public var silence: String?
  /// The tracker's sequence number, without gaps.
  public var sequence: UInt32?
  /// How far the position may be off, metres.
  public var accuracyMetres: Int64?
}

extension TakenCapture {
  /// - Parameter columns: what the feature's values are of.
  /// - Returns: `nil` if it was refused.
  init?(_ feature: Result<NewFeature, ItemError>, _ result: ItemResult, _ columns: [String]) {
    guard case .success(let new) = feature, case .done(let number) = result.outcome else {
      return nil
    }
    objectID = number
    position = new.place?.coordinate
    for (column, value) in zip(columns, new.values) { take(value, of: column) }
  }

  mutating func take(_ value: StoredValue, of column: String) {
    switch (column, value) {
    case ("CodiEquip", .text(let text)): device = text
    case ("Equip", .text(let text)): team = text
    case ("Bateria", .number(let number)): batteryPercent = number
    case ("Entrada", .integer(let number)): moment = number
    case ("UUID", .text(let text)): id = UniqueID(text: text)
    case ("Motiu", .text(let text)): trigger = text
    case ("ProperContacte", .integer(let number)): promise = UTC(milliseconds: number)
    case ("Silenci", .text(let text)): silence = text
    case ("Ordre", .integer(let number)): sequence = UInt32(exactly: number)
    case ("Precisio", .integer(let number)): accuracyMetres = number
    default: break
    }
  }
}

extension FeatureStore {
  /// The captures after an object, in the order in which they were stored.
  func captures(after object: Int64, atMost count: Int) throws -> [TakenCapture] {
    try withEngine { engine in
      let rows = try engine.database.prepare(
        """
        SELECT \(TakenCapture.list), OBJECTID, coalesce(arrived, Entrada)
        FROM capture WHERE OBJECTID > ? ORDER BY OBJECTID LIMIT ?
        """, isKept: true)
      try rows.bind(object, at: 1)
      try rows.bind(Int64(count), at: 2)
      let next = TakenCapture.count
      var captures: [TakenCapture] = []
      while try rows.step() {
        var capture = TakenCapture(objectID: rows.integer(next), rows)
        capture.arrived = rows.isNull(next + 1) ? nil : UTC(milliseconds: rows.integer(next + 1))
        captures.append(capture)
      }
      return captures
    }
  }
}

/// The columns that stored and refused captures have, and what is in them.
extension TakenCapture {
  private static let attributes = [
    "CodiEquip", "Equip", "UUID", "Motiu", "Silenci", "Entrada", "ProperContacte", "Bateria",
    "Ordre", "Precisio",
  ]
  /// Those, and the place.
  static let columns = attributes + ["x", "y"]
  static var count: Int32 { Int32(columns.count) }
  static let list = columns.joined(separator: ", ")

  /// - Parameter row: begins with the columns.
  init(objectID: Int64, _ row: any SQLStatement) {
    self.objectID = objectID
    for (index, column) in Self.attributes.enumerated() {
      let place = Int32(index)
      if row.isNull(place) { continue }
      switch column {
      case "Entrada", "ProperContacte", "Ordre", "Precisio":
        take(.integer(row.integer(place)), of: column)
      case "Bateria": take(.number(row.double(place)), of: column)
      default: take(.text(row.text(place)), of: column)
      }
    }
    let (x, y) = (Self.count - 2, Self.count - 1)
    if !row.isNull(x), !row.isNull(y) {
      position = Place(x: row.double(x), y: row.double(y)).coordinate
    }
  }

  /// Binds the values of the columns to a statement's first parameters.
  func bind(to statement: any SQLStatement) throws(SQLError) {
    let place = position.flatMap {
      Projection.degrees.place(x: Double($0.longitude) / 1e7, y: Double($0.latitude) / 1e7)
    }
    for (index, column) in Self.columns.enumerated() {
      let value: StoredValue? =
        switch column {
        case "CodiEquip": device.map { .text($0) }
        case "Equip": team.map { .text($0) }
        case "UUID": id.map { .text($0.lowercaseText) }
        case "Motiu": trigger.map { .text($0) }
        case "Silenci": silence.map { .text($0) }
        case "Entrada": moment.map { .integer($0) }
        case "ProperContacte": promise.map { .integer($0.milliseconds) }
        case "Bateria": batteryPercent.map { .number($0) }
        case "Ordre": sequence.map { .integer(Int64($0)) }
        case "Precisio": accuracyMetres.map { .integer($0) }
        case "x": place.map { .number($0.x) }
        default: place.map { .number($0.y) }
        }
      try statement.bind(value ?? .null, at: Int32(index) + 1)
    }
  }
}

// MARK: - Whose it is

/// Who sends captures: a device by its code, or a team whose device gives none.
///
/// Its text is what the control room, its diary and its commands call the sender by. No other
/// sender has it: a device whose code could be taken for another text is called `device CODE`.
public enum CaptureSender: Sendable, Equatable {
  case device(String)
  case team(String)

  private static let ofTeam = "team "
  private static let ofDevice = "device "

  /// - Parameter device: its code; empty or `nil`: it gives none.
  public init(device: String?, team: String?) {
    if let device, !device.isEmpty { self = .device(device) } else { self = .team(team ?? "") }
  }

  public init(_ text: String) {
    if let team = text.after(Self.ofTeam) {
      self = .team(team)
    } else {
      self = .device(text.after(Self.ofDevice) ?? text)
    }
  }

  public var text: String {
    switch self {
    case .team(let name): Self.ofTeam + name
    case .device(let code):
      code.after(Self.ofTeam) == nil && code.after(Self.ofDevice) == nil
        ? code : Self.ofDevice + code
    }
  }

  /// The same of a row, in SQL.
  static let sql = """
    CASE WHEN coalesce(CodiEquip, '') = '' THEN '\(ofTeam)' || coalesce(Equip, '')
      WHEN substr(CodiEquip, 1, \(ofTeam.utf8.count)) = '\(ofTeam)'
        OR substr(CodiEquip, 1, \(ofDevice.utf8.count)) = '\(ofDevice)'
      THEN '\(ofDevice)' || CodiEquip ELSE CodiEquip END
    """
}

extension String {
  /// What follows after a prefix, compared byte by byte as SQLite does; `nil`: it begins otherwise.
  fileprivate func after(_ prefix: String) -> String? {
    guard utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}

extension TakenCapture {
  public var sender: CaptureSender { CaptureSender(device: device, team: team) }
}

extension FeatureServer {
  /// The captures after an object, in the order in which they were stored.
  public func captures(after object: Int64, atMost count: Int) throws -> [TakenCapture] {
    try store.captures(after: object, atMost: count)
  }
}

extension Place {
  /// In the tracker's units.
  var coordinate: Coordinate {
    let (longitude, latitude) = Projection.degrees.project(self)
    return Coordinate(
      latitude: Int32((latitude * 1e7).rounded()), longitude: Int32((longitude * 1e7).rounded()))
  }
}
