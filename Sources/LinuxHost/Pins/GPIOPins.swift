public import BoardSupport
import SystemCalls
public import TrackerCore
public import Wording

/// The digital lines of a board on a GPIO chip.
public final class GPIOPins: PinBank {
  private var inputs: [(input: PinInput, line: GPIOLine)] = []
  private let timer: PinTimer
  private let outputs: [PinSchedule.Output: GPIOLine]
  public private(set) var problem: Texts?

  /// Reserves all lines; outputs are inactive from then on, whatever an earlier run has left.
  ///
  /// An input or a light that is not available only becomes a `problem`: the modem can be switched
  /// without.
  ///
  /// - Parameter folder: where the chips' device files are.
  /// - Throws: if the chip or an output to the modem is not available.
  public init(_ pins: Pins, in folder: String = "/dev") throws(PinError) {
    guard let label = pins.chip else {
      throw PinError(HostPhrase.noChip.texts)
    }
    let chip = try GPIOChip(labelled: label, in: folder)
    var outputs: [PinSchedule.Output: GPIOLine] = [:]
    // The key first: a run that was killed may have left it pressed.
    for (key, output, pin) in [
      ("modemPowerKey", .pin(.modemPowerKey), pins.modemPowerKey),
      ("flightMode", .pin(.flightMode), pins.flightMode),
    ] as [(String, PinSchedule.Output, Pin?)] {
      if let pin { outputs[output] = try chip.line(pin, for: key, isOutput: true) }
    }
    var problems: Texts?
    func optional(_ pin: Pin?, _ key: String, isOutput: Bool) -> GPIOLine? {
      guard let pin else { return nil }
      do throws(PinError) {
        return try chip.line(pin, for: key, isOutput: isOutput)
      } catch {
        problems = problems.map { $0.semicolon(error) } ?? error.texts
        return nil
      }
    }
    for (key, input, pin) in [
      ("modemStatus", .modemStatus, pins.modemStatus), ("powerGood", .powerGood, pins.powerGood),
      ("button", .button, pins.button), ("emergency", .emergency, pins.emergency),
    ] as [(String, InputPin, Pin?)] {
      guard let line = optional(pin, key, isOutput: false) else { continue }
      inputs.append((PinInput(input), line))
    }
    outputs[.light] = optional(pins.statusLight, "statusLight", isOutput: true)
    problem = problems
    self.outputs = outputs
    let lines = outputs
    do throws(SystemError) {
      timer = try PinTimer(Array(outputs.keys)) { lines[$0]?.set(isActive: $1) }
    } catch {
      throw PinError(HostPhrase.noTiming.texts(SystemReason.texts(of: error.code)))
    }
  }

  deinit { timer.end() }

  public func set(_ pin: OutputPin, isActive: Bool) -> Bool {
    outputs[.pin(pin)]?.set(isActive: isActive) ?? false
  }

  public func pulse(_ pin: OutputPin, milliseconds: Int64) -> Bool {
    guard outputs[.pin(pin)] != nil else { return false }
    timer.pulse(pin, milliseconds: milliseconds)
    return true
  }

  public func show(_ light: Light) { timer.show(light) }

  public var descriptors: [Int32] { inputs.map(\.line.descriptor) }

  public var wakesIn: Int64? {
    inputs.compactMap(\.input.settlesAt).min().map { max(0, $0 - PinTimer.now) }
  }

  public func takeChanges() -> [PinChange] {
    var changes: [PinChange] = []
    var lost: Int?
    for index in inputs.indices {
      let (pin, line) = (inputs[index].input.pin, inputs[index].line)
      guard let edges = line.takeEdges(), let level = line.isActive else {
        problem = HostPhrase.chipGone.texts("\(pin)")
        lost = index
        continue
      }
      let now = PinTimer.now
      let taken = inputs[index].input.changes(
        edges.map { ($0.isActive, $0.at) }, level: level, at: now)
      changes += taken.map {
        PinChange(pin: pin, isActive: $0.isActive, ageMilliseconds: max(0, now - $0.since))
      }
      if inputs[index].input.isFlooding {
        problem = HostPhrase.pinFlooding.texts("\(pin)")
        lost = index
      }
    }
    // Its descriptor would end every poll at once.
    if let lost { inputs.remove(at: lost) }
    return changes
  }
}
