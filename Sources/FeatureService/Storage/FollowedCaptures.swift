import SQL
public import TrackerCore
import Wording

/// A capture that another server has, to be stored here, too.
public struct ForeignCapture: Sendable, Equatable {
  public var id: UniqueID
  /// Its number there.
  public var object: Int64
  public var position: Coordinate?
  /// When the other server got it; `nil`: it is not known.
  public var arrived: UTC?
  public var device: String?
  public var team: String?
  public var batteryPercent: Int64?
  public var moment: UTC?
  /// The kind of system that it comes from.
  public var kind: String?
  public var trigger: String?
  public var promise: UTC?
  public var silence: String?
  /// The tracker's sequence number.
  public var sequence: Int64?
  public var doneMetres: Int64?
  public var toGoMetres: Int64?
  public var place: String?
  public var accuracyMetres: Int64?

  public init(id: UniqueID, object: Int64) { (self.id, self.object) = (id, object) }
}

/// How far another server's layer has been read.
public struct FollowMark: Sendable, Equatable {
  /// The last object number; 0: none.
  public var object: Int64 = 0
  /// That object's identifier, which tells whether it is still the same layer.
  public var id: UniqueID?
  /// The latest edit that was seen, by the other server's clock.
  public var edited: UTC?

  public init() {}
}

extension FeatureServer {
  /// Stores captures of others as if trackers had delivered them here. Those that are here already
  /// are left alone.
  ///
  /// - Parameters:
  ///   - source: the address of the layer that they come from; `nil`: they are of no layer.
  ///   - refused: is told of those that the layer never takes.
  /// - Returns: how many are new.
  public func take(
    _ captures: [ForeignCapture], of source: String?, at now: UTC,
    refused: (UniqueID) -> Void = { _ in }
  ) throws -> Int {
    guard let layer = catalogue.services.first?.layers.first else { return 0 }
    let new = try store.missing(captures)
    // First: what was stored without it would never be deleted.
    if let source { try store.note(captures, new: Set(new.map(\.id)), of: source) }
    var edit = Edit()
    edit.isAllOrNothing = false
    for capture in new {
      let feature = IncomingFeature(capture)
      edit.adds.append(
        Result { () throws(ItemError) -> NewFeature in
          var new = try NewFeature(
            feature, for: layer, settings.systems, keepsGlobalID: false, random)
          new.globalID = capture.id.bracedText
          new.arrived = capture.arrived
          return new
        })
      guard case .failure(let problem)? = edit.adds.last else { continue }
      refused(capture.id)
      if let refused = RefusedCapture(feature, problem, for: layer, settings.systems) {
        edit.refusals.append(refused)
      }
    }
    if edit.adds.isEmpty { return 0 }
    return try store.perform(edit, at: now).adds.count { $0.isDone }
  }

  /// Whether a capture with that identifier is stored.
  public func has(_ id: UniqueID) throws -> Bool { try store.known(id) != nil }

  /// Whether a capture of another time or place has its identifier: two devices have the same
  /// identity (a copied card).
  public func isAnothers(_ capture: ForeignCapture) throws -> Bool {
    guard let known = try store.known(capture.id) else { return false }
    // Some requests tell whole seconds.
    guard capture.moment.map({ $0.milliseconds / 1000 }) == known.moment.map({ $0 / 1000 }) else {
      return true
    }
    guard let here = capture.position, let there = known.position else {
      return (capture.position == nil) != (known.position == nil)
    }
    // Coordinate systems lose a metre.
    return here.distanceMillimetres(to: there) >= 1000
  }

  /// Changes captures that are here already to what another server says of them now; what it does
  /// not say stays.
  ///
  /// - Returns: how many were another.
  public func change(_ captures: [ForeignCapture], at now: UTC) throws -> Int {
    guard let layer = catalogue.services.first?.layers.first else { return 0 }
    var edit = Edit()
    edit.isAllOrNothing = false
    for capture in captures {
      let feature = IncomingFeature(capture)
      guard let known = try store.known(capture.id),
        let new = try? NewFeature(
          feature, for: layer, settings.systems, keepsGlobalID: false, random)
      else { continue }
      var told = known
      let columns = catalogue.captureColumns
      let values = zip(columns, new.values).filter { $0.1 != .null && $0.0 != "UUID" }
      for (column, value) in values { told.take(value, of: column) }
      if let place = capture.position { told.position = place }
      guard !told.isNearly(known) else { continue }
      var changed = ChangedFeature(key: .number(known.objectID))
      changed.values = values.map { (name: $0.0, value: $0.1) }
      changed.place = new.place
      edit.updates.append(.success(changed))
    }
    if edit.updates.isEmpty { return 0 }
    return try store.perform(edit, at: now).updates.count { $0.isDone }
  }

  /// The captures here that another layer brought, by their numbers there, in ascending order: the
  /// last ones.
  public func followed(
    _ layer: String, atMost count: Int
  ) throws -> [(object: Int64, id: UniqueID)] {
    try store.followed(layer, atMost: count).compactMap { object, text in
      UniqueID(text: text).map { (object, $0) }
    }
  }

  /// Deletes captures that another server has no more, but none of an emergency, by which its
  /// tracker is answered.
  ///
  /// - Returns: how many, and their senders, each once.
  public func remove(_ captures: [UniqueID], at now: UTC) throws -> (count: Int, of: [String]) {
    let known = try captures.compactMap { try store.known($0) }
      .filter { !["emergency", "emergencyOver"].contains($0.trigger) }
    var edit = Edit()
    edit.deletes = known.map { .success(.number($0.objectID)) }
    guard !known.isEmpty, try store.perform(edit, at: now).areDone else { return (0, []) }
    return (known.count, Set(known.map(\.sender.text)).sorted())
  }

  /// How far a layer has been read; `nil`: never.
  ///
  /// - Parameter layer: its address.
  public func mark(of layer: String) throws -> FollowMark? { try store.mark(of: layer) }

  public func keep(_ mark: FollowMark, of layer: String) throws {
    try store.keep(mark, of: layer)
  }
}

extension TakenCapture {
  /// Whether it is the same, but for what coordinate systems lose: a metre.
  fileprivate func isNearly(_ other: TakenCapture) -> Bool {
    var moved = self
    if let here = position, let there = other.position,
      here.distanceMillimetres(to: there) < 1000
    {
      moved.position = there
    }
    return moved == other
  }
}

extension IncomingFeature {
  /// As a tracker would have sent it.
  init(_ capture: ForeignCapture) {
    geometry =
      capture.position.map {
        .point(
          x: Double($0.longitude) / 1e7, y: Double($0.latitude) / 1e7,
          SpatialReference(parameter: "4326"))
      } ?? .none
    func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    func number(_ number: Int64?) -> Value { number.map { .integer($0) } ?? .null }
    byName = Self.inLowerCase([
      "CodiEquip": text(capture.device), "Equip": text(capture.team),
      "Bateria": number(capture.batteryPercent), "Entrada": number(capture.moment?.milliseconds),
      "Tipus": text(capture.kind), "UUID": .text(capture.id.lowercaseText),
      "Motiu": text(capture.trigger), "ProperContacte": number(capture.promise?.milliseconds),
      "Silenci": text(capture.silence), "Ordre": number(capture.sequence),
      "Fets": number(capture.doneMetres),
      "PerFer": number(capture.toGoMetres), "Lloc": text(capture.place),
      "Precisio": number(capture.accuracyMetres),
    ])
  }
}

extension FeatureStore {
  /// How far other servers' layers have been read.
  static let followed = """
    CREATE TABLE IF NOT EXISTS followed (
      layer TEXT PRIMARY KEY, object INTEGER NOT NULL, UUID TEXT, edited INTEGER);
    CREATE TABLE IF NOT EXISTS followed_capture (
      layer TEXT, UUID TEXT, object INTEGER NOT NULL, PRIMARY KEY (layer, UUID)) WITHOUT ROWID;
    """

  /// Forgets where captures came from that are not here.
  static let forgetting = """
    DELETE FROM followed_capture
    WHERE UUID NOT IN (SELECT UUID FROM capture WHERE UUID IS NOT NULL)
    """

  /// Writes down where captures come from.
  ///
  /// - Parameter new: those that are not here yet. What is here, but not from that layer, is none
  ///   of it.
  fileprivate func note(
    _ captures: [ForeignCapture], new: Set<UniqueID>, of layer: String
  ) throws {
    try withEngine { engine in
      try engine.database.transaction { () throws(SQLError) in
        let add = try engine.database.prepare(
          """
          INSERT INTO followed_capture (object, layer, UUID) VALUES (?, ?, ?)
          ON CONFLICT (layer, UUID) DO UPDATE SET object = excluded.object
          """, isKept: true)
        let change = try engine.database.prepare(
          "UPDATE followed_capture SET object = ? WHERE layer = ? AND UUID = ?", isKept: true)
        for capture in captures {
          if new.contains(capture.id) {
            try Self.bind(capture, layer, to: add)
          } else {
            try Self.bind(capture, layer, to: change)
          }
        }
      }
    }
  }

  private static func bind(
    _ capture: ForeignCapture, _ layer: String, to row: any SQLStatement
  ) throws(SQLError) {
    try row.bind(capture.object, at: 1)
    try row.bind(layer, at: 2)
    try row.bind(capture.id.lowercaseText, at: 3)
    try row.run()
  }

  fileprivate func followed(_ layer: String, atMost count: Int) throws -> [(Int64, String)] {
    try withEngine { engine in
      let rows = try engine.database.prepare(
        """
        SELECT object, followed_capture.UUID FROM followed_capture
        JOIN capture ON capture.UUID = followed_capture.UUID
        WHERE layer = ? ORDER BY object DESC LIMIT ?
        """, isKept: true)
      try rows.bind(layer, at: 1)
      try rows.bind(Int64(count), at: 2)
      var found: [(Int64, String)] = []
      while try rows.step() { found.append((rows.integer(0), rows.text(1))) }
      return found.reversed()
    }
  }

  /// The capture that is stored here under an identifier.
  fileprivate func known(_ id: UniqueID) throws -> TakenCapture? {
    try withEngine { engine in
      let row = try engine.database.prepare(
        """
        SELECT \(TakenCapture.list), OBJECTID FROM capture
        WHERE UUID IN (?, ?) OR GlobalID = ? LIMIT 1
        """, isKept: true)
      try row.bind(id.lowercaseText, at: 1)
      try row.bind(id.lowercaseText.uppercased(), at: 2)
      try row.bind(id.bracedText, at: 3)
      guard try row.step() else { return nil }
      let next = TakenCapture.count
      let capture = TakenCapture(objectID: row.integer(next), row)
      row.reset()
      return capture
    }
  }

  /// Those that are not stored here, by their identifiers, each once.
  fileprivate func missing(_ captures: [ForeignCapture]) throws -> [ForeignCapture] {
    try withEngine { engine in
      let known = try engine.database.prepare(
        """
        SELECT 1 FROM capture WHERE UUID IN (?, ?)
        UNION ALL SELECT 1 FROM capture WHERE GlobalID = ?
        """, isKept: true)
      var seen: Set<UniqueID> = []
      return try captures.filter { capture in
        try known.bind(capture.id.lowercaseText, at: 1)
        try known.bind(capture.id.lowercaseText.uppercased(), at: 2)
        try known.bind(capture.id.bracedText, at: 3)
        let isKnown = try known.step()
        known.reset()
        return !isKnown && seen.insert(capture.id).inserted
      }
    }
  }

  fileprivate func mark(of layer: String) throws -> FollowMark? {
    try withEngine { engine in
      let row = try engine.database.prepare(
        "SELECT object, UUID, edited FROM followed WHERE layer = ?", isKept: true)
      try row.bind(layer, at: 1)
      guard try row.step() else { return nil }
      var mark = FollowMark()
      mark.object = row.integer(0)
      if !row.isNull(1) { mark.id = UniqueID(text: row.text(1)) }
      if !row.isNull(2) { mark.edited = UTC(milliseconds: row.integer(2)) }
      return mark
    }
  }

  fileprivate func keep(_ mark: FollowMark, of layer: String) throws {
    try withEngine { engine in
      let row = try engine.database.prepare(
        """
        INSERT INTO followed (layer, object, UUID, edited) VALUES (?, ?, ?, ?)
        ON CONFLICT (layer) DO UPDATE
        SET object = excluded.object, UUID = excluded.UUID, edited = excluded.edited
        """, isKept: true)
      try row.bind(layer, at: 1)
      try row.bind(mark.object, at: 2)
      try row.bind(mark.id?.lowercaseText, at: 3)
      try row.bind(mark.edited?.milliseconds, at: 4)
      try row.run()
    }
  }
}
