/// `"a", "b" and "c"`.
public func listed(_ words: [String], or: Bool = false) -> String {
  let shown = words.map { "\"\($0)\"" }
  guard let last = shown.last else { return "nothing" }
  guard shown.count > 1 else { return last }
  return shown.dropLast().joined(separator: ", ") + (or ? " or " : " and ") + last
}

/// The word that was probably meant by `text`: at most a third of its letters are wrong.
public func nearest(to text: String, in words: [String]) -> String? {
  // Far longer than any key; computing the distance would take time.
  guard text.utf8.count <= 64 else { return nil }
  var best: (word: String, distance: Int)?
  let text = text.lowercased()
  for word in words {
    let most = max(1, word.count / 3)
    // Each letter more or less is one to add or remove.
    guard abs(word.count - text.count) <= most else { continue }
    let distance = editDistance(text, word.lowercased())
    if distance <= most && distance < best?.distance ?? .max {
      best = (word, distance)
    }
  }
  return best?.word
}

/// The number of letters to change, add, remove or swap with their neighbour to turn one into the
/// other (optimal string alignment).
private func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a)
  let b = Array(b)
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      let isEqual = a[i] == b[j]
      var cost = min(last[j] + (isEqual ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
