import CommandLineSupport

/// One of the shares of a command's races that several machines play: `3/8`.
struct Part: Equatable {
  /// From 1 on.
  let number: Int
  let count: Int

  /// - Returns: `nil` for what is no share.
  init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      1...SimulatorBounds.parts ~= count, 1...count ~= number
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// The numbers of its races, from 0 on, in one piece, so that parts are merged one after another.
  /// Of more parts than races some are empty.
  func races(of all: Int) -> Range<Int> {
    all * (number - 1) / count..<all * number / count
  }
}

extension Option {
  static let part = Option("--part", .like("3/8", "I/N")).says(
    ca: "juga només la part I de N de les marxes i n'escriu el resultat, per a merge",
    es: "juega solo la parte I de N de las marchas y escribe su resultado, para merge",
    en: "play only part I of N of the races, and print what came of it, for merge",
    fr: "ne joue que la partie I de N des marches et écrit son résultat, pour merge")
}

extension Arguments {
  func part() throws(UsageError) -> Part? { try value(.part, Part.init) }
}
