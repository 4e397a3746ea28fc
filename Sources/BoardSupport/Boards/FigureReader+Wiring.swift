extension FigureReader {
  mutating func pins(_ node: FileNode) throws(FileError) -> (powerKey: Pin?, status: Pin?) {
    try node.checkKeys(["modemPowerKey", "modemStatus"])
    let powerKey = node.optional("modemPowerKey") == nil ? nil : try pin(node, "modemPowerKey")
    let status = node.optional("modemStatus") == nil ? nil : try pin(node, "modemStatus")
    if let status, status.number == powerKey?.number {
      throw node.error("has pin \(status.number) twice; correct modemPowerKey or modemStatus")
    }
    return (powerKey, status)
  }

  private mutating func pin(_ node: FileNode, _ key: String) throws(FileError) -> Pin {
    let number = try integer(node, key, in: 0...127, and: ["active"])
    let isActiveHigh = try node.required(key, like: "{ … }").required("active", like: "\"high\"")
      .choice([("high", true), ("low", false)])
    return Pin(number: number, isActiveHigh: isActiveHigh)
  }

  mutating func ports(_ node: FileNode) throws(FileError) -> (receiver: Port, modem: Port) {
    try node.checkKeys(["receiver", "modem"])
    return (try port(node, "receiver"), try port(node, "modem"))
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
