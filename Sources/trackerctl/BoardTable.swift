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
      let level = part.energyModelOnly == nil ? part.support.rawValue : "simulator"
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
