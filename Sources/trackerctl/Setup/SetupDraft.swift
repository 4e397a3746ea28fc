import BoardSupport
import CommandLineSupport
import FirstSetup
import MachineAccess
import TrackerCore
import Uplink
import Wording

/// What is known so far of the tracker that is set up. Each answer is checked with those before it.
struct SetupDraft {
  static let configuration = ConsoleOptions.defaultConfiguration
  static let environment = "/etc/default/trackerd"
  private static let usualSecrets = "/etc/trailtracker/secrets"

  let root: SystemRoot
  /// The content of the files; `nil`: there is none.
  let oldConfiguration: [UInt8]?
  let oldEnvironment: String?
  private let file: FileNode?
  var choices = TrackerChoices()
  private(set) var board: BoardDescription?
  /// As `--board` takes it: a name, parts joined by +, or a path.
  private(set) var boardName = ""
  /// A new password, token or the like.
  private(set) var secret: String?

  init(_ root: SystemRoot) throws {
    self.root = root
    oldConfiguration = try root.bytes(of: Self.configuration)
    oldEnvironment = try root.text(of: Self.environment)
    file = try oldConfiguration.map { bytes in
      try FileNode.parse(bytes, path: root.path(Self.configuration))
    }
    // Otherwise every answer would be blamed for a mistake in it.
    if file != nil { _ = try read(withStandIns(choices, nil), root.path(Self.configuration)) }
  }

  // MARK: What there is

  /// A text of the old configuration: `server.user`.
  private func written(_ key: String) -> String? {
    var node = file
    for part in key.split(separator: ".") { node = node?.optional(String(part)) }
    guard case .text(let text) = node?.value else { return nil }
    return text
  }

  /// The answer that the old files have; `nil`: none, or none that can stay.
  func configured(_ question: SetupQuestion) -> String? {
    switch question {
    case .board:
      file == nil ? nil : EnvironmentText.value(of: "BOARD", in: oldEnvironment ?? "")
    case .finish: isOver ? nil : written("finish") ?? written("finishAfter")
    case .secret, .goOn: nil
    default: written(Self.key(of: question))
    }
  }

  /// Whether the old configuration is for a race in the past.
  private var isOver: Bool { pastFinish != nil }

  /// The error about it.
  var pastFinish: FileError? {
    guard let file, let core = try? ConfigurationFile(file) else { return nil }
    do throws(FileError) {
      try core.checkFinish(at: BootClock.date, path: root.path(Self.configuration))
      return nil
    } catch { return error }
  }

  /// The default of a question: the old answer, or a usual one.
  func suggestion(_ question: SetupQuestion) -> String? {
    if let old = configured(question) { return old }
    return switch question {
    case .language: Language.chosen(nil).code
    case .board: BoardGuess(root).board
    case .receiver: "board"
    case .kind: "arcgis"
    case .timeZone: root.timeZone
    case .finish: "32 h"
    case .bearer: "interface"
    case .number, .user, .interface, .accessPoint: "-"
    case .team, .server, .secret, .goOn: nil
    }
  }

  private static func key(of question: SetupQuestion) -> String {
    switch question {
    case .language: "language"
    case .receiver: "receiverPort"
    case .team: "team"
    case .number: "server.device"
    case .kind: "server.kind"
    case .server: "server.address"
    case .user: "server.user"
    case .timeZone: "timeZone"
    case .bearer: "bearer"
    case .interface: "network.interface"
    case .accessPoint: "apn"
    case .board, .finish, .secret, .goOn: ""
    }
  }

  // MARK: Answers

  /// Takes an answer.
  ///
  /// - Parameter answer: `-`: none; for the receiver's port `board`: the board's own.
  /// - Throws: one line about it, which says what to write instead; then nothing has changed.
  mutating func accept(_ question: SetupQuestion, _ answer: String) throws {
    switch question {
    case .board:
      do throws(FileError) { board = try CardCheck.board(named: answer) } catch {
        throw UsageError(error.message)
      }
      boardName = answer
    case .secret: try acceptSecret(answer)
    case .receiver:
      if answer != "board" {
        do throws(LineError) { _ = try LineAddress(answer) } catch {
          throw UsageError(error.texts)
        }
      }
      try accept(answer == "board" ? .none : .text(answer), at: \.receiverPort, question)
    case .language: try accept(.text(answer), at: \.language, question)
    case .team: try accept(.text(answer), at: \.team, question)
    case .number: try accept(Self.optional(answer), at: \.number, question)
    case .kind: try accept(unlessUsual(question, answer), at: \.serverKind, question)
    case .server: try accept(.text(answer), at: \.serverAddress, question)
    case .user: try accept(Self.optional(answer), at: \.user, question)
    case .timeZone: try accept(.text(answer), at: \.timeZone, question)
    case .finish: try accept(.text(answer), at: \.finish, question)
    case .bearer: try accept(unlessUsual(question, answer), at: \.bearer, question)
    case .interface: try accept(Self.optional(answer), at: \.interface, question)
    case .accessPoint: try accept(Self.optional(answer), at: \.accessPoint, question)
    case .goOn: break
    }
  }

  /// A value that is the default is not written.
  private func unlessUsual(_ question: SetupQuestion, _ answer: String) -> Choice {
    configured(question) == nil && answer == suggestion(question) ? .kept : .text(answer)
  }

  private static func optional(_ answer: String) -> Choice { answer == "-" ? .none : .text(answer) }

  private mutating func accept(
    _ choice: Choice, at place: WritableKeyPath<TrackerChoices, Choice>,
    _ question: SetupQuestion
  ) throws {
    var trial = choices
    trial[keyPath: place] = choice
    try check(trial, question)
    choices = trial
  }

  private mutating func acceptSecret(_ value: String) throws {
    let name = secretName
    guard let text = SecretsText.setting(name, to: value, in: "") else {
      throw UsageError(SetupPhrase.secretForm.texts)
    }
    _ = try SecretsFile(Array(text.utf8), path: secretsPath)
    secret = value
  }

  // MARK: Checks

  /// Checks a choice as trackerd would read it. What has not been asked yet gets a stand-in.
  private func check(_ choices: TrackerChoices, _ question: SetupQuestion) throws {
    let trial = withStandIns(choices, question)
    let kind = Self.text(trial.serverKind) ?? written("server.kind")
    do throws(FileError) {
      // An old finish is asked about later; until then its zone may have to go.
      let core = try read(trial, "")
      if question == .finish { try core.checkFinish(at: BootClock.date, path: "") }
      if question == .bearer, let board { try core.check(on: board, path: "") }
    } catch {
      throw UsageError(error.message)
    }
    let hasAddress = choices.serverAddress != .kept || written("server.address") != nil
    if question == .server || question == .user, hasAddress { try checkAddress(trial, kind) }
  }

  private func withStandIns(
    _ choices: TrackerChoices, _ question: SetupQuestion?
  ) -> TrackerChoices {
    var trial = choices
    if trial.serverAddress == .kept, written("server.address") == nil {
      trial.serverAddress = .text("https://example.org/FeatureServer/0")
    }
    // That kind needs a user, which is asked for later.
    let kind = Self.text(trial.serverKind) ?? written("server.kind")
    if kind == "owntracks", question != .user, Self.text(trial.user) == nil {
      trial.user = .text("t7")
    }
    return trial
  }

  private func read(_ choices: TrackerChoices, _ path: String) throws(FileError)
    -> ConfigurationFile
  {
    let bytes = try ConfigurationText.applying(choices, to: oldConfiguration, path: path)
    return try ConfigurationFile(FileNode.parse(bytes, path: path))
  }

  /// Whether this kind of server can have such an address.
  private func checkAddress(_ choices: TrackerChoices, _ kind: String?) throws {
    var trial = TrackerChoices()
    trial.serverAddress = choices.serverAddress
    trial.serverKind = kind.map { .text($0) } ?? .kept
    if trial.serverAddress == .kept {
      trial.serverAddress = written("server.address").map { .text($0) } ?? .kept
    }
    let user = choices.user == .kept ? written("server.user") : Self.text(choices.user)
    trial.user = user.map { .text($0) } ?? (kind == "owntracks" ? .text("t7") : .kept)
    let bytes = try ConfigurationText.applying(trial, to: nil, path: "")
    let settings = try DaemonSettings(FileNode.parse(bytes, path: ""))
    // Credentials may not go to every address; the secret itself is asked for later.
    let secrets = user == nil ? nil : try SecretsFile(Array("password = x".utf8), path: "")
    do { _ = try AnyDialogue(settings.server, secrets) } catch let error as FileError {
      throw UsageError(error.message)
    }
  }

  /// The value that results from a choice.
  private static func text(_ choice: Choice) -> String? {
    if case .text(let text) = choice { return text }
    return nil
  }

  // MARK: Results

  var secretsPath: String { written("secrets") ?? Self.usualSecrets }

  /// The user at the server; `nil`: none.
  var user: String? { choices.user == .kept ? written("server.user") : Self.text(choices.user) }

  var bearer: String { Self.text(choices.bearer) ?? written("bearer") ?? "interface" }

  /// The kind of secret that the server wants.
  private var secretName: String {
    if user != nil { return "password" }
    return written("server.clientId") == nil ? "token" : "clientSecret"
  }

  /// Where the receiver is.
  var receiverPort: String {
    let old = written("receiverPort")
    let chosen = choices.receiverPort == .kept ? old : Self.text(choices.receiverPort)
    return chosen ?? board?.receiverPort.device ?? ""
  }

  var modemPort: String { written("modemPort") ?? board?.modemPort.device ?? "" }

  /// Whether a password is needed and neither the file nor the person has given one.
  var lacksSecret: Bool {
    let kind = Self.text(choices.serverKind) ?? written("server.kind") ?? "arcgis"
    guard kind == "arcgis", user != nil, secret == nil else { return false }
    let old = (try? root.bytes(of: secretsPath)) ?? nil
    return old.flatMap { try? SecretsFile($0, path: secretsPath) }?[secretName] == nil
  }

  /// The secrets file with the new secret, or for trackerd alone again; `nil`: there is none.
  func secretsChange() throws -> FileChange? {
    var old: String?
    var new: String
    if let secret {
      old = try root.text(of: secretsPath)
      guard let set = SecretsText.setting(secretName, to: secret, in: old ?? "") else { return nil }
      new = set
    } else {
      guard written("secrets") != nil, let kept = (try? root.text(of: secretsPath)) ?? nil else {
        return nil
      }
      (old, new) = (kept, kept)
    }
    return FileChange(
      name: secretsPath, old: old.map { Array($0.utf8) }, new: Array(new.utf8), isSecret: true,
      isForOthers: old != nil && !root.isForTrackerAlone(secretsPath))
  }

  /// The configuration with all choices, checked as a whole.
  func configurationChange() throws -> FileChange {
    var final = choices
    let secrets = try secretsChange()
    if secrets != nil, written("secrets") == nil { final.secrets = .text(secretsPath) }
    let path = root.path(Self.configuration)
    let new = try ConfigurationText.applying(final, to: oldConfiguration, path: path)
    let file = try FileNode.parse(new, path: path)
    let core = try ConfigurationFile(file)
    if let board { try core.check(on: board, path: path) }
    try core.checkFinish(at: BootClock.date, path: path)
    let bytes = try secrets?.new ?? root.bytes(of: secretsPath)
    let all = try bytes.map { bytes in try SecretsFile(bytes, path: root.path(secretsPath)) }
    let settings = try DaemonSettings(file)
    try settings.checkTrust(of: core.configuration.bearer)
    try settings.checkBroker(core.configuration.bearer)
    _ = try AnyDialogue(settings.server, settings.secrets == nil ? nil : all)
    return FileChange(name: Self.configuration, old: oldConfiguration, new: new)
  }
}
