import Statistics
public import TrackerCore

/// What happened in the course of a run, for a picture of it: gathered from a tracker's input and
/// effects and from looks at it, in bounded memory.
public final class RunHistory: HostObserver {
  /// A capture on the map.
  struct Mark: Sendable, Equatable {
    /// In the order of storing, from 1 on.
    var key: CaptureKey
    var sequence: UInt32
    /// When it was first given to the store.
    var at: Instant
    var position: Coordinate
    var batteryPercent: UInt8?
    /// When the server's acknowledgement arrived.
    var deliveredAt: Instant?
    var isSetAside = false
  }

  /// What a look shows.
  public struct Look: Sendable, Equatable {
    var at: Instant
    /// Of the last fix.
    var position: Coordinate?
    /// The battery's charge, 0...100.
    var percent: Double
    /// Of the last fix, above mean sea level.
    var altitudeMillimetres: Int32?

    public init(
      at: Instant, position: Coordinate?, percent: Double, altitudeMillimetres: Int32? = nil
    ) {
      self.at = at
      self.position = position
      self.percent = percent
      self.altitudeMillimetres = altitudeMillimetres
    }
  }

  private(set) var team = ""
  /// In the order of storing; one of `stride`.
  private(set) var marks: [Mark] = []
  private(set) var stride: UInt32 = 1
  /// The number of captures that were stored.
  private(set) var stored: UInt32 = 0
  /// Every stored capture, for the statistics; `ReportBounds.runPoints` at most.
  private(set) var points: [TrackPoint] = []
  private(set) var looks: [Look] = []
  private var lookStride = 1
  private var lookCount = 0
  /// Values are those of `ModemLevel`.
  private(set) var modem = StepSeries()
  /// How much of the time it was at which of them.
  private(set) var modemShares = ModemShares()
  /// The number of pending captures.
  private(set) var queue = StepSeries()
  /// How long the modem was in each state, by `ModemPhase.rawValue`.
  private(set) var phaseTimes: [Milliseconds] = Array(repeating: 0, count: 10)
  /// The date at `Instant.start`; `nil`: no date was ever trusted.
  private(set) var startDate: UTC?

  private let limit: Int
  private var offered: (capture: Capture, at: Instant)?
  private var phase: (phase: ModemPhase, since: Instant) = (.off, .start)

  /// - Parameter limit: how many captures, looks and steps are kept at most.
  public init(limit: Int = 2048) {
    self.limit = max(2, limit)
    modem = StepSeries(limit: 2 * self.limit)
    queue = StepSeries(limit: 2 * self.limit)
  }

  // MARK: What is gathered

  public func arrived(_ arrival: Arrival, at now: Instant) {
    guard case .event(let event) = arrival else {
      if arrival == .end { change(to: phase.phase, at: now) }
      return
    }
    switch event {
    case .captureStored(let sequence, let counts):
      keep(sequence)
      queue.set(Int32(clamping: counts.pending), at: now)
    case .uploadFinished(_, _, let counts), .reconcileFinished(_, _, let counts),
      .queueChanged(let counts):
      queue.set(Int32(clamping: counts.pending), at: now)
    case .deadlineReached, .batteryMeasured, .batteryLost, .storeFailed, .linkChanged,
      .textFinished, .textsRead, .lineChanged, .pinChanged, .commandGiven, .haltRefused,
      .fetchFinished:
      break
    }
  }

  public func pushed(_ effect: Effect, at now: Instant) {
    switch effect {
    case .store(let capture):
      if offered?.capture.sequence != capture.sequence { offered = (capture, now) }
    case .note(.modem(let next)): change(to: next, at: now)
    case .note(.clockTrusted(let utc)):
      startDate = UTC(milliseconds: utc.milliseconds &- now.milliseconds)
    case .note, .upload, .reconcile, .fetch, .setAside, .pulse, .setPin, .setLight, .sendToModem,
      .sendToReceiver, .setLink, .sendText, .readTexts, .rememberPIN, .setModemBaud,
      .halt:
      break
    }
  }

  /// The server has acknowledged a capture.
  public func delivered(_ key: CaptureKey, at now: Instant) {
    change(key) { $0.deliveredAt = now }
  }

  /// The server has refused a capture for good.
  public func setAside(_ key: CaptureKey) { change(key) { $0.isSetAside = true } }

  /// Somebody has looked; at regular times.
  public func looked(_ look: Look) {
    defer { lookCount += 1 }
    guard lookCount % lookStride == 0 else { return }
    looks.append(look)
    guard looks.count > limit else { return }
    lookStride *= 2
    looks = looks.indices.filter { $0 % 2 == 0 }.map { looks[$0] }
  }

  // MARK: What is read back

  /// A capture from a file; they come in order.
  func restore(
    _ position: Coordinate, at: Instant, deliveredAt: Instant?, isSetAside: Bool
  ) {
    guard marks.count < limit else { return }
    stored += 1
    marks.append(
      Mark(
        key: CaptureKey(stored), sequence: stored, at: at, position: position,
        batteryPercent: nil, deliveredAt: deliveredAt, isSetAside: isSetAside))
  }

  func restoreModem(_ step: StepSeries.Step) { modem.restore(step) }
  func restore(_ shares: ModemShares.Bin, of width: Milliseconds) {
    modemShares.restore(shares, of: width)
  }
  func restoreQueue(_ step: StepSeries.Step) { queue.restore(step) }

  // MARK: How it is kept

  private func keep(_ sequence: UInt32) {
    guard let (capture, at) = offered, capture.sequence == sequence else { return }
    offered = nil
    stored += 1
    if stored == 1 {
      let name = (0..<capture.team.count).map { capture.team[$0] }
      team = String(decoding: name, as: UTF8.self)
    }
    guard let position = capture.position else { return }
    if points.count < ReportBounds.runPoints, let point = TrackPoint(capture) {
      points.append(point)
    }
    guard (stored - 1) % stride == 0 else { return }
    marks.append(
      Mark(
        key: CaptureKey(stored), sequence: sequence, at: at, position: position,
        batteryPercent: capture.batteryPercent))
    guard marks.count > limit else { return }
    stride *= 2
    marks = marks.filter { ($0.key.number - 1) % stride == 0 }
  }

  private func change(_ key: CaptureKey, _ body: (inout Mark) -> Void) {
    guard key.number > 0, (key.number - 1) % stride == 0 else { return }
    let index = Int((key.number - 1) / stride)
    if marks.indices.contains(index) { body(&marks[index]) }
  }

  private func change(to next: ModemPhase, at now: Instant) {
    phaseTimes[Int(phase.phase.rawValue)] =
      phaseTimes[Int(phase.phase.rawValue)] + (now - phase.since)
    modemShares.add(ModemLevel(phase.phase), from: phase.since, to: now)
    phase = (next, now)
    modem.set(ModemLevel(next).rawValue, at: now)
  }
}

/// How far a modem has come, as drawn: higher is further.
enum ModemLevel: Int32, Sendable, CaseIterable {
  case off, starting, searching, registered, inUse

  init(_ phase: ModemPhase) {
    switch phase {
    case .off, .faulted: self = .off
    case .starting, .checkingSIM, .stopping, .stillOn: self = .starting
    case .searching: self = .searching
    case .registered, .attached: self = .registered
    case .inUse: self = .inUse
    }
  }
}
