public import TrackerCore

/// Cuts a way into the pieces between its marks.
struct Cutter {
  private let way: Way
  private let every: Double
  private let speeds: [Int32?]
  private var piece = SessionStatistics.Piece()
  private var metres = 0.0
  private var elapsed: Milliseconds = 0
  private var found: [SessionStatistics.Mark] = []

  init(_ way: Way, every: Double) {
    self.way = way
    self.every = every
    speeds = Self.speeds(of: way)
  }

  /// All marks in order, and the end of the way if it is not at a mark.
  mutating func marks() -> [SessionStatistics.Mark] {
    for (leg, speed) in zip(way.legs, speeds) { walk(leg, speed) }
    if piece.metres > 0 || piece.time.map({ $0 > 0 }) == true || found.isEmpty {
      mark(isEnd: true)
    }
    climb()
    return found
  }

  private mutating func walk(_ leg: Way.Leg, _ speed: Int32?) {
    var rest = leg
    while found.count < StatisticsBounds.mostMarks {
      let next = every * Double(found.count + 1)
      guard metres + rest.metres >= next else { break }
      var part = rest
      part.metres = next - metres
      let share = rest.metres > 0 ? part.metres / rest.metres : 1
      part.time = rest.time.map { $0.part(share) }
      part.moving = rest.moving.part(share)
      take(part, speed)
      metres = next
      let done = leg.metres - rest.metres + part.metres
      mark(isEnd: false, doubt: Self.doubt(after: done, in: leg))
      rest.metres -= part.metres
      if let whole = rest.time, let used = part.time { rest.time = whole - used }
      rest.moving = rest.moving - part.moving
    }
    take(rest, speed)
  }

  private mutating func take(_ leg: Way.Leg, _ speed: Int32?) {
    metres += leg.metres
    piece.metres += leg.metres
    if let time = leg.time {
      elapsed = elapsed + time
      piece.time = (piece.time ?? 0) + time
      piece.timedMetres += leg.metres
    }
    piece.moving = piece.moving + leg.moving
    if leg.isGap {
      piece.gapMetres += leg.metres
      if let time = leg.time {
        piece.gapTime = piece.gapTime + time
        piece.timedGapMetres += leg.metres
      }
    }
    if let speed { piece.topSpeed = max(piece.topSpeed ?? speed, speed) }
  }

  /// Of the time of a mark so many metres after the start of a leg.
  private static func doubt(after done: Double, in leg: Way.Leg) -> Milliseconds {
    guard let time = leg.time else { return 0 }
    // Nobody knows the way in a gap.
    guard leg.isGap else { return Doubt.between(done: done, toGo: leg.metres - done, in: time) }
    let part = time.part(leg.metres > 0 ? done / leg.metres : 1)
    return max(part, time - part)
  }

  private mutating func mark(isEnd: Bool, doubt: Milliseconds = 0) {
    found.append(
      SessionStatistics.Mark(
        metres: metres, elapsed: way.start == nil ? nil : elapsed, doubt: doubt,
        partialDoubt: doubt + (found.last?.doubt ?? 0), piece: piece, isEnd: isEnd))
    piece = SessionStatistics.Piece()
  }

  /// Those that the receiver measured or, if it measured none, the means of the legs; of a short
  /// leg only as far as a neighbour agrees.
  private static func speeds(of way: Way) -> [Int32?] {
    if way.legs.contains(where: { $0.topSpeed != nil }) { return way.legs.map(\.topSpeed) }
    let means = way.legs.map { leg -> Int32? in
      guard let time = leg.time, time > 0, !leg.isGap, leg.metres > 0 else { return nil }
      return Int32(clamping: Int64(leg.metres * 1_000_000) / time.count)
    }
    return means.indices.map { index in
      guard let mean = means[index], let time = way.legs[index].time else { return nil }
      let others = [index - 1, index + 1].filter(means.indices.contains).compactMap { means[$0] }
      guard time < StatisticsBounds.sparse, let other = others.max() else { return mean }
      return min(mean, other)
    }
  }

  /// Climbs along the whole way, and gives each piece its share.
  private mutating func climb() {
    var meter = ClimbMeter()
    var next = 0
    var last: Way.Height?
    for index in found.indices {
      let (gain, loss) = (meter.gain, meter.loss)
      func pass(_ height: Int32) {
        meter.climb(to: height)
        found[index].piece.see(height)
      }
      if let last { found[index].piece.see(last.millimetres) }
      while next < way.heights.count, way.heights[next].at <= found[index].metres {
        pass(way.heights[next].millimetres)
        last = way.heights[next]
        next += 1
      }
      if !found[index].isEnd, let before = last, next < way.heights.count {
        let height = Self.height(before, way.heights[next], at: found[index].metres)
        pass(height)
        last = Way.Height(at: found[index].metres, millimetres: height)
      }
      found[index].piece.gain = meter.gain - gain
      found[index].piece.loss = meter.loss - loss
    }
  }

  /// On the straight line between two altitudes.
  private static func height(_ a: Way.Height, _ b: Way.Height, at metres: Double) -> Int32 {
    guard b.at > a.at else { return b.millimetres }
    let share = (metres - a.at) / (b.at - a.at)
    return Int32(
      clamping: Int64(
        (Double(a.millimetres) + (Double(b.millimetres) - Double(a.millimetres)) * share)
          .rounded()))
  }
}

extension SessionStatistics.Piece {
  fileprivate mutating func see(_ height: Int32) {
    lowest = min(lowest ?? height, height)
    highest = max(highest ?? height, height)
  }
}

extension Milliseconds {
  fileprivate func part(_ share: Double) -> Milliseconds {
    Milliseconds(Int64((Double(count) * share).rounded()))
  }
}

/// Which captures of a tracker belong to one session.
public enum Sessions {
  /// A session begins with a capture that has the trigger `start`, unless that is so soon after the
  /// one before that the tracker was only restarted (`Bounds.restartLimit`).
  ///
  /// - Parameter captures: of one device, in the order in which they were taken.
  /// - Returns: none of them empty.
  public static func split(_ captures: [Capture]) -> [ArraySlice<Capture>] {
    var sessions: [ArraySlice<Capture>] = []
    var first = 0
    for index in captures.indices.dropFirst() {
      guard captures[index].trigger == .start, let now = captures[index].utc,
        let before = captures[index - 1].utc, now - before > Bounds.restartLimit
      else { continue }
      sessions.append(captures[first..<index])
      first = index
    }
    return captures.isEmpty ? [] : sessions + [captures[first...]]
  }
}

/// What is a gap between two points of a track, by how far apart they usually are.
public enum Gaps {
  /// What takes longer is a gap: a quarter of an hour, or one and a half of the usual distance (the
  /// median), so that captures half an hour apart are one line, too.
  ///
  /// - Parameter steps: from each point to the next; a step back counts by its size.
  public static func longestStep(_ steps: [Milliseconds]) -> Milliseconds {
    let usual = usualStep(steps).count
    return max(StatisticsBounds.shortestGap, Milliseconds(usual &+ usual / 2))
  }

  /// The median; 0 without any.
  static func usualStep(_ steps: [Milliseconds]) -> Milliseconds {
    let sizes = steps.map { Int64(clamping: $0.count.magnitude) }.sorted()
    return Milliseconds(sizes.dropFirst(sizes.count / 2).first ?? 0)
  }
}
