/// What a light showed, from the edges that `lab watch` wrote to the file `light`.
struct SeenLight {
  /// Milliseconds on the guest's clock, and whether it was lit from then on.
  private let edges: [(at: Int, isLit: Bool)]

  init(_ guest: Guest) {
    edges = guest.text("light").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").compactMap { Int($0) }
      return words.count == 2 ? (words[0], words[1] == 1) : nil
    }
  }

  /// The blinks that are over, milliseconds.
  var blinks: [Int] {
    zip(edges, edges.dropFirst()).filter(\.0.isLit).map { $0.1.at - $0.0.at }
  }

  /// Those, a letter each: `f`licker, `s`hort, `w` for slow, `L`ong.
  var code: String {
    blinks.map { $0 < 130 ? "f" : $0 < 600 ? "s" : $0 < 1250 ? "w" : "L" }.joined()
  }
}
