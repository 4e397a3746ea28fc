import TrackerCore

/// The captures of one tracker that have a time, in 36 bytes each: a race's fit into memory as long
/// as it lasts. What does not fit into these is kept whole: every capture comes out as it went in.
struct KeptCaptures: RandomAccessCollection, Sendable {
  private struct Record: Sendable {
    /// `at`, in two parts so that nothing is between this and the rest.
    var atHigh: UInt16
    /// Hundredths of a percent; `none`: not measured.
    var battery: UInt16
    var atLow: UInt32
    /// After `at`, milliseconds.
    var taken: Int32
    /// After `at`, milliseconds; `.min`: none.
    var promise: Int32
    var latitude: Int32
    var longitude: Int32
    /// The end of its identifier; of one that is kept whole, where it is.
    var number: UInt32
    /// `none`: not told.
    var accuracy: UInt16
    var device: UInt8
    var team: UInt8
    var trigger: UInt8
    /// The silence, and two bits.
    var flags: UInt8

    static let none = UInt16.max
    static let noTrigger = UInt8.max
    /// In place of a device: it is kept whole.
    static let whole = UInt8.max
    static let (emergency, phone, silence): (UInt8, UInt8, UInt8) = (0x80, 0x40, 0x3F)
  }

  /// What the identifiers of a tracker's captures have in common: they end with their numbers, some
  /// bits of which are turned (`UniqueID.init(device:sequence:)`).
  private struct Device: Equatable {
    var origin: DeliveredCapture.Origin
    /// `nil`: its captures have no numbers.
    var turned: UInt32?
  }

  private let tracker: String
  private var records = Chunks<Record>()
  private var devices: [Device] = []
  private var teams: [String] = []
  private var whole: [UInt32: DeliveredCapture] = [:]
  private var nextWhole: UInt32 = 0

  init(of tracker: String) { self.tracker = tracker }

  var startIndex: Int { 0 }
  var endIndex: Int { records.count }

  subscript(index: Int) -> DeliveredCapture {
    get { capture(records[index]) }
    set {
      discard(at: index)
      records[index] = record(of: newValue)
    }
  }

  mutating func insert(_ capture: DeliveredCapture, at index: Int) {
    records.insert(record(of: capture), at: index)
  }

  mutating func remove(at index: Int) {
    discard(at: index)
    records.remove(at: index)
  }

  func firstIndex(of id: UniqueID) -> Int? {
    let (origin, number) = (DeliveredCapture.Origin(id), UInt32(truncatingIfNeeded: id.low))
    return records.firstIndex { record in
      record.device == Record.whole
        ? whole[record.number]?.id == id
        : record.number == number && devices[Int(record.device)].origin == origin
    }
  }

  /// Whether one device took all of them.
  var areOfOneDevice: Bool {
    whole.isEmpty && devices.dropFirst().allSatisfy { $0.origin == devices[0].origin }
  }

  /// The last name that is not empty; `nil`: there is none.
  var lastTeam: String? {
    // Of a tracker without a name this is not looked for in all of its captures.
    guard !whole.isEmpty || teams.contains(where: { !$0.isEmpty }) else { return nil }
    return last { !$0.team.isEmpty }?.team
  }

  private mutating func discard(at index: Int) {
    if records[index].device == Record.whole { whole[records[index].number] = nil }
  }

  private func capture(_ record: Record) -> DeliveredCapture {
    if record.device == Record.whole, let capture = whole[record.number] { return capture }
    let at = UTC(milliseconds: Int64(record.atHigh) << 32 | Int64(record.atLow))
    let device = devices[Int(record.device)]
    var capture = DeliveredCapture(
      at: at, tracker: tracker, team: teams[Int(record.team)],
      id: UniqueID(
        high: device.origin.high, low: device.origin.low << 32 | UInt64(record.number)),
      taken: at + Milliseconds(Int64(record.taken)),
      position: Coordinate(latitude: record.latitude, longitude: record.longitude))
    capture.accuracyMetres = record.accuracy == Record.none ? nil : Int32(record.accuracy)
    capture.batteryPercent = record.battery == Record.none ? nil : Double(record.battery) / 100
    capture.trigger = Trigger(rawValue: record.trigger)
    capture.isEmergency = record.flags & Record.emergency != 0
    capture.isFromPhone = record.flags & Record.phone != 0
    capture.silence = PlannedSilence(rawValue: record.flags & Record.silence) ?? .none
    capture.sequence = device.turned.map { $0 ^ record.number }
    if record.promise != .min { capture.promise = at + Milliseconds(Int64(record.promise)) }
    return capture
  }

  private mutating func record(of capture: DeliveredCapture) -> Record {
    let number = UInt32(truncatingIfNeeded: capture.id.low)
    if let team = Self.place(of: capture.team, in: &teams),
      let device = Self.place(
        of: Device(origin: capture.origin, turned: capture.sequence.map { $0 ^ number }),
        in: &devices)
    {
      let at = UInt64(bitPattern: capture.at.milliseconds)
      func after(_ utc: UTC?) -> Int32? { utc.map { Int32(clamping: ($0 - capture.at).count) } }
      let record = Record(
        atHigh: UInt16(truncatingIfNeeded: at >> 32),
        battery: capture.batteryPercent.map { UInt16(($0 * 100).rounded()) } ?? Record.none,
        atLow: UInt32(truncatingIfNeeded: at), taken: after(capture.taken) ?? 0,
        promise: after(capture.promise) ?? .min, latitude: capture.position.latitude,
        longitude: capture.position.longitude, number: number,
        accuracy: capture.accuracyMetres.map { UInt16(clamping: $0) } ?? Record.none,
        device: device, team: team, trigger: capture.trigger?.rawValue ?? Record.noTrigger,
        flags: capture.silence.rawValue | (capture.isEmergency ? Record.emergency : 0)
          | (capture.isFromPhone ? Record.phone : 0))
      if self.capture(record) == capture { return record }
    }
    nextWhole &+= 1
    whole[nextWhole] = capture
    return Record(
      atHigh: 0, battery: 0, atLow: 0, taken: 0, promise: 0, latitude: 0, longitude: 0,
      number: nextWhole, accuracy: 0, device: Record.whole, team: 0, trigger: 0, flags: 0)
  }

  /// - Returns: where a value is, which is added if there is room for it; `nil`: there is none.
  private static func place<Value: Equatable>(
    of value: Value, in all: inout [Value]
  ) -> UInt8? {
    if let index = all.lastIndex(of: value) { return UInt8(index) }
    guard all.count < Bounds.namesOfTracker else { return nil }
    all.append(value)
    return UInt8(all.count - 1)
  }
}

/// A set of identifiers, which takes next to nothing for those of a device that counts.
struct KnownIDs: Sendable {
  /// The ends of identifiers with the same beginning, in order and apart from each other: as they
  /// count up they are few, whichever bits of them are turned.
  private var ranges: [DeliveredCapture.Origin: [ClosedRange<UInt32>]] = [:]

  func contains(_ id: UniqueID) -> Bool {
    guard let all = ranges[DeliveredCapture.Origin(id)] else { return false }
    let end = UInt32(truncatingIfNeeded: id.low)
    let next = all.partitionPoint { $0.lowerBound > end }
    return next > 0 && all[next - 1].contains(end)
  }

  /// - Returns: whether it was not there.
  @discardableResult mutating func insert(_ id: UniqueID) -> Bool {
    if contains(id) { return false }
    let end = UInt32(truncatingIfNeeded: id.low)
    change(of: id) { all in
      let next = all.partitionPoint { $0.lowerBound > end }
      let joinsBefore = next > 0 && all[next - 1].upperBound == end &- 1
      let joinsNext = next < all.count && all[next].lowerBound == end &+ 1
      let low = joinsBefore ? all[next - 1].lowerBound : end
      let high = joinsNext ? all[next].upperBound : end
      let replaced = (joinsBefore ? next - 1 : next)..<(joinsNext ? next + 1 : next)
      all.replaceSubrange(replaced, with: [low...high])
    }
    return true
  }

  mutating func remove(_ id: UniqueID) {
    guard contains(id) else { return }
    let end = UInt32(truncatingIfNeeded: id.low)
    change(of: id) { all in
      let index = all.partitionPoint { $0.lowerBound > end } - 1
      let range = all[index]
      let left = range.lowerBound < end ? [range.lowerBound...(end - 1)] : []
      let right = range.upperBound > end ? [(end + 1)...range.upperBound] : []
      all.replaceSubrange(index...index, with: left + right)
    }
  }

  private mutating func change(
    of id: UniqueID, _ body: (inout [ClosedRange<UInt32>]) -> Void
  ) {
    let origin = DeliveredCapture.Origin(id)
    body(&ranges[origin, default: []])
    if ranges[origin]?.isEmpty ?? false { ranges[origin] = nil }
  }
}
