import BoardSupport
import CommandLineSupport

/// A board as text: its parts, the wiring, the battery and what is doubtful.
enum BoardSheet {
  static func text(of board: BoardDescription) -> String {
    let blocks = [head(board), pins(board), ports(board), power(board), figures(board)]
    let texts = blocks.map { $0.joined(separator: "\n") }
    return (texts + [warnings(board)]).filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private static func head(_ board: BoardDescription) -> [String] {
    let assembly = board.assembly
    var lines = [row("board", board.identifier)]
    if assembly.parts.count > 1 {
      let parts = assembly.parts.filter { $0.identifier != board.identifier }
      for (index, part) in parts.enumerated() {
        let name = part.identifier.leftAligned(in: 20) + part.kind.rawValue.leftAligned(in: 10)
        let use = part.replacedBy.map { ", replaced by \($0)" } ?? ""
        lines.append(row(index == 0 ? "parts" : "", name + part.name + use))
      }
    } else {
      lines.append(row("", board.name))
    }
    lines.append(row("support", board.support.rawValue))
    if let reason = assembly.energyModelOnly {
      lines.append(row("runs", "in the simulator only, as a model of energy: \(reason)"))
    }
    for (index, line) in assembly.bootLines.enumerated() {
      lines.append(row(index == 0 ? "config.txt" : "", line))
    }
    return lines
  }

  private static func pins(_ board: BoardDescription) -> [String] {
    board.assembly.lines.enumerated().map { index, line in
      let use = line.use.hasPrefix("pins.") ? String(line.use.dropFirst(5)) : line.use
      return row(index == 0 ? "pins" : "", line.line.leftAligned(in: 4) + use)
    }
  }

  private static func ports(_ board: BoardDescription) -> [String] {
    let modem = board.board.modem
    let rest = modem.rest == .off ? "off between contacts" : "on between contacts, radio off"
    return [
      row("receiver", "\(port(board.receiverPort)), \(board.receiverPart)"),
      row("modem", "\(port(board.modemPort)), family \(modem.family.name), \(rest)"),
      row("console", board.consolePort.map(port) ?? "nowhere"),
    ]
  }

  private static func port(_ port: Port) -> String { "\(port.device) at \(port.baud)" }

  private static func power(_ board: BoardDescription) -> [String] {
    let battery = board.board.battery
    let regulator =
      switch battery.regulator {
      case .linear: "linear regulator"
      case .switching(let percent): "converter \(percent) %"
      }
    let charge = battery.cellCapacityMilliampHours * battery.cellsInParallel
    let cutOff = Dimension.voltage.text(Int64(battery.cutOffMillivolts))
    let supply = Dimension.voltage.text(Int64(board.board.supplyMillivolts))
    let loads = board.board.loads
    return [
      row(
        "battery",
        "\(board.chemistry), \(battery.cellsInSeries) in series, "
          + "\(battery.cellsInParallel) in parallel, \(charge) mAh"),
      row("", "cut-off \(cutOff), \(regulator), rail \(supply)"),
      row("sensor", sensor(board)),
      row("computer", current(loads.boardMicroamps)),
      row(
        "receiver",
        "\(current(loads.receiverTrackingMicroamps)), "
          + "standby \(current(loads.receiverStandbyMicroamps))"),
      row(
        "modem",
        "\(current(loads.modemTransmittingMicroamps)) sending, "
          + "\(current(loads.modemIdleMicroamps)) idle, \(current(loads.modemOffMicroamps)) off"),
    ]
  }

  private static func sensor(_ board: BoardDescription) -> String {
    let thermometer = board.thermometer.map { "; thermometer \($0.name)" } ?? ""
    return voltageSensor(board) + thermometer
  }

  private static func voltageSensor(_ board: BoardDescription) -> String {
    switch board.batterySensor {
    case .iio(let device, let channel, let divider):
      "iio \(device.name), channel \(channel), divider \(divider.numerator)/\(divider.denominator)"
    case .hwmon(let device, let channel, _, _): "hwmon \(device.name), channel \(channel)"
    case .powerSupply(let name): "fuel gauge \(name ?? "")"
    case .modem: "the modem, AT+CBC"
    case .adc(let reference, let divider):
      "its own converter to \(reference) mV, divider \(divider.numerator)/\(divider.denominator)"
    case nil: "none: the charge is not known; add a sensor, or a battery that has one"
    }
  }

  private static func current(_ microamps: Int32) -> String {
    if microamps < 1000 { return "\(microamps) µA" }
    let rest = microamps % 1000
    let digits = rest == 0 ? "" : "." + String("\(1000 + rest)".dropFirst())
    return "\(microamps / 1000)\(digits) mA"
  }

  private static func figures(_ board: BoardDescription) -> [String] {
    let doubtful = board.figures.filter(\.isUnverified)
    let count = "\(doubtful.count) of \(board.figures.count) figures are unverified"
    return [doubtful.isEmpty ? "every figure has a document" : count + ":"]
      + doubtful.map { "  " + $0.keyPath.leftAligned(in: 28) + " " + $0.source }
  }

  private static func warnings(_ board: BoardDescription) -> String {
    board.assembly.warnings.map { "warning: \($0)" }.joined(separator: "\n")
  }

  private static func row(_ title: String, _ text: String) -> String {
    title.leftAligned(in: 14) + text
  }
}
