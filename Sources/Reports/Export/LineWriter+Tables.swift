import TrackerCore

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
      text("\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
      longitude(exported.capture)
      text(",")
      latitude(exported.capture)
      if let altitude = exported.capture.altitudeMillimetres {
        text(",")
        decimal(altitude, places: 3)
      }
      text("]},\"properties\":{")
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
    case .latitude: latitude(capture)
    case .longitude: longitude(capture)
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
