import FieldConsole
public import TrackerCore
import Wording

/// Measures the battery.
public protocol BatteryMeter: AnyObject {
  /// The battery's present state. Takes some milliseconds.
  func measure() -> Result<BatteryReading, SensorError>
  /// How many implausible readings were not used.
  var rejected: Int { get }
  /// Why the temperature was not measured the last time; `nil`: it was, or there is no thermometer.
  var thermometerProblem: SensorError? { get }
}

/// Has the battery measured once a minute, and knows why if that is not possible.
public final class BatteryWatch: PollSource {
  public enum Source {
    /// The board names no sensor.
    case none
    /// The modem reports the battery's voltage, at contacts.
    case modem
    case meter(any BatteryMeter)
  }

  private enum State {
    /// Nothing has been measured yet.
    case waiting
    case measured
    /// The last measurement failed; another one decides.
    case doubtful
    case lost(SensorError)
  }

  private let source: Source
  private let battery: Battery
  private var state = State.waiting
  private var last: (reading: BatteryReading, at: Instant)?
  /// When to measure; `nil`: never.
  private(set) var dueAt: Instant?
  /// How many implausible voltages the modem has reported.
  private var rejectedOfModem = 0
  private var hasToldOfRejected = false
  private var thermometerProblem: SensorError?

  public init(_ source: Source, of battery: Battery) {
    self.source = source
    self.battery = battery
    if case .meter = source { dueAt = .start }
  }

  func tend(_ pass: inout Pass) {
    if let event = measure(at: pass.now, pass.log) { pass.news.append(.event(event)) }
  }

  func register(in wait: inout LoopWait, at now: Instant) { wait.wake(at: dueAt) }

  /// Measures if it is time to. What changes is logged.
  func measure(at now: Instant, _ log: Log) -> Event? {
    guard case .meter(let meter) = source, let dueAt, now >= dueAt else { return nil }
    self.dueAt = now + HostBounds.batteryInterval
    switch meter.measure() {
    case .success(let reading):
      if meter.rejected > 0 { tellOfRejected(log) }
      follow(meter.thermometerProblem, log)
      return measured(reading, at: now, log)
    case .failure(let problem): return failed(problem, at: now, log)
    }
  }

  private func measured(
    _ reading: BatteryReading, at now: Instant, _ log: Log
  ) -> Event {
    switch state {
    case .waiting, .lost:
      log.write(.notice, "battery measured", ["millivolts": "\(reading.millivolts)"])
    case .measured, .doubtful: break
    }
    state = .measured
    last = (reading, now)
    return .batteryMeasured(reading)
  }

  private func failed(
    _ problem: SensorError, at now: Instant, _ log: Log
  ) -> Event? {
    let event: Event?
    switch state {
    case .measured:
      state = .doubtful
      dueAt = now + HostBounds.batteryRepetition
      return nil
    case .lost(let known) where problem.isSame(as: known): return nil
    case .doubtful: event = .batteryLost
    // The core knows of no battery before the first measurement.
    case .waiting, .lost: event = nil
    }
    state = .lost(problem)
    log.write(.warning, "battery not measured", ["why": "\(problem)"])
    return event
  }

  private func follow(_ problem: SensorError?, _ log: Log) {
    defer { thermometerProblem = problem }
    if let problem, !problem.isSame(as: thermometerProblem) {
      log.write(.warning, "battery's temperature not measured", ["why": "\(problem)"])
    } else if problem == nil, thermometerProblem != nil {
      log.write(.notice, "battery's temperature measured", [:])
    }
  }

  private func tellOfRejected(_ log: Log) {
    guard !hasToldOfRejected else { return }
    hasToldOfRejected = true
    let (lowest, highest) = battery.plausibleMillivolts
    log.write(
      .warning, "implausible battery voltages are not used",
      ["plausible": "\(lowest) to \(highest) mV"])
  }

  /// The modem has reported its supply voltage.
  func heardModem(millivolts: Int32, at now: Instant, _ log: Log) {
    guard case .modem = source else { return }
    guard battery.isPlausible(millivolts: millivolts) else {
      rejectedOfModem += 1
      return tellOfRejected(log)
    }
    last = (BatteryReading(millivolts: millivolts), now)
  }

  // MARK: Status

  /// Whether the battery's figures are current.
  func isMeasured(at now: Instant) -> Bool {
    guard let last else { return false }
    if case .modem = source { return now - last.at <= Bounds.batteryReadingLife }
    if case .lost = state { return false }
    return true
  }

  /// Adds what is known of the battery itself.
  func add(to facts: inout TrackerFacts, at now: Instant) {
    facts.battery.state = state(at: now)
    if case .lost(let problem) = state { facts.battery.problem = problem.texts }
    guard let last else { return }
    facts.battery.millivolts = Int64(last.reading.millivolts)
    facts.battery.milliamps = last.reading.currentMilliamps.map { Int64($0) }
    facts.battery.celsius = last.reading.celsius.map { Int64($0) }
    facts.battery.thermometerProblem = thermometerProblem?.texts
    facts.battery.isFuelGauge = last.reading.percent != nil
    let percent = last.reading.percent ?? battery.percent(atMillivolts: last.reading.millivolts)
    facts.battery.percent = Int64(percent)
    switch source {
    case .none: break
    case .modem:
      facts.battery.age = now - last.at
      facts.battery.implausible = Int64(rejectedOfModem)
    case .meter(let meter):
      if facts.battery.state == .lost { facts.battery.age = now - last.at }
      facts.battery.implausible = Int64(meter.rejected)
    }
  }

  private func state(at now: Instant) -> TrackerFacts.Battery.State {
    switch source {
    case .none: return .noSensor
    case .modem:
      guard last != nil else { return .modemNotYet }
      return isMeasured(at: now) ? .measured : .modemOld
    case .meter:
      if case .lost = state { return .lost }
      return last == nil ? .notYet : .measured
    }
  }
}
