extension FigureReader {
  mutating func pins(_ node: FileNode) throws(FileError) -> Pins {
    try node.checkKeys([
      "chip", "modemPowerKey", "modemStatus", "powerGood", "button", "statusLight", "flightMode",
    ])
    var pins = Pins()
    if node.optional("chip") != nil {
      let like = "\"pinctrl-bcm2835\""
      pins.chip = try figure(node, "chip", like: like).text(atMost: 31, like: "pinctrl-bcm2835")
    }
    pins.modemPowerKey = try pin(node, "modemPowerKey")
    pins.modemStatus = try pin(node, "modemStatus", isInput: true)
    pins.powerGood = try pin(node, "powerGood", isInput: true)
    pins.button = try pin(node, "button", isInput: true)
    pins.statusLight = try pin(node, "statusLight")
    pins.flightMode = try pin(node, "flightMode")
    let wired = pins.wired
    for (index, later) in wired.enumerated() {
      guard let earlier = wired[..<index].first(where: { $0.pin.line == later.pin.line }) else {
        continue
      }
      throw node.error("has pin \(later.pin.line) twice; correct \(earlier.key) or \(later.key)")
    }
    return pins
  }

  /// `nil`: not wired.
  private mutating func pin(
    _ node: FileNode, _ key: String, isInput: Bool = false
  ) throws(FileError) -> Pin? {
    guard let pin = node.optional(key) else { return nil }
    let value = try figure(node, key, like: "6", and: ["active"] + (isInput ? ["bias"] : []))
    let line: Pin.Line =
      if case .text = value.value {
        .name(try value.text(atMost: 31, like: "GPIO6"))
      } else {
        .offset(try value.integer(in: 0...127))
      }
    let isActiveHigh = try pin.required("active", like: "\"high\"")
      .choice([("high", true), ("low", false)])
    let bias = try pin.optional("bias")?.choice(Pin.Bias.allCases.map { ($0.rawValue, $0) })
    return Pin(line: line, isActiveHigh: isActiveHigh, bias: bias ?? .none)
  }

  mutating func ports(_ node: FileNode) throws(FileError) -> (
    receiver: Port, modem: Port, console: Port?
  ) {
    try node.checkKeys(["receiver", "modem", "console"])
    let console = node.optional("console") == nil ? nil : try port(node, "console")
    return (try port(node, "receiver"), try port(node, "modem"), console)
  }

  private mutating func port(_ node: FileNode, _ key: String) throws(FileError) -> Port {
    let example = "\"/dev/ttyUSB2\""
    let device = try figure(node, key, like: example, and: ["baud"]).text(
      atMost: 100, like: "/dev/ttyUSB2")
    let baud = try node.required(key, like: "{ … }").required("baud", like: "115200")
    let rates: [Int32] = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
    let rate: Int32 = try baud.integer(in: 4800...921_600)
    guard rates.contains(rate) else {
      let usual = rates.map { "\($0)" }.joined(separator: ", ")
      throw baud.error("\(rate) is not a valid speed; write one of \(usual)")
    }
    return Port(device: device, baud: rate)
  }
}
