import ControlRoom
import FeatureService
import TrackerCore

extension DeliveredCapture {
  /// - Returns: `nil` for a feature that is no capture: without a position or an identifier. But
  ///   one of an emergency always is, if need be without a time, which keeps it off the map.
  init?(_ taken: TakenCapture, now: UTC, number: Int64? = nil) {
    let isEmergency = taken.trigger == "emergency"
    let own = UniqueID(high: 0, low: UInt64(bitPattern: number ?? taken.objectID))
    let isOfOne = isEmergency || taken.trigger == "emergencyOver"
    guard let id = taken.id ?? (isOfOne ? own : nil),
      let position = taken.position ?? (isOfOne ? Coordinate(latitude: 0, longitude: 0) : nil)
    else { return nil }
    let moment = taken.position == nil ? nil : taken.moment
    self.init(
      at: taken.arrived ?? now, tracker: taken.sender.text, team: (taken.team ?? "").visible,
      id: id, taken: moment.map { UTC(milliseconds: $0) }, position: position)
    batteryPercent = taken.batteryPercent
    trigger = taken.trigger.flatMap { Trigger(name: Array($0.utf8).span) }
    isFromPhone = taken.trigger == Self.fromPhone
    self.isEmergency = isEmergency
    promise = taken.promise
    silence = PlannedSilence(named: taken.silence)
    sequence = taken.sequence
    accuracyMetres =
      taken.position == nil ? nil : taken.accuracyMetres.flatMap { Int32(exactly: $0) }
  }
}

extension DeliveredCapture {
  /// - Returns: `nil` for one of which nothing was ever told.
  init?(_ revised: CaptureRevision, now: UTC) {
    if revised.isGone {
      guard let id = revised.capture.id else { return nil }
      self.init(
        at: revised.capture.arrived ?? now, tracker: revised.capture.sender.text, id: id,
        taken: nil, position: Coordinate(latitude: 0, longitude: 0))
      (isGone, sequence) = (true, revised.capture.sequence)
    } else {
      self.init(revised.capture, now: now)
    }
    revision = revised.number
  }

  /// - Returns: `nil` for one that says too little of where and who.
  init?(_ refused: RefusedCapture, now: UTC) {
    self.init(refused.capture, now: now, number: 0 - refused.number)
    refusal = refused.reason
  }
}
