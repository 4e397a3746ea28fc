public import TrackerCore

/// How much of the time a modem was how far: in pieces of the time, whose width doubles whenever
/// there would be too many, so that nothing is lost but detail.
public struct ModemShares: Sendable, Equatable {
  /// Milliseconds at each level from `ModemLevel.starting` on.
  public typealias Bin = [Int64]

  /// A wide screen shows so many columns of 7 to 14 pixels.
  static let most = 128
  static let levels = ModemLevel.allCases.count - 1

  public private(set) var bins: [Bin] = []
  public private(set) var width = Milliseconds.minutes(1)

  public init() {}

  /// - Parameter end: not before `start`.
  public mutating func add(_ level: ModemLevel, from start: Instant, to end: Instant) {
    guard level != .off, start.milliseconds >= 0, end > start else { return }
    while (end.milliseconds - 1) / width.count >= Int64(Self.most) { merge() }
    let index = Int(level.rawValue) - 1
    var at = start.milliseconds
    while at < end.milliseconds {
      let bin = Int(at / width.count)
      while bins.count <= bin { bins.append(Bin(repeating: 0, count: Self.levels)) }
      let next = min(end.milliseconds, (at / width.count + 1) * width.count)
      bins[bin][index] += next - at
      at = next
    }
  }

  /// A piece from a file; they come in order. One that is not possible is left out.
  mutating func restore(_ bin: Bin, of width: Milliseconds) {
    guard bins.count < Self.most, width > 0, bins.isEmpty || width == self.width,
      bin.count == Self.levels, bin.allSatisfy({ (0...width.count).contains($0) })
    else { return }
    self.width = width
    bins.append(bin)
  }

  private mutating func merge() {
    width = width + width
    bins = stride(from: 0, to: bins.count, by: 2).map { index in
      zip(bins[index], index + 1 < bins.count ? bins[index + 1] : Bin(repeating: 0, count: 4))
        .map { $0 + $1 }
    }
  }
}
