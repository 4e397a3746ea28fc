public import BoardSupport
import SystemCalls
public import TrackerCore

/// The digital lines of a board on a GPIO chip.
public final class GPIOPins: PinBank {
  private struct Input {
    let pin: InputPin
    let line: GPIOLine
    /// As last reported.
    var isActive: Bool?
  }

  private var inputs: [Input] = []
  private let timer: PinTimer
  private let outputs: [PinSchedule.Output: GPIOLine]

  /// Reserves all lines; outputs are inactive from then on, whatever an earlier run has left.
  ///
  /// - Parameter folder: where the chips' device files are.
  /// - Throws: for the first line that cannot be had.
  public init(_ pins: Pins, in folder: String = "/dev") throws(PinProblem) {
    guard let label = pins.chip else {
      throw PinProblem("the board names no GPIO chip; add pins.chip to its file")
    }
    let chip = try GPIOChip(labelled: label, in: folder)
    var outputs: [PinSchedule.Output: GPIOLine] = [:]
    // The key first: a run that was killed may have left it pressed.
    for (key, output, pin) in [
      ("modemPowerKey", .pin(.modemPowerKey), pins.modemPowerKey),
      ("flightMode", .pin(.flightMode), pins.flightMode),
      ("statusLight", .light, pins.statusLight),
    ] as [(String, PinSchedule.Output, Pin?)] {
      guard let pin else { continue }
      outputs[output] = try chip.line(pin, for: key, isOutput: true)
    }
    for (key, input, pin) in [
      ("modemStatus", .modemStatus, pins.modemStatus), ("powerGood", .powerGood, pins.powerGood),
      ("button", .button, pins.button),
    ] as [(String, InputPin, Pin?)] {
      guard let pin else { continue }
      inputs.append(Input(pin: input, line: try chip.line(pin, for: key, isOutput: false)))
    }
    self.outputs = outputs
    let lines = outputs
    do throws(SystemError) {
      timer = try PinTimer(Array(outputs.keys)) { lines[$0]?.set(isActive: $1) }
    } catch {
      throw PinProblem("pins cannot be timed: \(error.reason)")
    }
  }

  deinit { timer.end() }

  public func set(_ pin: OutputPin, isActive: Bool) -> Bool {
    outputs[.pin(pin)]?.set(isActive: isActive) != nil
  }

  public func pulse(_ pin: OutputPin, length: Int64) -> Bool {
    guard outputs[.pin(pin)] != nil else { return false }
    timer.pulse(pin, length: length)
    return true
  }

  public func show(_ light: Light) { timer.show(light) }

  public var descriptors: [Int32] { inputs.map(\.line.descriptor) }

  public func takeChanges() -> [PinChange] {
    var changes: [PinChange] = []
    for index in inputs.indices {
      let (pin, line, before) = (inputs[index].pin, inputs[index].line, inputs[index].isActive)
      var edges = line.takeChanges()
      if let level = line.isActive {
        switch pin {
        // Only where they are now counts: a spike while the modem transmits is no change.
        case .modemStatus, .powerGood: edges = [level]
        // It counts from its next press; a change that the kernel had no room for is made up for.
        case .button where before == nil: edges = []
        case .button: if edges.last ?? before != level { edges.append(level) }
        }
        if before == nil { inputs[index].isActive = level }
      }
      for isActive in edges where isActive != (pin == .button ? inputs[index].isActive : before) {
        changes.append(PinChange(pin: pin, isActive: isActive))
        inputs[index].isActive = isActive
      }
    }
    return changes
  }
}
