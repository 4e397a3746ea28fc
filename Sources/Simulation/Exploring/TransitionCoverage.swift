public import TrackerCore

/// Which transitions of the core's tables were taken in races. Only programs that are built for
/// debugging count them: in others there are none.
public struct TransitionCoverage: Sendable, Equatable {
  /// Each as `checkingSIM to searching`, in alphabetical order.
  public var untaken: [String] { seen.filter { !$0.value }.keys.sorted() }
  public var count: Int { seen.count }
  private var seen: [String: Bool] = [:]

  public init() {}

  public mutating func take(_ tracker: borrowing Tracker) {
    #if DEBUG
      var seen = self.seen
      tracker.showTransitions { table, from, to, isTaken in
        let name = "\(Self.state(from, of: table)) to \(Self.state(to, of: table))"
        seen[name] = isTaken || seen[name] ?? false
      }
      self.seen = seen
    #endif
  }

  #if DEBUG
    /// What stands at the beginning of its line.
    private static func state(_ number: Int, of table: StaticString) -> String {
      table.withUTF8Buffer { text in
        let width = text.prefix { $0 != UInt8(ascii: "\n") }.count + 1
        let line = text[((number + 1) * width)...]
        return String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
      }
    }
  #endif

  public mutating func formUnion(_ other: TransitionCoverage) {
    seen.merge(other.seen) { $0 || $1 }
  }
}
