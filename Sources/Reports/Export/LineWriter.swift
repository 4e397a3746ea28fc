import JSONReading
import TrackerCore

/// Builds lines of text as bytes, without a `String` per line.
struct LineWriter {
  var bytes: [UInt8] = []

  mutating func text(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func number(_ value: some BinaryInteger) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = UInt64(value.magnitude)
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }
}

// Values as all export formats write them: from integers, without floating point.
extension LineWriter {
  mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// `value` / 10^places with `places` decimals: `decimal(-5, places: 3)` is `-0.005`.
  mutating func decimal(_ value: some BinaryInteger, places: Int) {
    let negative = value < 0
    var rest = UInt64(value.magnitude)
    let start = bytes.count
    var count = 0
    repeat {
      if count == places, places > 0 { bytes.append(UInt8(ascii: ".")) }
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      count += 1
    } while rest > 0 || count <= places
    if negative { bytes.append(UInt8(ascii: "-")) }
    bytes[start...].reverse()
  }

  mutating func latitude(_ position: Coordinate) { decimal(position.latitude, places: 7) }
  mutating func longitude(_ position: Coordinate) { decimal(position.longitude, places: 7) }

  /// `0b6f…-….`: 36 characters in lower case (RFC 9562 §4).
  mutating func uuid(_ id: UniqueID) {
    let characters = id.text()
    for index in characters.indices { bytes.append(characters[index]) }
  }

  /// `2026-04-18T09:30:00.250Z` (RFC 3339); nothing for a date outside the years 0 to 9999.
  mutating func date(_ utc: UTC) {
    guard let time = CivilTime(utc) else { return }
    time.forEachByte { bytes.append($0) }
  }

  // MARK: The course

  /// For XML, of a capture with a mark: `Amer, km 38.600, 62.400 km to go`.
  mutating func whereabouts(_ exported: ExportedCapture) {
    guard let mark = exported.capture.mark else { return }
    if let place = exported.placeName {
      xml(place)
      text(", ")
    }
    text("km ")
    decimal(mark.doneMetres, places: 3)
    text(", ")
    decimal(mark.toGoMetres, places: 3)
    text(" km to go")
  }

  /// For XML, of a capture that was taken for a place: `Els Senglars, entered: Amer, km 38.600, …`.
  mutating func passage(_ exported: ExportedCapture, of team: Team) {
    if !team.name.isEmpty {
      xml(team.name)
      text(", ")
    }
    text(exported.capture.trigger.name)
    text(": ")
    whereabouts(exported)
  }

  // MARK: Text that came from outside

  /// For XML 1.0, inside elements and attributes. Characters that XML does not allow become
  /// `\u{FFFD}`.
  mutating func xml(_ string: String) {
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": text("&amp;")
      case "<": text("&lt;")
      case ">": text("&gt;")
      case "\"": text("&quot;")
      // As references, because XML would normalise them to spaces and line feeds.
      case "\t": text("&#9;")
      case "\n": text("&#10;")
      case "\r": text("&#13;")
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": text("\u{FFFD}")
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
  }

  /// A JSON string with its quotes (RFC 8259 §7).
  mutating func json(_ string: String) { bytes.appendJSON(string) }

  /// A field of CSV (RFC 4180), quoted if necessary.
  ///
  /// A spreadsheet takes a text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for
  /// a formula and evaluates it. Such a text gets a leading apostrophe, and so does one that begins
  /// with an apostrophe, so that an import can always remove exactly one.
  mutating func csvField(_ string: String) {
    let isRisky = string.utf8.first.map { "=+-@\t\r'".utf8.contains($0) } ?? false
    let needsQuotes =
      string.utf8.contains { $0 < 0x20 || "\",".utf8.contains($0) }
      || string.hasPrefix(" ") || string.hasSuffix(" ")
    if needsQuotes { text("\"") }
    if isRisky { text("'") }
    for byte in string.utf8 {
      if byte == UInt8(ascii: "\"") { text("\"") }
      bytes.append(byte)
    }
    if needsQuotes { text("\"") }
  }
}

// GeoJSON and CSV have the same columns; by `uuid`, `device` and `sequence` an import recognises
// captures that the server has. `CaptureImport` reads both, line by line.
extension LineWriter {
  /// GeoJSON (RFC 7946): longitude first, altitude (if known) third, at most 7 decimals.
  mutating func geoJSON(_ captures: [ExportedCapture]) {
    let columns = ExportColumn.columns(of: captures).filter(\.isProperty)
    text("{\"type\":\"FeatureCollection\",\"features\":[")
    var isFirst = true
    for exported in captures {
      text(isFirst ? "\n" : ",\n")
      isFirst = false
      text("{\"type\":\"Feature\",\"id\":\"")
      uuid(exported.id)
      text("\",\"geometry\":")
      geoJSONPoint(exported.capture)
      text(",\"properties\":{")
      for (index, column) in columns.enumerated() {
        text(index == 0 ? "\"" : ",\"")
        text(column.rawValue)
        text("\":")
        let start = bytes.count
        if column.isText { text("\"") }
        if let name = exported.name(in: column) {
          bytes.removeLast()
          json(name)
        } else if !value(of: column, exported) {
          bytes.removeSubrange(start...)
          text("null")
        } else if column.isText {
          text("\"")
        }
      }
      text("}}")
    }
    text("\n]}\n")
  }

  /// Without a position the geometry is null (§3.2).
  private mutating func geoJSONPoint(_ capture: Capture) {
    guard let position = capture.position else { return text("null") }
    text("{\"type\":\"Point\",\"coordinates\":[")
    longitude(position)
    text(",")
    latitude(position)
    if let altitude = capture.altitudeMillimetres {
      text(",")
      decimal(altitude, places: 3)
    }
    text("]}")
  }

  /// CSV (RFC 4180) with a header; an unknown value is an empty field.
  ///
  /// CSV has no end mark, and readers would take a comment or trailer for another row. So each row
  /// has the number of rows, from which a file truncated at a line end is recognised.
  mutating func csv(_ captures: [ExportedCapture]) {
    let columns = ExportColumn.columns(of: captures)
    text(columns.map(\.rawValue).joined(separator: ","))
    text("\r\n")
    for exported in captures {
      for (index, column) in columns.enumerated() {
        if index > 0 { text(",") }
        if let name = exported.name(in: column) {
          csvField(name)
        } else if column == .rows {
          number(captures.count)
        } else {
          _ = value(of: column, exported)
        }
      }
      text("\r\n")
    }
  }

  /// Writes a value without quotes, and returns whether there is one.
  private mutating func value(of column: ExportColumn, _ exported: ExportedCapture) -> Bool {
    let capture = exported.capture
    switch column {
    case .uuid: uuid(exported.id)
    case .device: uuid(exported.device)
    case .sequence: number(capture.sequence)
    case .time:
      guard let utc = exported.date else { return false }
      date(utc)
    case .date: text(exported.dateWord)
    case .latitude: return decimal(ifAny: capture.position?.latitude, places: 7)
    case .longitude: return decimal(ifAny: capture.position?.longitude, places: 7)
    case .altitude: return decimal(ifAny: capture.altitudeMillimetres, places: 3)
    case .speed: return decimal(ifAny: capture.speedMillimetresPerSecond, places: 3)
    case .course: return decimal(ifAny: capture.courseMillidegrees, places: 3)
    case .accuracy: return decimal(ifAny: capture.accuracyMetres, places: 0)
    case .satellites: return decimal(ifAny: capture.satellites, places: 0)
    case .battery: return decimal(ifAny: capture.batteryPercent, places: 0)
    case .batteryMillivolts: return decimal(ifAny: capture.batteryMillivolts, places: 0)
    case .trigger: text(capture.trigger.name)
    case .state: text(exported.state.name)
    case .done: return decimal(ifAny: capture.mark?.doneMetres, places: 0)
    case .toGo: return decimal(ifAny: capture.mark?.toGoMetres, places: 0)
    // Names are escaped in another way by each format, and `csv` knows the number of rows.
    case .team, .place, .rows: return false
    }
    return true
  }

  private mutating func decimal(ifAny value: (some BinaryInteger)?, places: Int) -> Bool {
    guard let value else { return false }
    decimal(value, places: places)
    return true
  }
}

extension ExportedCapture {
  /// A name that came from outside; `nil`: the column has none.
  fileprivate func name(in column: ExportColumn) -> String? {
    switch column {
    case .team: team
    case .place: capture.mark == nil ? nil : placeName
    default: nil
    }
  }
}

/// The columns of a table, in order.
enum ExportColumn: String, CaseIterable {
  case uuid, device, sequence, team
  /// RFC 3339, UTC.
  case time
  /// `trusted`, `untrusted` or `unknown`.
  case date
  /// Degrees, WGS 84.
  case latitude, longitude
  /// Metres above mean sea level.
  case altitude = "altitude_m"
  case speed = "speed_m_s"
  case course = "course_deg"
  case accuracy = "accuracy_m"
  case satellites
  case battery = "battery_percent"
  case batteryMillivolts = "battery_mv"
  case trigger, state
  /// Metres along the course; only in files with a capture on one.
  case done = "done_m"
  case toGo = "to_go_m"
  /// The name of the course's place.
  case place
  /// The number of rows, instead of an end mark. CSV only.
  case rows

  /// Whether GeoJSON has it in `coordinates`.
  var isGeometry: Bool { self == .latitude || self == .longitude || self == .altitude }
  /// Whether GeoJSON has it among the properties.
  var isProperty: Bool { !isGeometry && self != .rows }
  /// Whether JSON writes it in quotes.
  var isText: Bool {
    switch self {
    case .uuid, .device, .team, .time, .date, .trigger, .state, .place: true
    default: false
    }
  }
  var isOfCourse: Bool { self == .done || self == .toGo || self == .place }

  /// Those of a file without a course, which has the same bytes as before there were courses.
  static let withoutCourse = allCases.filter { !$0.isOfCourse }

  static func columns(of captures: [ExportedCapture]) -> [ExportColumn] {
    captures.contains { $0.capture.mark != nil } ? allCases : withoutCourse
  }
}
