import Courses
import FeatureService
import TrackerCore

/// A capture as a tracker posts it in an OsmAnd request (`OsmAnd`): known by its identifier, so at
/// any age, with or without a time and a place.
struct PostedCapture: Sendable, Equatable {
  var id: UniqueID
  var sequence: UInt32
  /// `nil`: the tracker does not trust its clock.
  var moment: UTC?
  var position: Coordinate?
  var accuracyMetres: Int64?
  /// 0...100.
  var batteryPercent: Int64?
  var trigger: Trigger
  var promise: UTC?
  var silence: PlannedSilence

  /// Whether it says so of itself.
  static func isIn(_ request: ServiceRequest) -> Bool {
    request.text("uuid") != nil && request.text("sequence") != nil
  }

  /// - Returns: `nil` for none that is whole.
  init?(_ request: ServiceRequest) {
    guard let id = request.text("uuid").flatMap({ UniqueID(text: $0) }),
      let sequence = request.text("sequence").flatMap({ UInt32($0) }),
      let trigger = request.text("trigger").flatMap({ Trigger(name: Array($0.utf8).span) })
    else { return nil }
    // A digit that was changed on the way would be another capture's. The name is another one where
    // the person has chosen it.
    if let device = request.text("id").flatMap({ UniqueID(text: $0) }) {
      guard id.sequence(of: device) == sequence else { return nil }
    }
    (self.id, self.sequence, self.trigger) = (id, sequence, trigger)
    // What was damaged on the way is whole on the tracker's card, until it counts as delivered.
    switch request.text("timeTrusted") {
    case "true":
      moment = request.text("timestamp").flatMap { PhoneReport.date($0) }
      if moment == nil { return nil }
    case "false": break
    default: return nil
    }
    if request.text("lat") != nil || request.text("lon") != nil {
      position = Coordinate(
        degreesOfLatitude: request.text("lat").flatMap { Double($0) },
        longitude: request.text("lon").flatMap { Double($0) })
      if position == nil { return nil }
    }
    accuracyMetres = request.text("accuracy").flatMap { Int64($0) }.flatMap {
      (0...100_000).contains($0) ? $0 : nil
    }
    batteryPercent = request.text("batt").flatMap { Int64($0) }.flatMap {
      (0...100).contains($0) ? $0 : nil
    }
    promise = request.text("nextContactBy").flatMap { DateText.xmlDate($0) }
    silence = PlannedSilence(named: request.text("silence"))
  }

  /// The identifier that it takes where another capture has its own, as of a copied card.
  var renewedID: UniqueID {
    UniqueID(
      replacing: id,
      of: Capture(
        sequence: sequence, utc: moment, isTimeTrusted: moment != nil, position: position,
        team: InlineText(), trigger: trigger))
  }
}

extension Coordinate {
  /// - Returns: `nil` beyond the limits, and without both.
  init?(degreesOfLatitude latitude: Double?, longitude: Double?) {
    guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else {
      return nil
    }
    self.init(
      latitude: Int32((latitude * 1e7).rounded()), longitude: Int32((longitude * 1e7).rounded()))
  }
}
