import BoardSupport
import CaptureStore
import CommandLineSupport
import Courier
import FieldConsole
import HTTPTransfer
import MachineAccess
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// A connection to a server, as the command line or a tracker's configuration describes it.
struct ServerConnection {
  private var dialogue: AnyDialogue
  private let sender: RequestSender
  private var bounds = DeliveryBounds()
  /// The control room may ask the tracker for a history.
  private var mayTellHistory = false
  /// Whether the captures come from a file of `export`, for the progress line.
  var isImport = false

  /// - Throws: if the command line or the file is wrong, before anything is sent.
  init(_ arguments: Arguments) throws {
    var network = HTTPClientConfiguration()
    if let path = arguments.text(.serverConfiguration) {
      self = try ServerConnection(configuration: path)
      return
    }
    var configuration = ArcGISConfiguration(
      address: try LayerAddress(arguments.text(.server) ?? ""))
    configuration.credentials = try ArcGISCredentials(arguments)
    dialogue = AnyDialogue(try ArcGISDialogue(configuration))
    network.authoritiesFile = arguments.text(.authorities)
    sender = try RequestSender(network)
  }

  /// The server of a tracker.
  ///
  /// - Parameter limit: of a request; `nil`: the usual one.
  /// - Throws: if the file is wrong, before anything is sent.
  init(configuration path: String, within limit: Milliseconds? = nil) throws {
    var network = HTTPClientConfiguration()
    if let limit {
      network.connectTimeout = limit
      network.totalTimeout = limit
    }
    let root = try FileNode.load(path: path)
    let core = try ConfigurationFile(root)
    let settings = try DaemonSettings(root)
    let secrets = try settings.secrets.map { node throws in try SecretsFile.load(node.path()) }
    dialogue = try AnyDialogue(settings.server, secrets)
    if let time = core.mayActFor { bounds.mayActFor = time }
    mayTellHistory = core.remote.contains(.history)
    // The tracker's interface is ignored: this machine may be another.
    network.authoritiesFile = settings.network.authorities
    network.proxy = settings.network.proxy
    sender = try RequestSender(network)
  }

  /// Asks whether the server takes captures, and sends none.
  mutating func check() -> ServerFit {
    guard dialogue.canCheck else { return .unknown(CommandPhrase.noQuestion.texts) }
    let (result, failure) = perform(.check)
    switch result?.outcome {
    case .ready:
      if let missing = result?.problem { return .lacking(missing) }
      if lacksMessages() { return .lacking(CommandPhrase.noMailbox.texts) }
      if lacksNotes() { return .lacking(CommandPhrase.noNotes.texts) }
      return lacksHistory() ? .lacking(CommandPhrase.noHistory.texts) : .fit
    case .notReady(.refused): return .unfit(result?.problem)
    case .notReady(.unauthorised): return .unauthorised
    case .notReady, .upload, .reconcile, .mail, .notes, .history, nil:
      return .unknown(failure?.texts ?? result?.problem ?? CommandPhrase.serverSilent.texts)
    }
  }

  /// Whether the server itself says that it has no table of messages where the settings have it.
  private mutating func lacksMessages() -> Bool {
    let nobody = MailQuestion(device: UniqueID(high: 0, low: 0), after: .max)
    let (result, _) = perform(dialogue.fetch(nobody, at: BootClock.date))
    // Without a problem the settings want none.
    guard let result, result.problem != nil, case .mail(.failed(let status)) = result.outcome else {
      return false
    }
    return status == 400 || status == 404
  }

  /// The same of its table of notes.
  private mutating func lacksNotes() -> Bool {
    let nobody = NoteTask.pull(
      device: UniqueID(high: 0, low: 0), above: Int64(Int32.max), known: nil)
    let (result, _) = perform(dialogue.exchange(nobody, at: BootClock.date))
    guard let result, result.problem != nil, case .notes(.failed(let status)) = result.outcome
    else { return false }
    return status == 400 || status == 404
  }

  /// The same of its table of histories, if the room may ask for them.
  private mutating func lacksHistory() -> Bool {
    guard mayTellHistory else { return false }
    let nobody = HistoryTask.ask(device: UniqueID(high: 0, low: 0), request: 0)
    let (result, _) = perform(dialogue.tell(nobody, at: BootClock.date))
    guard let result, result.problem != nil, case .history(.failed(let status)) = result.outcome
    else { return false }
    return status == 400 || status == 404
  }

  private mutating func perform(_ task: UplinkTask) -> (UplinkResult?, HTTPError?) {
    perform(dialogue.begin(task, at: BootClock.date))
  }

  private mutating func perform(_ first: UplinkStep) -> (UplinkResult?, HTTPError?) {
    var step = first
    var failure: HTTPError?
    while case .send(let request) = step {
      let answer = sender.perform(request)
      failure = answer.failure
      step = dialogue.receive(answer.reply, at: BootClock.date)
    }
    if case .done(let result) = step { return (result, failure) }
    return (nil, failure)
  }

  /// Asks which of these captures the server has, and sends none.
  ///
  /// - Throws: if it cannot be asked, or does not answer.
  mutating func known(_ captures: [StoredCapture]) throws(UsageError) -> Set<CaptureKey> {
    guard dialogue.canReconcile else { throw UsageError(CommandPhrase.noQuestion.texts) }
    let (result, failure) = perform(.reconcile(captures.map { OutgoingCapture($0) }))
    guard let result, case .reconcile(.settled) = result.outcome else {
      throw UsageError(failure?.texts ?? CommandPhrase.serverSilent.texts)
    }
    // Only now does it turn out that a layer takes captures and shows none.
    guard dialogue.canReconcile else { throw UsageError(CommandPhrase.noQuestion.texts) }
    return Set(result.acknowledged)
  }

  /// Reads what the server has of a team, or of a device's code, page by page.
  ///
  /// - Throws: if it cannot be asked, or does not answer.
  mutating func served(
    team: String?, device: String?
  ) throws(UsageError) -> [ServedCapture] {
    guard dialogue.canReconcile else { throw UsageError(CommandPhrase.noQuestion.texts) }
    var question = LayerQuestion()
    (question.team, question.device) = (team, device)
    var captures: [ServedCapture] = []
    while true {
      let (result, failure) = perform(dialogue.read(question, at: BootClock.date))
      guard let page = result?.page else {
        throw UsageError(failure?.texts ?? result?.problem ?? CommandPhrase.serverSilent.texts)
      }
      captures += page.captures
      guard let last = page.last else { return captures }
      question.from = last + 1
    }
  }

  /// Delivers until nothing is left or too many attempts have failed, and reports problems.
  ///
  /// - Returns: what was done; `nil` if the address cannot take captures.
  func deliver(_ store: CaptureStore) throws -> DeliveryReport? {
    let clock = BootClock()
    let environment = DeliveryEnvironment(
      now: { clock.hostTime }, boot: clock.boot,
      wait: { pause(milliseconds: $0.count) }, perform: sender.perform)
    var delivery = Delivery(store, dialogue, bounds: bounds, environment: environment)
    let (isImport, language) = (isImport, Language.chosen(nil))
    delivery.progress = { Self.show(Self.progress($0, isImport: isImport, language)) }
    let report = try delivery.run()
    Self.show("")
    if report.displaced > 0 {
      Program.complain(
        DeliveryPhrase.displaced.text(in: language, count: Int64(report.displaced)))
    }
    let isOver = report.end == .unsuitable
    if let problem = report.problem {
      var text = problem
      if !isOver { text = text.semicolon(CommandPhrase.repeatToGoOn.texts("\(report.left)")) }
      if !isOver && report.held > 0 {
        text = text.semicolon(CommandPhrase.heldAsked.texts("\(report.held)"))
      }
      Program.complain(text)
    }
    return isOver ? nil : report
  }

  private static func progress(
    _ report: DeliveryReport, isImport: Bool, _ language: Language
  ) -> String {
    let phrase: DeliveryPhrase = isImport ? .importing : .pushing
    let text = phrase.text(in: language, "\(report.pushed)", "\(report.left)")
    guard report.heldFor > 0 else { return text }
    return DeliveryPhrase.asksSoon.text(in: language, text, "\(report.heldFor.count / 1000)")
  }

  /// Shows the progress if standard error is a terminal; an empty text erases it.
  private static func show(_ text: String) {
    guard isTerminal(StandardStream.error) else { return }
    let bytes = Array("\r\u{1B}[K\(text)".utf8)
    // A failure to show the progress is ignored.
    try? writeAll(bytes, to: StandardStream.error)
  }
}

extension ArcGISCredentials {
  /// Takes names from the command line and secrets from the file.
  ///
  /// - Throws: a one-line error if a secret is missing.
  init(_ arguments: Arguments) throws {
    guard let path = arguments.text(.secrets) else {
      self = .none
      return
    }
    let tokenURL = arguments.text(.tokenURL)
    let file = try SecretsFile.load(path)
    func secret(_ name: String) throws -> Secret {
      if let secret = file[name] { return secret }
      throw UsageError(CommandPhrase.lacksSecret.texts(path, name))
    }
    switch (arguments.text(.user), arguments.text(.clientID)) {
    case (nil, nil):
      guard file["password"] == nil || file["token"] != nil else {
        throw UsageError(CommandPhrase.noUser.texts(path))
      }
      self = .token(try secret("token"))
    case (let name?, nil):
      self = .user(name: name, password: try secret("password"), tokenURL: tokenURL)
    case (_, let client?):
      guard let url = tokenURL else {
        throw UsageError(CommandPhrase.clientAlone.texts)
      }
      self = .application(
        clientID: client, clientSecret: try secret("clientSecret"), tokenURL: url)
    }
  }
}
