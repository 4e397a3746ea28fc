import TrackerCore

@testable import BoardSupport
@testable import Simulation

/// Runs that were looked for after the widths of the bands had been chosen. The list, with load,
/// battery and end of each run, was fixed before the model was run with any of them; nothing has
/// been changed since.
extension PublishedRun {
  static let independent = stateKnown + stateAssumed

  /// Somebody has measured this load on such a device in this state.
  static let stateKnown = meshNodes + handhelds + powerPacks + rechargeables

  /// Nobody has published what this device draws in this state. The load is that of our board file
  /// for the idle computer, or of the nearest like device.
  static let stateAssumed = computersInUse + pwnagotchis

  /// As `radios`, by the same author, later.
  private static let meshNodes: [PublishedRun] = [
    ("heltec-t114", 1100, 104, 9.3, "standby, screen off"),
    ("heltec-t114", 2000, 220, 9.3, "standby, screen off"),
    ("heltec-v3.2", 1100, 10, 103.6, "a V3 in standby, screen off"),
  ].map { (device: String, capacity: Int32, hours: Double, milliamps: Double, state: String) in
    PublishedRun(
      device: device, milliampHours: capacity, published: hours,
      load: Load(
        milliamps: milliamps, source: "LoRa-Boards-Power-Measurements.md, 2025: \(state)"),
      cells: Cells(cutOff: 3200))
  }

  private static let handhelds: [PublishedRun] =
    [("alkaline-aa", 2350, 20.25), ("nimh-aa", 1600, 16.25), ("nimh-aa", 1200, 12.92)]
    .map { (cell: String, capacity: Int32, hours: Double) in
      // gpsinformation.net/main/battry2.htm: Costco and Radio Shack cells, until they have 4.2 V.
      PublishedRun(
        device: "garmin-g3-plus", milliampHours: capacity, published: hours,
        load: Load(milliamps: 82, source: "the same: starting current"),
        cells: Cells(kind: kind(cell), inSeries: 4, cutOff: 4200, cutOffBasis: .others))
    } + [
      // github.com/PaxInstruments: t400-electronics, issue 149.
      PublishedRun(
        device: "pax-t400", milliampHours: 1020, published: 23.63,
        load: Load(milliamps: 45, source: "t400-firmware, issue 89: with backlight"),
        cells: Cells(cutOff: 3200))
    ]

  /// community.element14.com, J. Wiltrout, Nominal vs actual power of USB power pack: the charge at
  /// 5 V until it switches off.
  private static let powerPacks: [PublishedRun] = [(250, 1388), (1000, 750)].map {
    (milliamps: Double, charge: Double) in
    PublishedRun(
      device: "powerpack-2200", milliampHours: 2200, published: charge / milliamps,
      load: Load(milliamps: milliamps, basis: .measured, source: "the same"),
      cells: Cells(efficiency: 85))
  }

  /// github.com/pigmonkey/battery, batteries.csv of 2012: means of 17 AA and 5 AAA.
  private static let rechargeables: [PublishedRun] = [
    ("eneloop-aa", 2000, 500, 3.77), ("eneloop-aaa", 800, 200, 3.92),
  ].map { (device: String, capacity: Int32, milliamps: Double, hours: Double) in
    PublishedRun(
      device: device, milliampHours: capacity, published: hours,
      load: Load(milliamps: milliamps, basis: .measured, source: "the same: README.md"),
      cells: Cells(kind: kind("nimh-aa"), cutOff: 900))
  }

  private static let computersInUse: [PublishedRun] = [
    // github.com/OffbandMesh/meshcore-firmware, issue 833; its own 116 mA are computed.
    PublishedRun(
      device: "rc32", milliampHours: 2500, published: 21.58,
      load: Load(milliamps: 110, basis: .memory, source: "a Heltec V3 in standby, screen on"),
      cells: Cells(cutOff: 3400, cutOffBasis: .others)),
    // github.com/hamishcunningham/pi-tronics, issue 59: two by five cells of 2600 mAh.
    PublishedRun(
      device: "pi-a-plus-mopi", milliampHours: 13_000, published: 50.5,
      load: Load(
        milliamps: 185, basis: .memory, source: "pidramble.com: 160 mA; 25 for Bluetooth"),
      cells: Cells(inSeries: 2, cutOff: 6000, efficiency: 85)),
    PublishedRun(
      device: "pi-b-backpack", milliampHours: 3000, published: 4,
      load: Load(milliamps: 380, source: "PublishedBoards/pi-b"),
      // blog.wirelessmoves.com/2014/06/raspi-on-battery.html
      cells: Cells(efficiency: 85)),
    // github.com/Nachtzuster/BirdNET-Pi, discussion 593.
    PublishedRun(
      device: "birdnet-pi-4", milliampHours: 10_000, published: 12,
      load: Load(milliamps: 575, source: "boards/pi-4b: idle"),
      cells: Cells(efficiency: 85)),
    PublishedRun(
      device: "birdnet-zero-2w", milliampHours: 20_000, published: 48,
      load: Load(milliamps: 120, source: "boards/pi-zero-2w: idle, untouched"),
      cells: Cells(efficiency: 85)),
  ]

  /// A Zero W that analyses what its Wi-Fi hears (github.com/evilsocket/www.pwnagotchi.ai,
  /// content/installation and issue 10).
  private static let pwnagotchis: [PublishedRun] = [
    (1200, 4.83), (1200, 5.27), (1000, 3.17), (3200, 10.3), (5000, 5.5), (20_000, 19.73),
    (25_600, 49.5),
  ].map { (capacity: Int32, hours: Double) in
    PublishedRun(
      device: "pwnagotchi", milliampHours: capacity, published: hours,
      load: Load(milliamps: 120, basis: .memory, source: "boards/pi-zero-w: idle"),
      cells: Cells(efficiency: 85))
  }
}
