import BoardSupport
import TrackerCore

/// What only a simulated tracker's console has: words that let time pass.
enum PlayWord: Equatable {
  case step(Milliseconds)
  /// Since the start.
  case until(Instant)
  /// To the end of the run.
  case play

  enum Problem: Error, Equatable {
    case usage(PlayVerb)
  }

  static let usualStep = Milliseconds.minutes(1)
  /// Longer than any trace.
  static let longest = Milliseconds.hours(10_000)

  /// - Returns: `nil` if it begins with another word.
  init?(line: String) throws(Problem) {
    let words = line.split { $0.isWhitespace }.map { $0.lowercased() }
    guard let verb = words.first.flatMap({ PlayVerb(rawValue: $0) }) else { return nil }
    // `10 min` is written with or without the space.
    let rest = words.dropFirst().joined(separator: " ")
    switch verb {
    case .step:
      if rest.isEmpty {
        self = .step(Self.usualStep)
      } else if let length = Dimension.duration.amount(rest), length > 0,
        length <= Self.longest.count
      {
        self = .step(Milliseconds(length))
      } else {
        throw .usage(verb)
      }
    case .until:
      guard let time = Self.time(rest) else { throw .usage(verb) }
      self = .until(.start + time)
    case .play:
      guard rest.isEmpty else { throw .usage(verb) }
      self = .play
    }
  }

  /// `3:20:00`, hours, minutes and seconds.
  private static func time(_ text: String) -> Milliseconds? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      (1...4).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    let numbers = parts.compactMap { Int64($0) }
    guard parts.count == 3, areDigits, numbers.count == 3, numbers[1] < 60, numbers[2] < 60 else {
      return nil
    }
    return .hours(numbers[0]) + .minutes(numbers[1]) + .seconds(numbers[2])
  }
}
