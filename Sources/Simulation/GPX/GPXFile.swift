import TrackerCore

/// What a walk needs of a GPX file (1.0 and 1.1).
struct GPXFile {
  struct Point {
    var place: Course.Point
    /// Whether the file says how high it is.
    var hasAltitude = false
    /// When somebody was there.
    var utc: UTC?
  }

  /// The first track's name, else the first route's.
  private(set) var name: String?
  /// The segments of all tracks, in their order; without tracks, the routes.
  private(set) var segments: [[Point]] = []
  /// The waypoints, which have a place and mostly a name.
  private(set) var places: [(name: String?, point: Course.Point)] = []

  /// Whether a file is meant to be GPX, by its beginning.
  static func isGPX(_ beginning: [UInt8]) -> Bool {
    var tags = XMLTags(beginning)
    let text = beginning.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    return text.first == UInt8(ascii: "<") && tags.next()?.name == "gpx"
  }

  /// - Throws: with the line of the first mistake, and what to do.
  init(_ bytes: [UInt8]) throws(SynthProblem) {
    var tags = XMLTags(bytes)
    var reader = Reader()
    while let tag = tags.next() { try reader.take(tag, of: tags) }
    places = reader.places
    segments = reader.tracks.contains { !$0.isEmpty } ? reader.tracks : reader.routes
    segments.removeAll { $0.isEmpty }
    name = reader.name
    guard reader.isWhole else { throw SynthProblem("the file is cut off: copy it once more") }
    guard segments.contains(where: { $0.count > 1 }) else {
      throw SynthProblem(
        "no track with two points in it: export the track or the route, not only places")
    }
  }

  /// Gathers the elements; those of extensions do not count, whatever their names.
  private struct Reader {
    var name: String?
    var tracks: [[Point]] = []
    var routes: [[Point]] = []
    var places: [(name: String?, point: Course.Point)] = []
    var isWhole = false
    private var point: Point?
    private var pointName: String?
    private var isInLine = false
    private var extensions = 0

    mutating func take(_ tag: XMLTags.Tag, of tags: XMLTags) throws(SynthProblem) {
      if tag.name == "extensions", !tag.isWhole { extensions += tag.isOpening ? 1 : -1 }
      guard extensions <= 0 else { return }
      if tag.isOpening { try open(tag, tags) }
      if !tag.isOpening || tag.isWhole { try close(tag, tags) }
    }

    private mutating func open(_ tag: XMLTags.Tag, _ tags: XMLTags) throws(SynthProblem) {
      switch tag.name {
      case "trkpt", "rtept", "wpt":
        func number(_ name: String) -> Double? {
          tag.attributes.first { $0.name == name }.flatMap { Double($0.value) }
        }
        guard let latitude = number("lat"), let longitude = number("lon"),
          Course.latitudes.contains(latitude), Course.longitudes.contains(longitude)
        else {
          throw SynthProblem(
            "line \(tags.line(of: tag.place)): lat and lon are not degrees (85 at most): "
              + "fix that point")
        }
        point = Point(
          place: Course.Point(latitude: latitude, longitude: longitude, altitude: 0))
        pointName = nil
      case "trk", "rte":
        isInLine = true
        if tag.name == "rte" { routes.append([]) }
      case "trkseg": tracks.append([])
      default: break
      }
    }

    private mutating func close(_ tag: XMLTags.Tag, _ tags: XMLTags) throws(SynthProblem) {
      switch tag.name {
      case "ele":
        // Some programs write NaN for an unknown height.
        if let metres = Double(tags.content), Course.altitudes.contains(metres) {
          point?.place.altitude = metres
          point?.hasAltitude = true
        }
      case "time":
        guard point != nil else { return }
        guard let utc = TimeText.xmlDate(tags.content) else {
          throw SynthProblem(
            "line \(tags.line(of: tag.place)): '\(printable(tags.content))' is not a time like "
              + "2026-04-18T08:00:00Z: fix it")
        }
        point?.utc = utc
      case "name":
        if point != nil {
          pointName = printable(tags.content)
        } else if isInLine, name == nil {
          name = printable(tags.content)
        }
      case "trkpt":
        if tracks.isEmpty { tracks.append([]) }
        if let point { tracks[tracks.count - 1].append(point) }
        point = nil
      case "rtept":
        if routes.isEmpty { routes.append([]) }
        if let point { routes[routes.count - 1].append(point) }
        point = nil
      case "wpt":
        if let point { places.append((pointName, point.place)) }
        point = nil
      case "trk", "rte": isInLine = false
      case "gpx": isWhole = true
      default: break
      }
    }
  }
}
