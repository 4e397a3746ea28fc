import BoardSupport
import CommandLineSupport
import Wording

/// `trackerctl boards`: the boards and parts that `--board` takes.
enum BoardTable {
  static func run() throws -> Int32 {
    let (parts, complaints) = try BoardDescription.list()
    let width = parts.map(\.identifier.count).max() ?? 0
    var text = ""
    for part in parts {
      let other = part.hasFirmware ? "firmware" : "simulator"
      let level = part.energyModelOnly == nil ? part.support.rawValue : other
      text +=
        part.identifier.leftAligned(in: width) + "  " + part.kind.rawValue.leftAligned(in: 8)
        + "  " + level.leftAligned(in: 10) + "  " + part.description + "\n"
    }
    text += """

      Join a base and parts by +, as in --board pi-4b+waveshare-sim7600+ina219.
      tracker-sim board NAME shows and checks a board or a combination.

      """
    try printOut(text)
    for complaint in complaints { Program.complain("\(complaint)") }
    return complaints.isEmpty ? 0 : 2
  }
}

/// Guesses the board by the computer's own name.
struct BoardGuess {
  /// `Raspberry Pi Zero 2 W Rev 1.0`; empty: no device tree, as on a PC.
  let model: String
  /// The boards for this computer, or all; without parts to combine.
  private(set) var boards: [BoardAssembly.Part] = []
  /// The base for this computer.
  private var base: String?

  init(_ root: SystemRoot) {
    model = root.line(of: "/proc/device-tree/model")
    let parts = (try? BoardDescription.list())?.parts ?? []
    // "Raspberry Pi 4" begins "Raspberry Pi 4 Model B", too: the longest name is right.
    base =
      parts.filter { $0.kind == .base && !$0.name.isEmpty && model.hasPrefix($0.name) }
      .max { $0.name.count < $1.name.count }?.identifier
    boards = parts.filter { $0.energyModelOnly == nil && [.board, .base].contains($0.kind) }
  }

  /// The only complete board for this computer; `nil`: none, or several.
  var board: String? {
    guard let base else { return nil }
    let fitting = boards.filter { part in
      guard part.kind == .board, let files = try? BoardDescription.files(named: part.identifier)
      else { return false }
      return files.contains { $0.hasSuffix("/\(base)/board.json5") }
    }
    return fitting.count == 1 ? fitting[0].identifier : nil
  }
}
