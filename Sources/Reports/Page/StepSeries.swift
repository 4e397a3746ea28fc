public import TrackerCore

/// A value that changes in steps, such as the length of the queue, in bounded memory.
///
/// Once there are too many steps, time is divided into cells, and one step of each cell is kept:
/// with the last value in the cell, the highest and the lowest one.
public struct StepSeries: Sendable, Equatable {
  public struct Step: Sendable, Equatable {
    public var at: Instant
    /// From here to the next step.
    public var value: Int32
    /// The highest value between this step and the next, `value` at least.
    public var peak: Int32
    /// The lowest one, `value` at most.
    public var low: Int32
  }

  public private(set) var steps: [Step] = []
  private let limit: Int
  /// The width of a cell; 0: every step is kept.
  private var cell: Int64 = 0

  public init(limit: Int = 4096) { self.limit = max(2, limit) }

  /// - Parameter now: not before the last step.
  public mutating func set(_ value: Int32, at now: Instant) {
    guard value != steps.last?.value else { return }
    add(Step(at: now, value: value, peak: value, low: value))
    guard steps.count > limit else { return }
    while steps.count > limit / 2 {
      cell = cell == 0 ? 1000 : cell * 2
      let all = steps
      steps = []
      for step in all { add(step) }
    }
  }

  /// A step that was in a series before; it is left out if it comes too late or is one too many.
  mutating func restore(_ step: Step) {
    guard steps.count < limit, step.at >= steps.last?.at ?? .start else { return }
    steps.append(step)
  }

  private mutating func add(_ step: Step) {
    if let last = steps.last, cell > 0, last.at.milliseconds / cell == step.at.milliseconds / cell {
      steps[steps.count - 1].value = step.value
      steps[steps.count - 1].peak = max(last.peak, step.peak)
      steps[steps.count - 1].low = min(last.low, step.low)
    } else {
      steps.append(step)
    }
  }

  /// How often the value fell.
  var falls: Int { zip(steps, steps.dropFirst()).count { max($0.value, $1.peak) > $1.value } }

  /// The lowest and the highest value in each piece of the time until `end`. Pieces are a minute
  /// wide, or twice that, and so on, so that there are `most` at most.
  func ranges(until end: Instant, most: Int) -> (width: Milliseconds, ranges: [ClosedRange<Int32>])
  {
    var width = Milliseconds.minutes(1)
    while end.milliseconds > width.count * Int64(most) { width = width + width }
    var rest = steps[...]
    var value: Int32 = 0
    var ranges: [ClosedRange<Int32>] = []
    var from = Instant.start
    while from < end {
      let to = from + width
      // The value before counts unless it changes just where the piece begins.
      var (low, high) = rest.first?.at == from ? (Int32.max, 0) : (value, value)
      while let step = rest.first, step.at < to || to >= end {
        (low, high) = (min(low, step.low), max(high, step.peak))
        value = step.value
        rest.removeFirst()
      }
      ranges.append(low...high)
      from = to
    }
    return (width, ranges)
  }
}
