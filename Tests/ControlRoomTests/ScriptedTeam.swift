import ControlRoom
import Courses
import TestSupport
import TrackerCore
import Wording

/// A straight course of 30 km to the north with places at 0, 10, 20 and 30 km, and teams on it.
enum Race {
  static let start = UTC(milliseconds: 1_776_499_200_000)

  static func at(_ minutes: Double) -> UTC { start + Milliseconds(Int64(minutes * 60_000)) }

  /// - Parameter east: metres beside the course.
  static func position(_ km: Double, east: Double = 0) -> Coordinate {
    Coordinate(
      latitude: 420_000_000 + Int32((km * 1000 / 111_070 * 1e7).rounded()),
      longitude: 25_000_000 + Int32((east / 82_850 * 1e7).rounded()))
  }

  /// - Parameters:
  ///   - closes: minutes after the start, of the place at 20 km.
  ///   - opens: the same, of the start.
  static func course(closes: Double? = nil, opens: Double? = nil) -> MappedCourse {
    func point(_ km: Double) -> String {
      let place = position(km)
      return "[\(Double(place.longitude) / 1e7), \(Double(place.latitude) / 1e7)]"
    }
    func feature(_ name: String, _ kind: String, _ km: Double, _ more: String = "") -> String {
      """
      {"type": "Feature", "properties": {"name": "\(name)", "kind": "\(kind)"\(more)},
       "geometry": {"type": "Point", "coordinates": \(point(km))}}
      """
    }
    let hours =
      closes.map {
        ", \"opens\": \"\(HoursText.text(start))\", \"closes\": \"\(HoursText.text(at($0)))\""
      } ?? ""
    let opening = opens.map { ", \"opens\": \"\(HoursText.text(at($0)))\"" } ?? ""
    let line = (0...60).map { point(Double($0) / 2) }.joined(separator: ", ")
    let json = """
      {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {},
       "geometry": {"type": "LineString", "coordinates": [\(line)]}},
      \(feature("Sortida", "start", 0, opening)), \(feature("Amer", "checkpoint", 10)),
      \(feature("Bescanó", "checkpoint", 20, hours)), \(feature("Arribada", "finish", 30))]}
      """
    return try! MappedCourse(Array(json.utf8))
  }

  static func device(_ number: UInt64) -> UniqueID {
    UniqueID(high: 0x1234_0000 + number, low: 0x9876_0000 + number)
  }
}

private enum HoursText {
  static func text(_ utc: UTC) -> String {
    var bytes: [UInt8] = []
    CivilTime(utc)?.forEachByte { bytes.append($0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A tracker that walks along the course of `Race`, and what it delivers.
struct ScriptedTeam {
  var code: String
  var device: UniqueID
  var sequence: UInt32 = 0
  /// Captures that are not delivered yet.
  var waiting: [DeliveredCapture] = []
  /// All that was delivered.
  var delivered: [DeliveredCapture] = []
  var battery = 80.0

  init(_ code: String, device: UInt64? = nil) {
    self.code = code
    self.device = Race.device(device ?? UInt64(code.utf8.reduce(0) { $0 * 31 + Int($1) }))
  }

  mutating func capture(
    _ minutes: Double, km: Double, east: Double = 0,
    _ change: (inout DeliveredCapture) -> Void = { _ in }
  ) {
    sequence += 1
    var arrival = DeliveredCapture(
      at: Race.at(minutes), tracker: code, team: "Team \(code)",
      id: UniqueID(device: device, sequence: sequence), taken: Race.at(minutes),
      position: Race.position(km, east: east))
    arrival.sequence = sequence
    arrival.batteryPercent = battery
    arrival.trigger = .interval
    change(&arrival)
    waiting.append(arrival)
  }

  /// Delivers the freshest capture, then the others from the oldest on.
  ///
  /// - Parameter promise: minutes until the next contact.
  mutating func contact(
    _ minutes: Double, promise: Double? = 20, _ silence: PlannedSilence = .none
  ) -> [DeliveredCapture] {
    guard let last = waiting.popLast() else { return [] }
    let all = ([last] + waiting).enumerated().map { index, capture in
      var arrival = capture
      arrival.at = Race.at(minutes + Double(index) / 60)
      arrival.promise = promise.map { Race.at(minutes + $0) }
      arrival.silence = silence
      return arrival
    }
    waiting = []
    delivered += all
    return all
  }

  /// Walks on from a place, with a capture every 10 and a contact every 20 minutes.
  ///
  /// - Returns: what is delivered.
  mutating func walk(
    _ minutes: ClosedRange<Double>, from km: Double, kilometresPerHour pace: Double = 5,
    silentFrom: Double = .infinity, silentTo: Double = .infinity, promise: Double = 20
  ) -> [DeliveredCapture] {
    var arrivals: [DeliveredCapture] = []
    var count = 0
    var time = minutes.lowerBound
    while time <= minutes.upperBound {
      capture(time, km: min(30, km + (time - minutes.lowerBound) / 60 * pace))
      let isSilent = time >= silentFrom && time < silentTo
      if count % 2 == 0, !isSilent { arrivals += contact(time, promise: promise) }
      count += 1
      time += 10
    }
    return arrivals
  }
}

extension RaceBoard {
  /// All of it, in its order.
  var json: String {
    let figures = rows.map { $0.figure().json }
    return "\(String(describing: at))\n" + figures.joined(separator: "\n")
  }
}

extension Room {
  /// Feeds arrivals in the order of their times.
  @discardableResult mutating func feed(_ arrivals: [DeliveredCapture]) -> [DiaryEntry] {
    var written: [DiaryEntry] = []
    for arrival in arrivals.sorted(by: { $0.at < $1.at }) { written += take([arrival]) }
    return written
  }

  func row(_ tracker: String) -> RaceBoard.Row? { board.rows.first { $0.tracker == tracker } }
  func needs(_ tracker: String) -> [Need] { row(tracker)?.concerns.map(\.need) ?? [] }
  var open: [Alarm] { alarms.filter(\.isOpen) }
}
