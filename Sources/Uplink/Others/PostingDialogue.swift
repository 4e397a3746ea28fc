import JSONReading
import LeanUplink
public import TrackerCore
import Wording

/// A dialogue with a server that takes positions and only answers with a status: OsmAnd (Traccar),
/// OwnTracks over HTTP, plain JSON, and MQTT brokers.
///
/// A success status is the acknowledgement, of a broker what it says (`CaptureAcknowledgement`),
/// unless the body is a web page, as captive portals send.
/// Such a server cannot be queried, so a capture whose answer was lost is sent again: **at least
/// once**, under the same identifier, by which the receiver can recognise copies. What people tell
/// the tracker comes with the answers (`CarriedMail`).
public struct PostingDialogue: UplinkDialogue, Equatable {
  let configuration: PostingConfiguration
  /// Still to be sent, the next first; `nil`: no task.
  private var rest: ArraySlice<OutgoingCapture>?
  /// When the upload began.
  private var begun: UTC?
  private var nextContactBy: UTC?
  private var silence = PlannedSilence.none
  private var result = UplinkResult(outcome: .upload(.empty))
  private var mail = CarriedMail()
  /// The newest message that the tracker has; `nil`: it has not said so yet.
  private var lastMessage: UInt32?

  private var isChecking = false

  public var canReconcile: Bool { false }
  public var canCheck: Bool { if case .mqtt = configuration.format { true } else { false } }
  public var mayRepeat: Bool { true }
  public var sendsMarks: Bool { if case .mqtt = configuration.format { true } else { false } }
  public var isByBroker: Bool {
    if case .mqtt(_, .broker) = configuration.format { true } else { false }
  }

  public init(_ configuration: PostingConfiguration) { self.configuration = configuration }

  public mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
    rest = nil
    isChecking = false
    result = UplinkResult(outcome: .upload(.empty))
    switch work {
    case .check:
      // On a broker without a capture; any other request would add a position.
      guard canCheck else { return .done(UplinkResult(outcome: .ready)) }
      isChecking = true
      return sendNext(of: [])
    case .reconcile(let captures):
      var result = UplinkResult(outcome: .reconcile(.settled(confirmed: 0)))
      result.doubtful = captures.map(\.key)
      return .done(result)
    case .upload(let captures, let promise, let silence):
      (begun, nextContactBy, self.silence) = (now, promise, silence)
      let first = captures.prefix(UplinkBounds.captures)
      return first.isEmpty ? .done(result) : sendNext(of: first)
    }
  }

  public mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
    guard let rest else { return .done(UplinkResult(outcome: .upload(.ambiguous))) }
    let sent = rest.prefix(perRequest)
    switch reply {
    case .unreachable: return fail(.unreachable, sent, UplinkPhrase.noConnection.texts)
    case .tooLarge: return fail(.tooLarge, sent, UplinkPhrase.tooLarge.texts)
    case .stalled: return fail(.stalled, sent, UplinkPhrase.stalled.texts)
    case .lost: return fail(.unclear, sent, UplinkPhrase.lost.texts)
    case .response(let status, let headers, let body):
      if let failure = Failure(status: status, headers: headers, at: now) {
        let words = ForeignAnswer.describe(status, headers, from: configuration.url)
        result.cause = ForeignAnswer.cause(status, headers, from: configuration.url)
        return fail(failure, sent, words)
      }
      guard !Self.isPage(headers, body) else {
        result.cause = .portal
        return fail(.unclear, sent, UplinkPhrase.portalPage.texts)
      }
    }
    if case .response(_, _, let body) = reply {
      mail.take(body, from: configuration.format, at: now)
      if case .mqtt = configuration.format { return judge(body, sent, at: now) }
    }
    result.acknowledged += sent.map(\.key)
    // The rest goes with the next upload: one that is given up has delivered nothing.
    let isLong = begun.map { now - $0 >= UplinkBounds.postingTime } ?? false
    return proceed(to: isLong ? [] : rest.dropFirst(sent.count))
  }

  /// What the answers since the last question have carried.
  public mutating func fetch(_ question: MailQuestion, at now: UTC) -> UplinkStep {
    let isCarrier = configuration.format.carriesMessages
    let messages = mail.takeAll(after: question.after)
    lastMessage = question.after
    return .done(UplinkResult(outcome: .mail(isCarrier ? .fetched(messages) : .unsupported)))
  }

  private var perRequest: Int {
    switch configuration.format {
    case .osmAnd, .ownTracks: 1
    case .json, .mqtt: UplinkBounds.captures
    }
  }

  /// What was said of captures on a broker; of the rest nothing is known.
  private mutating func judge(
    _ body: [UInt8], _ sent: ArraySlice<OutgoingCapture>, at now: UTC
  ) -> UplinkStep {
    var words: [CaptureAcknowledgement] = []
    if case .list(let list)? = try? JSONValue(parsing: body) {
      words = list.compactMap { CaptureAcknowledgement($0, at: now) }
    }
    let stored = Set(words.flatMap(\.ids))
    let refused = Set(words.flatMap(\.refused)).subtracting(stored)
    result.acknowledged += sent.filter { stored.contains($0.id) }.map(\.key)
    result.refused += sent.filter { refused.contains($0.id) }.map {
      Refusal(key: $0.key, code: 400)
    }
    let open = sent.filter { !stored.contains($0.id) && !refused.contains($0.id) }
    return open.isEmpty ? proceed(to: []) : fail(.unclear, open[...], UplinkPhrase.lost.texts)
  }

  private mutating func proceed(to next: ArraySlice<OutgoingCapture>) -> UplinkStep {
    guard next.isEmpty else { return sendNext(of: next) }
    return end(
      .answered(
        acknowledged: UInt32(clamping: result.acknowledged.count),
        refused: UInt32(clamping: result.refused.count),
        firstRefused: result.refused.first?.key ?? .none, code: result.refused.first?.code ?? 0))
  }

  private mutating func sendNext(of next: ArraySlice<OutgoingCapture>) -> UplinkStep {
    rest = next
    let encoder = PostingRequests(
      configuration: configuration, nextContactBy: nextContactBy, silence: silence,
      lastMessage: lastMessage)
    return .send(encoder.request(for: Array(next.prefix(perRequest))))
  }

  private mutating func fail(
    _ failure: Failure, _ sent: ArraySlice<OutgoingCapture>, _ words: Texts
  ) -> UplinkStep {
    result.problem = LogLine.make(
      UplinkPhrase.upload.texts.colon(words), hiding: configuration.secrets)
    if failure.mayHaveApplied { result.doubtful = sent.map(\.key) }
    if case .busy = failure { result.cause = result.cause ?? .busy }
    if case .refused(let code) = failure { return refuse(sent, code) }
    return end(failure.endOfUpload)
  }

  /// A capture sent alone was refused. If another was accepted before, the rest is tried; if not,
  /// the server may refuse everything, which the core finds out with a witness.
  private mutating func refuse(
    _ sent: ArraySlice<OutgoingCapture>, _ code: Int32
  ) -> UplinkStep {
    guard let first = sent.first, perRequest == 1 else {
      let count = UInt32(clamping: sent.count)
      return end(.refused(code: code, first: sent.first?.key ?? .none, count: count))
    }
    result.refused.append(Refusal(key: first.key, code: code))
    guard !result.acknowledged.isEmpty, let rest else { return proceed(to: []) }
    return proceed(to: rest.dropFirst())
  }

  private mutating func end(_ outcome: UploadOutcome) -> UplinkStep {
    rest = nil
    result.outcome = .upload(outcome)
    if isChecking {
      result.outcome = if case .answered = outcome { .ready } else { .notReady(outcome) }
    }
    return .done(result)
  }

  private static func isPage(_ headers: [HTTPHeader], _ body: [UInt8]) -> Bool {
    let isMarked = headers.contains {
      $0.name.lowercased() == "content-type" && $0.value.lowercased().has("html")
    }
    let isEmpty = body.allSatisfy { LeanUplink.isPage(beginningWith: $0) == nil }
    return (isMarked && !isEmpty) || ForeignAnswer.isPage(body)
  }
}

/// The settings for a server that takes positions and cannot be queried.
public struct PostingConfiguration: Sendable, Equatable {
  public enum Format: Sendable, Equatable {
    /// Traccar's OsmAnd protocol: one position in the query of each request.
    case osmAnd
    /// OwnTracks over HTTP: one `location` in each request.
    case ownTracks(user: String)
    /// An array of all captures with everything that is known about them (`CaptureJSON`).
    case json
    /// MQTT with the topics and messages of OwnTracks (`Publication`).
    case mqtt(user: String, Publication.Acknowledger)

    /// Whether answers may have messages for the tracker.
    var carriesMessages: Bool {
      switch self {
      case .osmAnd, .mqtt(_, .broker): false
      case .ownTracks, .json, .mqtt(_, .receiver): true
      }
    }
  }

  public enum Credentials: Sendable, Equatable {
    case none
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(Secret)
    /// `Authorization: Basic …` (RFC 7617).
    case basic(user: String, password: Secret)
  }

  var format: Format
  /// Where to post to.
  public var url: String
  var credentials = Credentials.none
  /// The device's name on the server; `nil`: its identifier.
  public var deviceCode: String?

  /// - Throws: if the address cannot be used.
  public init(
    format: Format, url: String, credentials: Credentials = .none
  ) throws(AddressError) {
    if case .mqtt = format {
      _ = try BrokerAddress(url, hasPassword: credentials != .none)
      (self.format, self.url, self.credentials) = (format, url, credentials)
      return
    }
    try LayerAddress.checkCharacters(url)
    let lower = url.lowercased()
    guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else {
      throw LayerAddress.error(url, "has no scheme", "write https:// in front")
    }
    guard !url.contains("#") else {
      throw LayerAddress.error(url, "has a fragment", "end it before the #")
    }
    let authority = url.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" && $0 != "?" }
    guard !authority.isEmpty else {
      throw LayerAddress.error(url, "has no host", "write it as in https://host/path")
    }
    guard !authority.contains("@") else {
      throw AddressError(
        description: "server address: contains a user name or password;"
          + " move them to the secrets file")
    }
    guard credentials == .none || !LayerAddress.isInTheClear(url) else {
      throw LayerAddress.error(
        url, "would send credentials unencrypted", "use https://")
    }
    self.format = format
    self.url = url
    self.credentials = credentials
  }

  var secrets: [String] {
    switch credentials {
    case .none: []
    case .bearer(let token): [token.text]
    case .basic(_, let password): [password.text]
    }
  }
}

extension PostingConfiguration: CustomStringConvertible, CustomReflectable {
  /// Without the query of the address, because some services have the key there.
  public var description: String { "\(format) to \(url.prefix { $0 != "?" })" }
  public var customMirror: Mirror { Mirror(self, children: ["server": description]) }
}
