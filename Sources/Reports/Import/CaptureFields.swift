import TrackerCore

/// The values of a table's row, by column.
struct CaptureFields {
  var texts: [ExportColumn: String] = [:]
  var numbers: [ExportColumn: Double] = [:]

  /// - Throws: if a column has no value, or one that an export does not write.
  func capture(at place: FilePlace) throws(ImportError) -> ExportedCapture {
    guard let device = texts[.device].flatMap(Self.identifier) else {
      throw wrong(.device, at: place)
    }
    guard let number = integer(.sequence), let sequence = UInt32(exactly: number), sequence > 0,
      sequence < .max
    else { throw wrong(.sequence, at: place) }
    guard let trigger = Trigger(name: Array((texts[.trigger] ?? "").utf8).span) else {
      throw wrong(.trigger, at: place)
    }
    guard let state = ExportedState.named(texts[.state] ?? "") else {
      throw wrong(.state, at: place)
    }
    let (utc, isTrusted) = try date(at: place)
    var capture = Capture(
      sequence: sequence, utc: utc, isTimeTrusted: isTrusted,
      position: try position(at: place), team: try team(at: place), trigger: trigger)
    capture.altitudeMillimetres = try scaled(.altitude, places: 3, at: place)
    capture.speedMillimetresPerSecond = try scaled(.speed, places: 3, at: place)
    capture.courseMillidegrees = try scaled(.course, places: 3, at: place)
    capture.accuracyMetres = try scaled(.accuracy, places: 0, at: place)
    capture.satellites = try small(.satellites, at: place)
    capture.batteryPercent = try small(.battery, at: place)
    if let percent = capture.batteryPercent, percent > 100 { throw wrong(.battery, at: place) }
    capture.batteryMillivolts = try scaled(.batteryMillivolts, places: 0, at: place)
    capture.mark = try mark(at: place)
    var exported = ExportedCapture(capture, device: device, state: state)
    exported.placeName = try placeName(of: capture.mark, at: place)
    // The identifier is derived from device and sequence or, if another capture had that one, from
    // time and position too. So a digit that was changed in any of these is detected.
    let renewed = UniqueID(replacing: exported.id, of: capture)
    let identifier = texts[.uuid].flatMap(Self.identifier)
    if identifier == renewed { exported.id = renewed }
    guard identifier == exported.id else {
      throw place.error(
        "uuid does not match its device and sequence (damaged or edited);"
          + " copy or export the file again")
    }
    return exported
  }

  /// - Returns: `nil`: neither coordinate has a value.
  private func position(at place: FilePlace) throws(ImportError) -> Coordinate? {
    let latitude = try scaled(.latitude, places: 7, at: place)
    let longitude = try scaled(.longitude, places: 7, at: place)
    if latitude == nil, longitude == nil { return nil }
    guard let latitude, latitude.magnitude <= 900_000_000 else { throw wrong(.latitude, at: place) }
    guard let longitude, longitude.magnitude <= 1_800_000_000 else {
      throw wrong(.longitude, at: place)
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// An integer; `nil` if there is none.
  func integer(_ column: ExportColumn) -> Int? { numbers[column].flatMap { Int(exactly: $0) } }

  private func wrong(_ column: ExportColumn, at place: FilePlace) -> ImportError {
    place.error(
      "\(column.rawValue) is missing or not as an export writes it (damaged or edited);"
        + " copy or export the file again")
  }

  /// `value` · 10^places, rounded, because exports write no more decimals.
  private func scaled(
    _ column: ExportColumn, places: Int, at place: FilePlace
  ) throws(ImportError) -> Int32? {
    guard let value = numbers[column] else {
      guard texts[column] == nil else { throw wrong(column, at: place) }
      return nil
    }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    guard let scaled = Int32(exactly: (value * scale).rounded()) else {
      throw wrong(column, at: place)
    }
    return scaled
  }

  private func small(_ column: ExportColumn, at place: FilePlace) throws(ImportError) -> UInt8? {
    guard let value = try scaled(column, places: 0, at: place) else { return nil }
    guard let small = UInt8(exactly: value) else { throw wrong(column, at: place) }
    return small
  }

  private func team(at place: FilePlace) throws(ImportError) -> InlineText<64> {
    let bytes = Array((texts[.team] ?? "").utf8)
    guard bytes.count <= 64 else { throw wrong(.team, at: place) }
    return InlineText(bytes.span)
  }

  /// Either of the two distances shows that there is a mark.
  private func mark(at place: FilePlace) throws(ImportError) -> CourseMark? {
    let done = try scaled(.done, places: 0, at: place)
    let toGo = try scaled(.toGo, places: 0, at: place)
    switch (done, toGo) {
    case (let done?, let toGo?): return CourseMark(doneMetres: done, toGoMetres: toGo)
    case (nil, nil): return nil
    case (nil, _): throw wrong(.done, at: place)
    case (_, nil): throw wrong(.toGo, at: place)
    }
  }

  private func placeName(
    of mark: CourseMark?, at place: FilePlace
  ) throws(ImportError) -> String? {
    guard numbers[.place] == nil else { throw wrong(.place, at: place) }
    guard let name = texts[.place], !name.isEmpty else { return nil }
    guard mark != nil else { throw wrong(.done, at: place) }
    guard name.count <= ReportBounds.placeName.characters,
      name.utf8.count <= ReportBounds.placeName.bytes
    else { throw wrong(.place, at: place) }
    return name
  }

  private func date(at place: FilePlace) throws(ImportError) -> (UTC?, Bool) {
    let utc = texts[.time].flatMap(ExportedDate.utc)
    switch (texts[.date], utc) {
    case ("trusted", let utc?): return (utc, true)
    case ("untrusted", let utc?): return (utc, false)
    case ("unknown", nil) where texts[.time] == nil: return (nil, false)
    case (_, nil) where texts[.time] != nil: throw wrong(.time, at: place)
    default: throw wrong(.date, at: place)
    }
  }

  /// Reads an identifier in the form that exports write, in upper or lower case.
  private static func identifier(_ text: String) -> UniqueID? {
    guard text.utf8.count == 36 else { return nil }
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    for (index, byte) in text.utf8.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
        if index < 18 {
          halves.high = halves.high << 4 | UInt64(digit)
        } else {
          halves.low = halves.low << 4 | UInt64(digit)
        }
      }
    }
    return UniqueID(high: halves.high, low: halves.low)
  }
}

extension ExportedState {
  fileprivate static func named(_ name: String) -> ExportedState? {
    [.pending, .inFlight, .acknowledged, .setAside].first { "\($0.name)" == name }
  }
}
