import TrackerCore

/// A line with fewer points (after Douglas and Peucker, "Algorithms for the reduction of the number
/// of points required to represent a digitized line or its caricature", 1973): of the pieces
/// between two kept points the one that is furthest from its line is divided there, until all are
/// near enough or there are as many points as allowed.
struct Simplification {
  /// The indices of the points that are kept, ascending; the first and the last among them.
  private(set) var kept: [Int] = []
  /// How far the furthest point is from the line that is left, metres.
  private(set) var errorMetres = 0.0

  /// A point nearer than this to the line, centimetres, need not be kept: receivers and maps are
  /// not that accurate.
  static let fine: Int64 = 100

  private struct Piece {
    var first: Int
    var last: Int
    var furthest: Int
    /// Square centimetres.
    var away: Int64
  }

  init(_ points: [Coordinate], atMost limit: Int) {
    guard points.count > 2 else {
      kept = Array(points.indices)
      return
    }
    var pieces = [Self.piece(points, 0, points.count - 1)]
    while pieces.count + 1 < max(2, limit) {
      var worst = 0
      for index in pieces.indices where pieces[index].away > pieces[worst].away { worst = index }
      let piece = pieces[worst]
      guard piece.away > Self.fine * Self.fine else { break }
      pieces[worst] = Self.piece(points, piece.first, piece.furthest)
      pieces.append(Self.piece(points, piece.furthest, piece.last))
    }
    kept = ([0] + pieces.map(\.last)).sorted()
    let worst = pieces.reduce(0) { max($0, $1.away) }
    errorMetres = Double(worst).squareRoot() / 100
  }

  private static func piece(_ points: [Coordinate], _ first: Int, _ last: Int) -> Piece {
    var piece = Piece(first: first, last: last, furthest: first, away: 0)
    let start = CoursePoint(position: points[first], alongMillimetres: 0)
    let end = CoursePoint(position: points[last], alongMillimetres: 1)
    for index in first + 1..<max(first + 1, last) {
      var line = CourseLine(around: points[index])
      line.begin(at: start)
      let away = line.advance(to: end).away
      // Of a piece that is too long to measure the middle is as good as any.
      if away == CourseLine.nowhere {
        return Piece(first: first, last: last, furthest: (first + last) / 2, away: away)
      }
      if away > piece.away { (piece.furthest, piece.away) = (index, away) }
    }
    return piece
  }
}
