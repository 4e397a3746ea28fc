import TrackerCore

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
    self.init(
      read.board, read.chemistry,
      doubts: reader.figures.filter(\.isUnverified).compactMap(Doubt.init))
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
    if words.count == 3 {
      guard let capacity = try? Dimension.charge.parse(String(words[2])),
        (1...1_000_000).contains(capacity)
      else {
        throw PackError("\(quoted(text)): the capacity of each cell is for example 2900mAh")
      }
      battery.cellCapacityMilliampHours = Int32(capacity)
    } else {
      doubts.append(Doubt(keyPath: "battery.cellCapacity", percent: kind.capacityWithinPercent))
    }
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
