public import Notes
import Statistics
public import TrackerCore

/// A capture's delivery state.
public enum ExportedState: Sendable, Equatable {
  case pending, inFlight, acknowledged, setAside

  var name: StaticString {
    switch self {
    case .pending: "pending"
    case .inFlight: "inFlight"
    case .acknowledged: "acknowledged"
    case .setAside: "setAside"
    }
  }
}

/// A capture as exported: with what an import needs to recognise it.
public struct ExportedCapture: Sendable, Equatable {
  public var capture: Capture
  public var device: UniqueID
  var state: ExportedState
  /// The capture's own identifier.
  public var id: UniqueID
  /// The name of the place of `capture.mark`, never empty; `nil`: none. The place's index is not
  /// exported, because it means nothing without the course.
  public var placeName: String?

  /// - Parameter id: `nil` for the identifier derived from device and sequence.
  public init(
    _ capture: Capture, device: UniqueID, id: UniqueID? = nil, state: ExportedState
  ) {
    self.capture = capture
    self.device = device
    self.state = state
    self.id = id ?? UniqueID(device: device, sequence: capture.sequence)
  }

  var team: String {
    var bytes: [UInt8] = []
    for index in 0..<capture.team.count { bytes.append(capture.team[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The date, if RFC 3339 can express it (years 0 to 9999).
  var date: UTC? {
    let writable: Range<Int64> = -62_167_219_200_000..<253_402_300_800_000
    guard let utc = capture.utc, writable.contains(utc.milliseconds) else { return nil }
    return utc
  }

  /// Whether the date is trusted.
  var dateWord: StaticString {
    date == nil ? "unknown" : capture.isTimeTrusted ? "trusted" : "untrusted"
  }

  /// The place at whose edge it was taken; `nil`: it was taken elsewhere. One for a place that was
  /// passed unseen is from further on.
  var passedPlace: String? {
    switch capture.trigger {
    case .entered, .left: capture.mark == nil ? nil : placeName
    case .inferred, .start, .interval, .distance, .heartbeat, .command, .batteryEnd, .test, .end,
      .emergency, .emergencyOver:
      nil
    }
  }

  /// GPX's `fixType`. The store does not keep the receiver's mode: with less than four satellites,
  /// or without an altitude, a fix has two dimensions.
  var fixName: StaticString {
    capture.altitudeMillimetres != nil && capture.satellites ?? 4 >= 4 ? "3d" : "2d"
  }
}

/// The export formats.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// GPX 1.1: a track for each team and device.
  case gpx
  /// KML 2.2 with `gx:Track`: a track for each team and device, on a time slider.
  case kml
  /// RFC 7946, one feature for each capture. Can be imported again.
  case geojson
  /// RFC 4180 with a header, one row for each capture. Can be imported again.
  case csv

  /// Whether `CaptureImport` can read it.
  public var canBeImported: Bool { self == .geojson || self == .csv }

  /// The whole file. The captures keep their order; in GPX and KML within their tracks.
  ///
  /// - Parameters:
  ///   - notes: become waypoints in GPX; `table(of:)` has all that they say.
  ///   - creator: the program's name, for the formats that have it.
  public func bytes(
    of captures: some Sequence<ExportedCapture>, notes: [TeamNote] = [], creator: String
  ) -> [UInt8] {
    let captures = Array(captures)
    var writer = LineWriter()
    switch self {
    case .gpx: writer.gpx(Team.tracks(of: captures), notes: notes, creator: creator)
    case .kml: writer.kml(Team.tracks(of: captures), creator: creator)
    case .geojson: writer.geoJSON(captures)
    case .csv: writer.csv(captures)
    }
    return writer.bytes
  }
}

/// The captures of one team with one device, in order.
struct Team {
  var name: String
  var device: UniqueID
  var captures: [ExportedCapture] = []

  /// The captures in runs without a gap, or a step back by as much. A capture without a date makes
  /// no gap.
  var segments: [ArraySlice<ExportedCapture>] {
    var steps: [Milliseconds] = []
    var last: UTC?
    for case let date? in captures.map(\.date) {
      if let last { steps.append(date - last) }
      last = date
    }
    let longest = Gaps.longestStep(steps).count
    var segments: [ArraySlice<ExportedCapture>] = []
    var (start, step) = (0, 0)
    last = nil
    for (index, capture) in captures.enumerated() {
      guard let date = capture.date else { continue }
      defer { last = date }
      if last == nil { continue }
      if steps[step].count.magnitude > longest.magnitude {
        segments.append(captures[start..<index])
        start = index
      }
      step += 1
    }
    return segments + [captures[start...]]
  }

  private struct Key: Hashable {
    var name: String
    var device: UniqueID
  }

  /// Ordered by first capture. Captures without a position are on no map.
  static func tracks(of captures: some Sequence<ExportedCapture>) -> [Team] {
    var teams: [Team] = []
    var places: [Key: Int] = [:]
    for capture in captures where capture.capture.position != nil {
      let key = Key(name: capture.team, device: capture.device)
      let place = places[key] ?? teams.count
      if place == teams.count {
        places[key] = place
        teams.append(Team(name: key.name, device: key.device))
      }
      teams[place].captures.append(capture)
    }
    return teams
  }
}

extension ExportFormat {
  /// Notes as a table (RFC 4180): a row for each version that was ever written.
  public static func table(of notes: [TeamNote]) -> [UInt8] {
    var writer = LineWriter()
    writer.text("note,version,written,author,category,state,text\n")
    for note in notes {
      for version in note.history {
        writer.row(of: version, isCurrent: note.current.contains(version))
      }
    }
    return writer.bytes
  }
}

extension LineWriter {
  fileprivate mutating func row(of version: NoteVersion, isCurrent: Bool) {
    csvField(version.note.text)
    text(",")
    csvField(version.id.text)
    text(",")
    if let written = version.written { date(written) }
    text(",")
    csvField(version.author)
    text(",")
    csvField(version.category)
    text(version.text == nil ? ",deleted," : isCurrent ? ",current," : ",earlier,")
    csvField(version.text ?? "")
    text("\n")
  }

  /// Waypoints for the versions that count, each where the team was last seen before that was
  /// written, with the time of that place. One from before the first capture has none.
  mutating func gpxNotes(_ notes: [TeamNote], among captures: [ExportedCapture]) {
    for version in notes.flatMap(\.current) {
      guard let written = version.written, let words = version.text else { continue }
      let before = captures.filter { $0.date.map { $0 <= written } ?? false }
      guard
        let last = before.max(by: {
          ($0.date?.milliseconds ?? 0) < ($1.date?.milliseconds ?? 0)
        })
      else { continue }
      gpxStart("wpt", last)
      text("<name>")
      xml(words)
      text("</name><desc>")
      date(written)
      text(" ")
      xml("\(version.author) (\(version.category))")
      text("</desc><type>note</type></wpt>\n")
    }
  }
}
