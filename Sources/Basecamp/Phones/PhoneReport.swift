import Courses
import FeatureService
import JSONReading
import TrackerCore

/// A position as a telephone's app sends it.
struct PhoneFix: Sendable, Equatable {
  var taken: UTC
  var position: Coordinate
  var accuracyMetres: Int64?
  /// 0...100.
  var batteryPercent: Int64?

  /// - Parameters:
  ///   - latitude: degrees.
  ///   - accuracy: metres; what is none is left out.
  ///   - battery: percent; what is none is left out.
  /// - Returns: `nil` for what is no position of about now: an app has no fix, or a wrong date.
  init?(
    latitude: Double?, longitude: Double?, taken: UTC?, accuracy: Double?, battery: Double?,
    at now: UTC
  ) {
    guard let position = Coordinate(degreesOfLatitude: latitude, longitude: longitude), let taken,
      latitude != 0 || longitude != 0, taken - now <= Bounds.phoneFuture,
      now - taken <= Bounds.phonePast
    else { return nil }
    (self.taken, self.position) = (taken, position)
    accuracyMetres = accuracy.flatMap {
      (0...100_000).contains($0) ? Int64($0.rounded(.up)) : nil
    }
    batteryPercent = battery.flatMap { (0...100).contains($0) ? Int64($0.rounded()) : nil }
  }
}

/// What a telephone's app says in one request.
///
/// OsmAnd's query or form (`lat`, `lon`, `timestamp`, `accuracy`, `batt`; `id` or `deviceid`; also
/// Traccar Client's before version 9), Traccar Client's JSON (`location` with `timestamp`, `coords`
/// and `battery`; `device_id`; https://www.traccar.org/osmand) and OwnTracks' JSON (`_type`, `lat`,
/// `lon`, `tst`, `acc`, `batt`, `tid`; https://owntracks.org/booklet/tech/json). Speeds, altitudes
/// and all else have no column in the layer. A tracker's own captures come as OsmAnd requests, too.
struct PhoneReport: Sendable, Equatable {
  enum App: String, Sendable {
    case osmAnd = "OsmAnd"
    case traccarClient = "Traccar Client"
    case ownTracks = "OwnTracks"
    case tracker = "trailtracker"
  }

  var app: App
  /// How the app calls its telephone. It is shown, and grants nothing.
  var name: String?
  var fixes: [PhoneFix] = []
  /// What a tracker has sent.
  var posted: PostedCapture?
  /// Positions that cannot be used.
  var leftOut = 0

  /// - Returns: `nil` for a request that says nothing of where a telephone is, and is no report
  ///   about anything else either.
  init?(_ request: ServiceRequest, at now: UTC) {
    if let json = request.json, !json.isEmpty {
      guard let value = try? JSONValue(parsing: json) else { return nil }
      if value["_type"]?.text != nil {
        self.init(ownTracks: value, at: now)
      } else {
        self.init(traccar: value, at: now)
      }
    } else if request.json != nil {
      // OwnTracks deletes a friend with nothing.
      self.init(app: .ownTracks)
    } else {
      self.init(query: request, at: now)
    }
  }

  private init(app: App, name: String? = nil) {
    self.app = app
    self.name = name.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(50))).visible }
  }

  private mutating func add(_ fix: PhoneFix?) {
    guard let fix else {
      leftOut += 1
      return
    }
    if !fixes.contains(where: { $0.taken == fix.taken }) { fixes.append(fix) }
  }

  // MARK: OsmAnd

  private init?(query request: ServiceRequest, at now: UTC) {
    func number(_ name: String) -> Double? { request.text(name).flatMap { Double($0) } }
    let name = request.text("id") ?? request.text("deviceid")
    if PostedCapture.isIn(request) {
      guard let capture = PostedCapture(request) else { return nil }
      self.init(app: .tracker, name: name)
      posted = capture
      return
    }
    guard request.text("lat") != nil, request.text("lon") != nil else { return nil }
    self.init(app: .osmAnd, name: name)
    add(
      PhoneFix(
        latitude: number("lat"), longitude: number("lon"),
        taken: request.text("timestamp").flatMap { Self.date($0) },
        accuracy: number("accuracy"), battery: number("batt"), at: now))
  }

  /// Seconds or milliseconds since 1970, as Traccar tells them apart, or a date.
  static func date(_ text: String) -> UTC? {
    guard let number = Int64(text) else { return DateText.xmlDate(text) }
    return number < Int64(Int32.max) ? seconds(number) : UTC(milliseconds: number).plausible
  }

  private static func seconds(_ number: Int64) -> UTC? {
    let (milliseconds, isTooMuch) = number.multipliedReportingOverflow(by: 1000)
    return isTooMuch ? nil : UTC(milliseconds: milliseconds).plausible
  }

  // MARK: Traccar Client

  private init?(traccar value: JSONValue, at now: UTC) {
    let locations: [JSONValue]
    switch value["location"] {
    case .list(let several): locations = several
    case let one?: locations = [one]
    case nil: return nil
    }
    guard locations.count <= Bounds.phoneFixes else { return nil }
    self.init(app: .traccarClient, name: value["device_id"]?.text)
    for location in locations {
      let coordinates = location["coords"]
      add(
        PhoneFix(
          latitude: coordinates?["latitude"]?.number,
          longitude: coordinates?["longitude"]?.number,
          taken: location["timestamp"]?.text.flatMap { Self.date($0) },
          accuracy: coordinates?["accuracy"]?.number,
          battery: location["battery"]?["level"]?.number.map { $0 * 100 }, at: now))
    }
  }

  // MARK: OwnTracks

  private init(ownTracks value: JSONValue, at now: UTC) {
    self.init(app: .ownTracks, name: value["tid"]?.text)
    guard value["_type"]?.text == "location" else { return }
    add(
      PhoneFix(
        latitude: value["lat"]?.number, longitude: value["lon"]?.number,
        taken: value["tst"]?.wholeNumber.flatMap { Self.seconds($0) },
        accuracy: value["acc"]?.number, battery: value["batt"]?.number, at: now))
  }
}

extension UTC {
  /// `nil` for what no clock says: sums with it could overflow.
  fileprivate var plausible: UTC? { milliseconds.magnitude < 1 << 52 ? self : nil }
}

extension JSONValue {
  fileprivate subscript(_ key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
