/// Which captures of a map are drawn as dots: on a long way they would cover each other. The others
/// can still be pointed at and reached by key.
struct MapMarks {
  /// The class of each.
  private(set) var styles: [String] = []
  /// Drawn where there is room for all.
  private(set) var shown = 0

  /// Units from one dot to the next, so that the way's colour shows between them: a dot is 8 wide,
  /// and where the window is narrow 14.
  private static let apart = (wide: 18.0, narrow: 32.0)

  /// - Parameter places: of the captures, in their order, each with whether it was sent.
  init(_ places: [(x: Double, y: Double, isSent: Bool)]) {
    let wide = Self.chosen(places, apart: Self.apart.wide)
    let narrow = Self.chosen(places, apart: Self.apart.narrow)
    styles = zip(wide, narrow).map { $0 ? $1 ? "" : " class=\"n\"" : " class=\"d\"" }
    shown = wide.count { $0 }
  }

  /// The first and the last one, then those that were not sent, which are what somebody looks for,
  /// then the others in their order, each if it is far enough from those before.
  private static func chosen(
    _ places: [(x: Double, y: Double, isSent: Bool)], apart: Double
  ) -> [Bool] {
    var isChosen = Array(repeating: false, count: places.count)
    var taken: [[Int]: [Int]] = [:]
    func cell(_ index: Int) -> [Int] {
      [places[index].x, places[index].y].map { Int(($0 / apart).rounded(.down)) }
    }
    func take(_ index: Int) {
      if !isChosen[index] { taken[cell(index), default: []].append(index) }
      isChosen[index] = true
    }
    func isFree(_ index: Int) -> Bool {
      let own = cell(index)
      for row in -1...1 {
        for column in -1...1 {
          for other in taken[[own[0] + column, own[1] + row]] ?? []
          // A capture that waits is not hidden by one that was sent.
          where !places[other].isSent || places[index].isSent {
            let (x, y) = (places[other].x - places[index].x, places[other].y - places[index].y)
            if x * x + y * y < apart * apart { return false }
          }
        }
      }
      return true
    }
    for end in [places.indices.first, places.indices.last] { if let end { take(end) } }
    for index in places.indices where !places[index].isSent && isFree(index) { take(index) }
    for index in places.indices where places[index].isSent && isFree(index) { take(index) }
    return isChosen
  }
}
