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
  public init(_ bytes: [UInt8]) throws(CourseError) {
    var tags = XMLTags(bytes)
    var reader = Reader()
    while let tag = tags.next() { try reader.take(tag, of: tags) }
    places = reader.places
    segments = reader.tracks.contains { !$0.isEmpty } ? reader.tracks : reader.routes
    segments.removeAll { $0.isEmpty }
    name = reader.name
    guard reader.isWhole else { throw CourseError("the file is cut off: copy it once more") }
    guard segments.contains(where: { $0.count > 1 }) else {
      throw CourseError(
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

    mutating func take(_ tag: XMLTags.Tag, of tags: XMLTags) throws(CourseError) {
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

    private mutating func open(_ tag: XMLTags.Tag, _ tags: XMLTags) throws(CourseError) {
      switch tag.name {
      case "trkpt", "rtept", "wpt":
        func number(_ name: String) -> Double? {
          tag.attributes.first { $0.name == name }.flatMap { Double($0.value) }
        }
        guard let latitude = number("lat"), let longitude = number("lon"),
          GroundPoint.latitudes.contains(latitude), GroundPoint.longitudes.contains(longitude)
        else {
          throw CourseError(
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

    private mutating func close(_ tag: XMLTags.Tag, _ tags: XMLTags) throws(CourseError) {
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
          throw CourseError(
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

/// Dates in files.
public enum DateText {
  /// A date in this century, `2026-04-18T08:00:00Z`: RMC has two digits for the year, and 1024
  /// weeks earlier has to be after 1970.
  public static func date(_ text: String) -> UTC? {
    let bytes = Array(text.utf8)
    let shape = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
    guard bytes.count == shape.count else { return nil }
    var numbers: [Int32] = [0]
    for (byte, wanted) in zip(bytes, shape) {
      if wanted == UInt8(ascii: "d") {
        guard (48...57).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int32(byte - 48)
      } else {
        guard byte == wanted else { return nil }
        numbers.append(0)
      }
    }
    guard (2000..<2100).contains(numbers[0]) else { return nil }
    return CivilTime(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: numbers[5])?.utc
  }

  /// A date of XML in this century (ISO 8601): `2026-04-18T10:00:00.250+02:00`; without a zone it
  /// is UTC, as in GPX.
  public static func xmlDate(_ text: String) -> UTC? {
    guard text.utf8.count >= 19, let whole = date(String(text.prefix(19)) + "Z") else { return nil }
    var rest = Array(text.utf8.dropFirst(19))[...]
    var milliseconds: Int64 = 0
    if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
      let digits = rest.dropFirst().prefix { (48...57).contains($0) }
      guard !digits.isEmpty else { return nil }
      for place in 0..<3 {
        let digit = digits.dropFirst(place).first ?? 48
        milliseconds = milliseconds * 10 + Int64(digit - 48)
      }
      rest = rest.dropFirst(1 + digits.count)
    }
    let local = whole + Milliseconds(milliseconds)
    guard let sign = rest.first, sign != UInt8(ascii: "Z") else {
      return rest.count <= 1 ? local : nil
    }
    guard let ahead = offset(Array(rest.dropFirst())) else { return nil }
    switch sign {
    case UInt8(ascii: "+"): return local + Milliseconds(-ahead.count)
    case UInt8(ascii: "-"): return local + ahead
    default: return nil
    }
  }

  /// `02:00`
  private static func offset(_ bytes: [UInt8]) -> Milliseconds? {
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
    let digits = [bytes[0], bytes[1], bytes[3], bytes[4]]
    guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    let numbers = digits.map { Int64($0) - 48 }
    guard numbers[2] < 6 else { return nil }
    return .minutes((numbers[0] * 10 + numbers[1]) * 60 + numbers[2] * 10 + numbers[3])
  }
}
