import Foundation
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import CommandLineSupport
@testable import basecamp
@testable import bench
@testable import tracker_sim
@testable import trackerctl
@testable import trackerd

/// The option tables of the programs, and what is made of them.
@Suite struct OptionTableTests {
  static let tables = [
    tracker_sim.Program.table, trackerctl.Program.table, trackerd.Program.table,
    basecamp.Program.table, bench.Program.table,
  ]

  private static func commands(_ table: ProgramTable) -> [CommandTable] {
    [table.main] + table.commands.filter { !$0.isHidden }
  }

  private func print(_ table: ProgramTable, _ words: [String], _ locale: String) throws -> String {
    let run = try ProgramResult(table.name, words, environment: ["LC_ALL": locale])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.command): \(run.errors)")
    return run.output
  }

  @Test(arguments: tables.indices, ["ca", "es", "en", "fr"])
  func `Each help names every option of its command, in its language, at 80 columns`(
    _ index: Int, _ locale: String
  ) throws {
    let table = Self.tables[index]
    let language = try #require(Language(code: locale))
    for command in Self.commands(table) {
      let words = (command.name.isEmpty ? [] : [command.name]) + ["--help"]
      let help = table.help(command, in: language)
      // The others would take minutes to start.
      if command.name == table.commands.last?.name || command.name.isEmpty {
        #expect(try print(table, words, locale) == help)
      }
      let lines = help.split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix(UsagePhrase.usage.texts[language]) }, "\(words)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(table.name) \(words)")
      let said = help.split { $0.isWhitespace }.joined(separator: " ")
      for option in command.options {
        let entry = "\(option.usage[language]) \(option.text[language])"
        #expect(said.contains(entry), "\(table.name) \(words): \(entry)")
        #expect(!option.text[language].isEmpty)
      }
    }
  }

  /// Each is read alone, too: `trackerctl first-boot --help`.
  @Test func `No help text of trackerctl refers to the entry above it`() {
    let table = trackerctl.Program.table
    let texts = Self.commands(table).flatMap { command in
      [command.text] + command.options.map(\.text)
    }
    let references: [Language: [String]] = [
      .catalan: ["el mateix en", "els agafa", "com s'escriuen", "la seva", "el seu", "l'acaba"],
      .spanish: ["lo mismo", "los toma", "cómo se escriben", "ambos", "la termina;"],
      .english: [
        "the same in a", "take them", "write them", "so long", "both", "end it", "about one",
      ],
      .french: ["la même chose", "les prend", "les écrire", "les deux", "la termine "],
    ]
    for (language, words) in references {
      for text in texts.map({ $0[language] }) {
        #expect(!words.contains { text.contains($0) }, "\(language.code): \(text)")
      }
    }
    let fleet = table.commands.first { $0.name == "fleet" }
    for (language, verb) in zip(Language.all, ["escriu", "escribe", "write", "écrit"]) {
      #expect(fleet?.text[language].hasPrefix(verb + " ") == true, "\(language.code)")
    }
  }

  @Test(arguments: tables.indices)
  func `The manual page has every command and option`(_ index: Int) throws {
    let table = Self.tables[index]
    #expect(try print(table, ["--version"], "C") == "\(table.name) \(version)\n")
    let page = try print(table, ["--print", "manual"], "C").exchanging("\\-", for: "-")
    #expect(page.hasPrefix(".TH \(table.name.uppercased()) "))
    for command in Self.commands(table) {
      for option in command.options {
        #expect(page.contains(".TP\n\(option.usage.english)\n"), "\(command.name) \(option.name)")
      }
      if !command.name.isEmpty {
        #expect(page.contains(".SS \"\(table.name) \(command.name)"), "\(command.name)")
      }
    }
  }

  /// As bash asks it, for the last of the words.
  private func completed(
    _ table: ProgramTable, _ completion: String, _ words: [String]
  ) throws -> [String] {
    let function = "_" + table.name.exchanging("-", for: "_")
    let script =
      completion
        + """

        COMP_WORDS=("\(table.name)" "$@"); COMP_CWORD=$#
        \(function)
        printf '%s\\n' "${COMPREPLY[@]}"
        """
    let run = try ProgramResult(
      executable: URL(fileURLWithPath: "/bin/bash"), ["-c", script, "bash"] + words)
    #expect(run.errors.isEmpty, "\(words): \(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: tables.indices)
  func `The completion offers every command, option and choice`(_ index: Int) throws {
    let table = Self.tables[index]
    let names = table.commands.filter { !$0.isHidden }.map(\.name)
    let completion = try print(table, ["--print", "completion"], "C")
    #expect(Set(names).isSubset(of: try completed(table, completion, [""])))
    for command in Self.commands(table) {
      let start = command.name.isEmpty ? [] : [command.name]
      let offered = try completed(table, completion, start + ["--"])
      #expect(Set(command.options.map(\.name)).isSubset(of: offered), "\(command.name)")
      for option in command.options {
        guard case .words(let choices)? = option.value?.completion else { continue }
        let offered = try completed(table, completion, start + [option.name, ""])
        #expect(offered == choices, "\(option.name)")
      }
    }
  }

  @Test(arguments: tables.indices)
  func `Options name only others of their command, and no name is there twice`(_ index: Int) {
    for command in Self.tables[index].commands + [Self.tables[index].main] {
      let names = command.options.flatMap { [$0.name] + $0.aliases }
      #expect(Set(names).count == names.count, "\(command.name): \(names)")
      for option in command.options {
        let others = option.needs + (command.hasOwnWords ? [] : option.excludes)
        #expect(Set(others).isSubset(of: names), "\(command.name) \(option.name)")
      }
      #expect(Set(command.required.flatMap(\.self)).isSubset(of: names), "\(command.name)")
    }
  }

  @Test(arguments: tables.indices)
  func `An option that cannot be repeated is refused the second time in every command`(
    _ index: Int
  ) {
    let table = Self.tables[index]
    for command in Self.commands(table) {
      for option in command.options where !option.isRepeatable {
        let value: [String] =
          switch option.value?.rule {
          case .number(let range): ["\(range.upperBound)"]
          case .oneOf(let words): [words[0]]
          case .decimal(let range): ["\(range.upperBound)"]
          case .any, .like: ["x"]
          case nil: []
          }
        let words = [option.name] + value
        let problem = #expect(throws: UsageError.self, "\(command.name) \(option.name)") {
          try table.request(words + words, for: command)
        }
        #expect(problem == UsageError(UsagePhrase.twice.texts(option.name)))
      }
    }
  }

  // MARK: The parser

  private static let small = ProgramTable(
    "small",
    main: CommandTable(
      "", "".texts, operands: .init(.file, 0...2),
      options: [
        Option("--size", .number(1...9)), Option("--loud"), Option("--mute", excludes: ["--loud"]),
        Option("--tag", .name, isRepeatable: true, aliases: ["-t"]),
        Option("--deep", needs: ["--size", "--tag"]), Option("--ratio", .decimal(0...2, "R")),
      ]), commands: [])

  private static func told(_ words: [String]) throws -> String {
    do throws(UsageError) {
      switch try small.request(words, for: small.main) {
      case .run(let arguments):
        return arguments.given.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
          + "|" + arguments.operands.joined(separator: " ")
      case .help: return "help"
      case .version: return "version"
      case .manual: return "manual"
      case .completion: return "completion"
      }
    } catch {
      return error.texts.english
    }
  }

  @Test(arguments: [
    ([], "|"), (["a", "--size", "3", "-"], "--size=3|a -"), (["--size=3"], "--size=3|"),
    (["--tag", "--loud", "-t=x"], "unknown option '-t=x'; see small --help"),
    (["--tag", "--loud", "-t", "x=y", "--tag=z=w"], "--tag=--loud --tag=x=y --tag=z=w|"),
    (["--size"], "--size needs a value: a whole number from 1 to 9"),
    (["--size="], "--size needs a value: a whole number from 1 to 9"),
    (["--tag", ""], "--tag needs a value: NAME"),
    (["--size", "0"], "--size '0': give a whole number from 1 to 9"),
    (
      ["--size", "99999999999999999999"],
      "--size '99999999999999999999': give a whole number from 1 to 9"
    ),
    (["--ratio", "1.5"], "--ratio=1.5|"),
    (["--ratio", "1e0"], "--ratio '1e0': give a number from 0 to 2"),
    (["--ratio", "nan"], "--ratio 'nan': give a number from 0 to 2"),
    (["--ratio", "3"], "--ratio '3': give a number from 0 to 2"),
    (["--loud=yes"], "--loud takes no value, but got 'yes'"),
    (["--loud", "--loud"], "--loud is given twice; give it once"),
    (["--loud", "--mute"], "--mute and --loud exclude each other; leave one out"),
    (["--deep"], "--deep goes with --size or --tag; give both"),
    (["--deep", "-t", "x"], "--deep= --tag=x|"),
    (["--lodu"], "unknown option '--lodu'; did you mean --loud?"),
    (["--s"], "unknown option '--s'; see small --help"),
    (["--siz"], "unknown option '--siz'; did you mean --size?"),
    (["--"], "unknown option '--'; see small --help"),
    (["--\u{1B}[2J"], "unknown option '-- [2J'; see small --help"),
    (["a", "b", "c"], "'c' is one word too many; write: small [options] FILE"),
    (["a", "b", "c", "-h"], "help"), (["--version"], "version"),
    (["--print", "manual"], "manual"), (["--print=completion"], "completion"),
    (["--print", "poem"], "--print 'poem': give manual or completion"),
  ])
  func `A command line is read, or told what is wrong with it`(
    _ words: [String], _ says: String
  ) throws {
    #expect(try Self.told(words) == says)
  }

  @Test func `No words make the parser trap`() throws {
    var random = SystemRandomNumberGenerator()
    let parts = ["--size", "--tag", "=", "-", "--", "3", "", "é", "--loud", "\u{0}", "x", "-h"]
    for _ in 0..<(Share.chosen == "all" ? 5000 : 150) {
      let words = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        (0..<Int.random(in: 1...2)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      }
      for table in [Self.small] + Self.tables {
        _ = try? table.command(in: words)
        for command in Self.commands(table) { _ = try? table.request(words, for: command) }
      }
    }
  }
}
