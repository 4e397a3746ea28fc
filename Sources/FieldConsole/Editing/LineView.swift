/// What a terminal shows of a line: as many columns as fit after the prompt. It is changed by
/// printing, spaces and backspaces, which every terminal understands.
struct LineView: Sendable {
  var isDumb: Bool
  private var shown: [Unicode.Scalar] = []
  /// Scalars before the cursor.
  private var cursor = 0
  /// The first scalar of the line that is shown.
  private var start = 0

  init(isDumb: Bool) { self.isDumb = isDumb }

  /// The next line begins after a prompt.
  mutating func reset() {
    shown = []
    cursor = 0
    start = 0
  }

  /// Changes what is shown.
  ///
  /// - Parameters:
  ///   - room: columns, at least 2.
  ///   - output: what the terminal has to receive.
  mutating func show(_ line: EditedLine, room: Int, into output: inout [UInt8]) {
    let (window, place) = window(of: line, room)
    let same = zip(shown, window).prefix { $0 == $1 }.count
    if same < max(shown.count, window.count) {
      if cursor > same {
        back(over: shown[same..<cursor], &output)
      } else {
        Self.print(shown[cursor..<same], &output)
      }
      Self.print(window[same...], &output)
      let excess = Self.columns(shown[same...]) - Self.columns(window[same...])
      erase(excess, &output)
      shown = window
      cursor = window.count
    }
    if cursor > place {
      back(over: shown[place..<cursor], &output)
    } else {
      Self.print(shown[cursor..<place], &output)
    }
    cursor = place
  }

  /// The part of the line around its cursor, and the cursor in it.
  private mutating func window(
    of line: EditedLine, _ room: Int
  ) -> (scalars: [Unicode.Scalar], cursor: Int) {
    let all = line.scalars
    start = min(start, all.count)
    // Half of the columns at once, so that not every key shifts the line.
    if line.cursor < start { start = Self.start(all, before: line.cursor, columns: room / 2) }
    if Self.columns(all[start..<line.cursor]) > room {
      start = Self.start(all, before: line.cursor, columns: room / 2)
    }
    var end = start
    var used = 0
    while end < all.count, used + all[end].columns <= room {
      used += all[end].columns
      end += 1
    }
    return (Array(all[start..<end]), line.cursor - start)
  }

  private static func start(_ all: [Unicode.Scalar], before end: Int, columns: Int) -> Int {
    var start = end
    var used = 0
    while start > 0, used + all[start - 1].columns <= columns {
      start -= 1
      used += all[start].columns
    }
    return start
  }

  private static func columns(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
    scalars.reduce(0) { $0 + $1.columns }
  }

  private static func print(_ scalars: ArraySlice<Unicode.Scalar>, _ output: inout [UInt8]) {
    for scalar in scalars { output += Array(UTF8.encode(scalar)!) }
  }

  private func back(over scalars: ArraySlice<Unicode.Scalar>, _ output: inout [UInt8]) {
    let count = Self.columns(scalars)
    if isDumb || count < 5 {
      output += [UInt8](repeating: 0x08, count: count)
    } else {
      output += Array("\u{1B}[\(count)D".utf8)
    }
  }

  private func erase(_ count: Int, _ output: inout [UInt8]) {
    guard count > 0 else { return }
    if isDumb {
      output += [UInt8](repeating: 0x20, count: count) + [UInt8](repeating: 0x08, count: count)
    } else {
      output += Array("\u{1B}[K".utf8)
    }
  }
}
