import TrackerCore
import Wording

/// A kind of cell that can be bought anywhere, for a pack that is put together by name.
public struct CellKind: Sendable {
  /// As on the command line: `alkaline-aa`.
  public let name: String
  /// `alkaline AA`.
  public let chemistry: String
  /// Of one cell.
  let capacity: Int32
  /// The current out of one cell for which that is stated; 0: as is usual for its chemistry.
  var ratedMicroamps: Int32 = 0
  /// Of one cell at 0 %, 10 %, … 100 % of charge.
  let millivolts: InlineArray<11, Int32>
  let capacityAtFreezingPercent: Int32
  /// How far the capacity may be off, percent either way.
  let capacityWithinPercent: Int32
  public let source: String

  public static let all: [CellKind] = [
    // The same cell as that of boards/arduino-uno-3g.
    CellKind(
      name: "alkaline-aa", chemistry: "alkaline AA", capacity: 2600, ratedMicroamps: 100_000,
      millivolts: [1000, 1100, 1150, 1190, 1230, 1250, 1280, 1300, 1350, 1400, 1580],
      capacityAtFreezingPercent: 50, capacityWithinPercent: 15,
      source: "E91 to 0.8 V at 100 mA (kurokatta.org; PowerStream measured 15 % less)"),
    // The voltages are from memory, unverified: nearly flat, then a cliff.
    CellKind(
      name: "lithium-aa", chemistry: "lithium AA", capacity: 3000,
      millivolts: [1000, 1300, 1400, 1430, 1450, 1460, 1470, 1480, 1490, 1510, 1780],
      capacityAtFreezingPercent: 95, capacityWithinPercent: 5,
      source: "L91, some 3000 mAh at any load; voltages from memory, unverified"),
    CellKind(
      name: "nimh-aa", chemistry: "NiMH AA", capacity: 2000,
      millivolts: [1000, 1150, 1210, 1230, 1240, 1250, 1260, 1270, 1280, 1300, 1400],
      capacityAtFreezingPercent: 80, capacityWithinPercent: 20,
      source: "2000 mAh from memory, unverified; voltages of meshtastic/firmware"),
    // The same cell as that of boards/li-ion-3p.
    CellKind(
      name: "li-ion", chemistry: "Li-ion 18650", capacity: 3000,
      millivolts: [2535, 3268, 3411, 3558, 3662, 3752, 3840, 3922, 4037, 4090, 4175],
      capacityAtFreezingPercent: 80, capacityWithinPercent: 20,
      source: "US18650VTC6, voltages measured; its 3000 mAh are from memory, unverified"),
    CellKind(
      name: "lifepo4", chemistry: "LiFePO4 18650", capacity: 1500,
      millivolts: [2500, 3200, 3240, 3260, 3270, 3280, 3300, 3320, 3340, 3400, 3650],
      capacityAtFreezingPercent: 75, capacityWithinPercent: 20,
      source: "1500 mAh from memory, unverified; voltages of meshtastic/firmware"),
  ]

  static func named(_ name: Substring) throws(PackError) -> CellKind {
    if let kind = all.first(where: { $0.name == name }) { return kind }
    let names = all.map(\.name)
    let near = nearest(to: String(name), in: names).map { "did you mean \($0)? " } ?? ""
    throw PackError(
      "\(quoted(String(name))) is not a kind of cell; \(near)the kinds are "
        + names.joined(separator: ", "))
  }
}
