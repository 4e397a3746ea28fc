import CommandLineSupport
import TrackerCore
import Wording

/// The command line of `trackerctl setup`.
struct SetupOptions {
  /// What is given instead of being asked, with the option's name.
  var answers: [(question: SetupQuestion, option: String, text: String)] = []
  /// A file with the secret; `-`: standard input.
  var secretFile: String?
  var isConfirmed = false
  var isRehearsal = false
  /// The folder of a system that does not run; empty: this one.
  var root = ""
  var isStarted = true

  private static let questions: [(option: String, question: SetupQuestion)] = [
    ("--board", .board), ("--receiver", .receiver), ("--team", .team), ("--number", .number),
    ("--kind", .kind), ("--server", .server), ("--user", .user), ("--time-zone", .timeZone),
    ("--finish", .finish), ("--bearer", .bearer), ("--interface", .interface),
    ("--apn", .accessPoint), ("--language", .language),
  ]

  /// The option by which a question is answered.
  static func name(of question: SetupQuestion) -> String {
    questions.first { $0.question == question }?.option ?? "--secret-file"
  }

  init(_ words: [String]) throws {
    var reader = ArgumentReader(words)
    var given: Set<String> = []
    while let word = reader.next() {
      guard given.insert(word).inserted else { throw UsageError(UsagePhrase.twice.texts(word)) }
      switch word {
      case "--help", "-h": throw HelpRequested()
      case "--yes": isConfirmed = true
      case "--dry-run": isRehearsal = true
      case "--no-start": isStarted = false
      case "--root":
        root = try reader.value(SetupPhrase.wantFolder.texts)
        // "/" is the system that runs.
        while root.hasSuffix("/") { root.removeLast() }
      case "--secret-file": secretFile = try reader.value(SetupPhrase.wantSecretFile.texts)
      case "--secret":
        let value = try reader.value(SetupPhrase.wantSecretFile.texts)
        guard value == "-" else { throw UsageError(SetupPhrase.secretWord.texts(word)) }
        secretFile = value
      default:
        guard let question = Self.questions.first(where: { $0.option == word })?.question else {
          throw UsageError(UsagePhrase.unknownOption.texts(word, "trackerctl"))
        }
        answers.append((question, word, try reader.value(Self.wanted(question))))
      }
      if ["--yes", "--dry-run", "--no-start"].contains(word) { try reader.refuseValue() }
    }
  }

  private static func wanted(_ question: SetupQuestion) -> Texts {
    switch question {
    case .language: UsagePhrase.languages.texts
    case .board: SetupPhrase.wantBoard.texts
    case .receiver: SetupPhrase.wantPort.texts
    case .kind: SetupPhrase.wantKind.texts
    case .server: SetupPhrase.wantAddress.texts
    case .timeZone: SetupPhrase.wantZone.texts
    case .finish: SetupPhrase.wantFinish.texts
    case .bearer: SetupPhrase.wantBearer.texts
    case .secret: SetupPhrase.wantSecretFile.texts
    case .team, .number, .user, .interface, .accessPoint, .goOn: CommandPhrase.aName.texts
    }
  }
}
