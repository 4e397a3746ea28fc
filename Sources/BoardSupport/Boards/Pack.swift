import TrackerCore
import Wording

/// Why a pack cannot be used, in one line: what is wrong, and what to do.
public struct PackError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
  init(_ description: String) { self.description = description }
}

/// A battery in place of a board's own.
public struct Pack: Sendable {
  public let battery: Battery
  /// `alkaline AA`.
  public let chemistry: String
  /// `8 in series, alkaline AA, 2600 mAh each`.
  public let text: String
  /// What is not certain about it.
  public let doubts: [Doubt]

  /// A pack by its name, or from a file.
  ///
  /// - `8 alkaline-aa`: in parallel on a board that runs from a single cell of about that voltage,
  ///   otherwise in series, as AA cells are.
  /// - `2s3p li-ion`: two in series, three of these strings in parallel.
  /// - `8 alkaline-aa 2900mAh`: with the capacity of each cell.
  /// - A path, or the name of a part in `boards/`: a JSON5 file with the section `battery` of a
  ///   board file. It has a converter of its own; cells by name are used with the board's.
  public init(_ text: String, on board: BoardDescription) throws {
    if text.contains("/") || text.hasSuffix(".json5") {
      self = try Pack(path: text)
    } else if !text.contains(" "), let path = try? BoardDescription.path(named: text) {
      self = try Pack(path: path)
    } else {
      self = try Pack(named: text, on: board)
    }
  }

  /// The battery of a board.
  public init(of board: BoardDescription) {
    self.init(board.board.battery, board.chemistry, doubts: board.doubts.filter(\.isOfBattery))
  }

  private init(_ battery: Battery, _ chemistry: String, doubts: [Doubt]) {
    self.battery = battery
    self.chemistry = chemistry
    self.doubts = doubts
    let series = battery.cellsInSeries == 1 ? "" : "\(battery.cellsInSeries) in series"
    let parallel = battery.cellsInParallel == 1 ? "" : "\(battery.cellsInParallel) in parallel"
    let shape = [series, parallel].filter { !$0.isEmpty }.joined(separator: ", ")
    text =
      (shape.isEmpty ? "1 cell" : shape)
      + ", \(chemistry), \(battery.cellCapacityMilliampHours) mAh each"
  }

  private init(path: String) throws {
    let root = try FileNode.load(path: BoardDescription.boardFile(at: path))
    var reader = FigureReader()
    let read = try reader.battery(try root.required("battery", like: "{ … }"))
    self.init(read.board, read.chemistry, doubts: Doubt.all(of: reader.figures, read.board))
  }

  private init(named text: String, on description: BoardDescription) throws {
    let board = description.board.battery
    let words = text.split(separator: " ")
    guard (2...3).contains(words.count) else { throw Self.shapeError(text) }
    let kind = try CellKind.named(words[1])
    guard let shape = Self.shape(words[0], kind, on: board) else { throw Self.shapeError(text) }
    var battery = board
    (battery.cellsInSeries, battery.cellsInParallel) = shape
    battery.cellMillivolts = kind.millivolts
    battery.capacityAtFreezingPercent = kind.capacityAtFreezingPercent
    battery.cellCapacityMilliampHours = kind.capacity
    battery.chemistry = Chemistry(describedAs: kind.chemistry)
    battery.ratedMicroamps = kind.ratedMicroamps
    battery.cellMilliohms = 0
    var doubts = description.doubts.filter(\.isOfConverter)
    // What a buyer reads on a cell is its data sheet's figure.
    var capacityWithin = Doubt.percent(
      "battery.cellCapacity", .dataSheet, chemistry: battery.chemistry)
    if words.count == 3 {
      guard let capacity = try? Dimension.charge.parse(String(words[2])),
        (1...1_000_000).contains(capacity)
      else {
        throw PackError("\(quoted(text)): the capacity of each cell is for example 2900mAh")
      }
      battery.cellCapacityMilliampHours = Int32(capacity)
    } else {
      capacityWithin = kind.capacityWithinPercent
    }
    doubts.append(Doubt(keyPath: "battery.cellCapacity", percent: capacityWithin))
    let full = shape.series * kind.millivolts[Battery.curvePoints - 1]
    guard full > battery.cutOffMillivolts else {
      let needed = battery.cutOffMillivolts / kind.millivolts[Battery.curvePoints - 1] + 1
      throw PackError(
        "\(quoted(text)): full it has \(Dimension.voltage.text(Int64(full))), and the board stops "
          + "at \(Dimension.voltage.text(Int64(battery.cutOffMillivolts))); give at least "
          + "\(needed)s1p")
    }
    self.init(battery, kind.chemistry, doubts: doubts)
  }

  private static func shapeError(_ text: String) -> PackError {
    PackError(
      "\(quoted(text)) is not a pack; write for example \"8 alkaline-aa\", \"2s3p li-ion\" or a "
        + "path; the kinds are \(CellKind.all.map(\.name).joined(separator: ", "))")
  }

  /// `8`, or `2s3p`.
  private static func shape(
    _ word: Substring, _ kind: CellKind, on board: Battery
  ) -> (series: Int32, parallel: Int32)? {
    func count(_ digits: Substring) -> Int32? {
      Int32(digits).flatMap { (1...100).contains($0) ? $0 : nil }
    }
    if let cells = count(word) {
      // A single cell of this kind keeps the board going until it is nearly empty.
      let runsOnOne = kind.millivolts[1] > board.cutOffMillivolts
      return board.cellsInSeries == 1 && runsOnOne ? (1, cells) : (cells, 1)
    }
    guard word.hasSuffix("p"), let middle = word.firstIndex(of: "s"),
      let series = count(word[..<middle]),
      let parallel = count(word[word.index(after: middle)...].dropLast())
    else { return nil }
    return (series, parallel)
  }

  /// The same cells, but another number of them; `nil` if the board would not even start.
  public func with(series: Int32, parallel: Int32) -> Pack? {
    var battery = battery
    (battery.cellsInSeries, battery.cellsInParallel) = (series, parallel)
    let full = series * battery.cellMillivolts[Battery.curvePoints - 1]
    return full > battery.cutOffMillivolts ? Pack(battery, chemistry, doubts: doubts) : nil
  }
}

/// A kind of cell that can be bought anywhere, for a pack that is put together by name.
struct CellKind: Sendable {
  /// As on the command line: `alkaline-aa`.
  let name: String
  /// `alkaline AA`.
  let chemistry: String
  /// Of one cell.
  let capacity: Int32
  /// The current out of one cell for which that is stated; 0: as is usual for its chemistry.
  var ratedMicroamps: Int32 = 0
  /// Of one cell at 0 %, 10 %, … 100 % of charge.
  let millivolts: InlineArray<11, Int32>
  let capacityAtFreezingPercent: Int32
  /// How far the capacity may be off, percent either way.
  let capacityWithinPercent: Int32
  let source: String

  static let all: [CellKind] = [
    // The same cell as that of boards/arduino-uno-3g.
    CellKind(
      name: "alkaline-aa", chemistry: "alkaline AA", capacity: 2350, ratedMicroamps: 100_000,
      millivolts: [1000, 1100, 1150, 1190, 1230, 1250, 1280, 1300, 1350, 1400, 1580],
      capacityAtFreezingPercent: 50, capacityWithinPercent: Doubt.alkalineBrandsPercent,
      source: "mean of brands at 100 mA, as in Simulation/Battery/CellPack.swift"),
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
