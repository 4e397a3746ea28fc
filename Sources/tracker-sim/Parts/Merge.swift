import CommandLineSupport
import Wording

/// `tracker-sim merge FILE...`: the parts of one command, together what one run of it prints and
/// writes.
enum Merge {
  /// - Returns: the exit code of that run.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let parts = try Parts(arguments.operands)
    let command = try Program.table.arguments(parts.words)
    try parts.check(command)
    switch command.command.name {
    case "plan": return try Plan.run(command, merging: parts)
    case "rehearse": return try Rehearse.run(command, merging: parts)
    default: throw UsageError(PartPhrase.noPart.texts(arguments.operands[0]))
    }
  }
}

extension Program {
  static let merge = CommandTable(
    "merge",
    ca: "ajunta les parts que plan o rehearse han escrit amb --part: el mateix que una sola "
      + "execució, amb les seves sortides i el seu codi",
    es: "junta las partes que plan o rehearse escribieron con --part: lo mismo que una sola "
      + "ejecución, con sus salidas y su código",
    en: "put the parts together that plan or rehearse printed with --part: the same as one run, "
      + "with its outputs and its exit code",
    fr: "réunit les parties écrites par plan ou rehearse avec --part : la même chose qu'une seule "
      + "exécution, avec ses sorties et son code",
    operands: .init(.file.named(ValueName.file.texts + "..."), 1...Int.max),
    notes: [
      .heading(ca: "exemple", es: "ejemplo", en: "example", fr: "exemple"),
      .lines(
        [
          "parallel tracker-sim plan --runs 4000 --part {}/8 '>' part-{} ::: $(seq 8)",
          "tracker-sim merge part-*",
        ].map(\.texts)),
    ])
}

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
