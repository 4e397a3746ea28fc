import BoardSupport

/// Which board this may be, by the computer's own name.
struct BoardGuess {
  /// `Raspberry Pi Zero 2 W Rev 1.0`; empty: no device tree, as on a PC.
  let model: String
  /// The boards that are on this computer, or all; parts to join are not among them.
  private(set) var boards: [BoardAssembly.Part] = []
  /// The base that the computer is.
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

  /// The only whole board on this computer; `nil`: none, or several.
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
