public import TrackerCore

/// A dialogue with a layer of an ArcGIS FeatureServer (Esri REST: layer, `applyEdits`,
/// `addFeatures`, `query`, `generateToken`; OAuth 2.0 client credentials).
///
/// A capture is added to the layer once, even if answers are lost:
/// - A layer that accepts GlobalIDs gets `applyEdits` with them. It refuses a second copy, and a
///   query then confirms that the row is this capture.
/// - A layer that cannot be queried gets each capture at least once: a second copy that it refuses
///   as such (1022) counts as delivered.
/// - Any other gets `addFeatures`. Captures that may have been sent before are first queried by the
///   identifier field, and only missing ones are sent.
///
/// A capture is not reported as refused before the layer was queried for it: a server that took it,
/// but whose answer was lost, refuses the second copy with varying messages.
///
/// Only captures named in an answer count as delivered: the HTTP status alone proves nothing.
public struct ArcGISDialogue: UplinkDialogue, Equatable {
  public var configuration: ArcGISConfiguration { access.configuration }
  private var access: ArcGISAccess
  /// The task whose request is in flight.
  private var task: ArcGISTask?

  public var canReconcile: Bool { access.layer?.canBeQueried ?? true }
  public var mayRepeat: Bool {
    access.layer.map { $0.usesGlobalIDs || !$0.canBeQueried } ?? false
  }
  public var sendsMarks: Bool { configuration.fields.haveMarks }

  /// - Throws: if the configuration can never work.
  public init(_ configuration: ArcGISConfiguration) throws(AddressError) {
    try configuration.validate()
    access = ArcGISAccess(configuration)
  }

  public mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
    if work == .check { access.layer = nil }
    return run(ArcGISTask(work)) { $0.proceed(&$1, at: now) }
  }

  public mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
    guard let task else { return .done(UplinkResult(outcome: .upload(.ambiguous))) }
    return run(task) { $0.receive(reply, &$1, at: now) }
  }

  private mutating func run(
    _ task: ArcGISTask, _ step: (inout ArcGISTask, inout ArcGISAccess) -> UplinkStep
  ) -> UplinkStep {
    var task = task
    self.task = nil
    let next = step(&task, &access)
    if case .send = next { self.task = task }
    return next
  }
}
