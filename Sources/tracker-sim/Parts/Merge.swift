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
