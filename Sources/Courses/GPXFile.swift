import TrackerCore

/// What a walk or a course needs of a GPX file (1.0 and 1.1).
public struct GPXFile {
  public struct Point: Sendable, Equatable {
    public var place: GroundPoint
    /// Whether the file says how high it is.
    public var hasAltitude = false
    /// When somebody was there.
    public var utc: UTC?
    /// As a receiver measured it. GPX 1.1 has no element for it, but any program's extensions may;
    /// all that are known (ours, Garmin's, OsmAnd's) call it `speed` and give metres per second,
    /// as GPX 1.0 did.
    public var speedMillimetresPerSecond: Int32?
    /// As our own exports have it.
    public var accuracyMetres: Int32?
  }

  /// The first track's name, else the first route's.
  public private(set) var name: String?
  /// The segments of all tracks, in their order; without tracks, the routes.
  public private(set) var segments: [[Point]] = []
  /// The waypoints, which have a place and mostly a name.
  public private(set) var places: [CourseFile.Place] = []

  /// Whether a file is meant to be GPX, by its beginning.
  public static func isGPX(_ beginning: [UInt8]) -> Bool {
    var tags = XMLTags(beginning)
    let text = beginning.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    return text.first == UInt8(ascii: "<") && tags.next()?.name == "gpx"
  }

  /// - Throws: with the line of the first mistake, and what to do.
  public init(_ bytes: [UInt8]) throws(CourseProblem) {
    var tags = XMLTags(bytes)
    var reader = Reader()
    while let tag = tags.next() { try reader.take(tag, of: tags) }
    places = reader.places
    segments = reader.tracks.contains { !$0.isEmpty } ? reader.tracks : reader.routes
    segments.removeAll { $0.isEmpty }
    name = reader.name
    guard reader.isWhole else { throw CourseProblem("the file is cut off: copy it once more") }
    guard segments.contains(where: { $0.count > 1 }) else {
      throw CourseProblem(
        "no track with two points in it: export the track or the route, not only places")
    }
  }

  /// Gathers the elements; those of extensions do not count, whatever their names, but for what a
  /// `CourseFile` says of places, and what a receiver measured.
  private struct Reader {
    var name: String?
    var tracks: [[Point]] = []
    var routes: [[Point]] = []
    var places: [CourseFile.Place] = []
    var isWhole = false
    private var point: Point?
    private var pointName: String?
    /// What is said of the point as a place: key and value.
    private var remarks: [(key: String, value: String)] = []
    private var isInLine = false
    private var extensions = 0

    mutating func take(_ tag: XMLTags.Tag, of tags: XMLTags) throws(CourseProblem) {
      if tag.name == "extensions", !tag.isWhole { extensions += tag.isOpening ? 1 : -1 }
      if !tag.isOpening { measure(tag.name, tags.content) }
      guard extensions <= 0 else {
        if !tag.isOpening, CourseFile.Place.keys.contains(tag.name) {
          remark(tag.name, tags.content)
        }
        return
      }
      if tag.isOpening { try open(tag, tags) }
      if !tag.isOpening || tag.isWhole { try close(tag, tags) }
    }

    private mutating func open(_ tag: XMLTags.Tag, _ tags: XMLTags) throws(CourseProblem) {
      switch tag.name {
      case "trkpt", "rtept", "wpt":
        func number(_ name: String) -> Double? {
          tag.attributes.first { $0.name == name }.flatMap { Double($0.value) }
        }
        guard let latitude = number("lat"), let longitude = number("lon"),
          GroundPoint.latitudes.contains(latitude), GroundPoint.longitudes.contains(longitude)
        else {
          throw CourseProblem(
            "line \(tags.line(of: tag.place)): lat and lon are not degrees (85 at most): "
              + "fix that point")
        }
        point = Point(
          place: GroundPoint(latitude: latitude, longitude: longitude, altitude: 0))
        pointName = nil
        remarks = []
      case "trk", "rte":
        isInLine = true
        if tag.name == "rte" { routes.append([]) }
      case "trkseg": tracks.append([])
      default: break
      }
    }

    private mutating func close(_ tag: XMLTags.Tag, _ tags: XMLTags) throws(CourseProblem) {
      switch tag.name {
      case "ele":
        // Some programs write NaN for an unknown height.
        if let metres = Double(tags.content), GroundPoint.altitudes.contains(metres) {
          point?.place.altitude = metres
          point?.hasAltitude = true
        }
      case "time":
        guard point != nil else { return }
        guard let utc = DateText.xmlDate(tags.content) else {
          throw CourseProblem(
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
      case "type" where CourseFile.Place.kind(tags.content) != nil: remark("kind", tags.content)
      case "desc", "cmt": remark("", tags.content)
      case "trkpt":
        if tracks.isEmpty { tracks.append([]) }
        if let point { tracks[tracks.count - 1].append(point) }
        point = nil
      case "rtept":
        if routes.isEmpty { routes.append([]) }
        if let point { routes[routes.count - 1].append(point) }
        point = nil
      case "wpt":
        if let point { add(point.place) }
        point = nil
      case "trk", "rte": isInLine = false
      case "gpx": isWhole = true
      default: break
      }
    }

    private mutating func measure(_ name: String, _ content: String) {
      guard name == "speed" || name == "accuracy", let value = Double(content),
        (0...1_000_000).contains(value)
      else { return }
      if name == "speed" {
        point?.speedMillimetresPerSecond = Int32((value * 1000).rounded())
      } else {
        point?.accuracyMetres = Int32(value.rounded(.up))
      }
    }

    private mutating func remark(_ key: String, _ value: String) {
      // As many as there are keys, twice; a place with more is not a place.
      if point != nil, remarks.count < 12 { remarks.append((key, value)) }
    }

    private mutating func add(_ point: GroundPoint) {
      var place = CourseFile.Place(name: pointName, point: point)
      for remark in remarks where remark.key.isEmpty { place.read(description: remark.value) }
      for remark in remarks where !remark.key.isEmpty { place.set(remark.key, remark.value) }
      places.append(place)
    }
  }
}
