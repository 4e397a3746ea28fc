public import TrackerCore

/// A dialogue with a layer of an ArcGIS FeatureServer (Esri REST: layer, `applyEdits`,
/// `addFeatures`, `query`, `generateToken`; OAuth 2.0 client credentials).
///
/// A capture is added to the layer once, even if answers are lost:
/// - A layer that accepts GlobalIDs gets `applyEdits` with them. It refuses a second copy, and a
///   query then confirms that the row is this capture.
/// - A layer that cannot be queried gets each capture at least once: a second copy that it refuses
///   as such (1022) counts as delivered.
/// - Any other gets `addFeatures`. Captures that may have been sent before are first queried by the
///   identifier field, and only missing ones are sent.
///
/// A capture is not reported as refused before the layer was queried for it: a server that took it,
/// but whose answer was lost, refuses the second copy with varying messages.
///
/// Only captures named in an answer count as delivered: the HTTP status alone proves nothing.
public struct ArcGISDialogue: UplinkDialogue, Equatable {
  var configuration: ArcGISConfiguration { access.configuration }
  private var access: ArcGISAccess
  /// The task whose request is in flight.
  private var task: ArcGISTask?

  public var canReconcile: Bool { access.layer?.canBeQueried ?? true }
  public var mayRepeat: Bool {
    access.layer.map { $0.usesGlobalIDs || !$0.canBeQueried } ?? false
  }
  public var sendsMarks: Bool { access.layer?.takesMarks ?? configuration.fields.mayHaveMarks }

  /// - Throws: if the configuration can never work.
  public init(_ configuration: ArcGISConfiguration) throws(AddressError) {
    try configuration.validate()
    access = ArcGISAccess(configuration)
  }

  public mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
    if work == .check { access.layer = nil }
    return run(ArcGISTask(work)) { $0.proceed(&$1, at: now) }
  }

  public mutating func read(_ question: LayerQuestion, at now: UTC) -> UplinkStep {
    run(ArcGISTask(question)) { $0.proceed(&$1, at: now) }
  }

  public mutating func fetch(_ question: MailQuestion, at now: UTC) -> UplinkStep {
    run(ArcGISTask(.fetching(question))) { $0.proceed(&$1, at: now) }
  }

  public mutating func confirm(
    _ messages: [MailConfirmation], to device: UniqueID, at now: UTC
  ) -> UplinkStep {
    edit(ConfirmedMail(device: device, messages: messages), at: now)
  }

  mutating func edit(_ mail: ConfirmedMail, at now: UTC) -> UplinkStep {
    run(ArcGISTask(.confirming(mail))) { $0.proceed(&$1, at: now) }
  }

  public mutating func exchange(_ notes: NoteTask, at now: UTC) -> UplinkStep {
    run(ArcGISTask(.noting(notes))) { $0.proceed(&$1, at: now) }
  }

  public mutating func tell(_ history: HistoryTask, at now: UTC) -> UplinkStep {
    run(ArcGISTask(.recounting(history))) { $0.proceed(&$1, at: now) }
  }

  public mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
    guard let task else { return .done(UplinkResult(outcome: .upload(.ambiguous))) }
    return run(task) { $0.receive(reply, &$1, at: now) }
  }

  private mutating func run(
    _ task: ArcGISTask, _ step: (inout ArcGISTask, inout ArcGISAccess) -> UplinkStep
  ) -> UplinkStep {
    var task = task
    self.task = nil
    let next = step(&task, &access)
    if case .send = next { self.task = task }
    return next
  }
}

/// The settings for a FeatureServer.
public struct ArcGISConfiguration: Sendable, Equatable {
  public let address: LayerAddress
  /// Of messages to this tracker.
  public var messages = MailTable.next
  /// Of notes of the team and the organisers.
  public var notes = MailTable.next
  /// Of histories that the organisers ask for.
  public var history = MailTable.next
  public var fields = ArcGISFields()
  public var credentials = ArcGISCredentials.none
  /// Value of the attribute `Tipus`: the kind of system that a capture comes from.
  var kind = "trailtracker"
  /// Value of `CodiEquip`; `nil`: the device's identifier.
  public var deviceCode: String?

  public init(address: LayerAddress) { self.address = address }
}

/// Names of the layer's attributes. One that is `nil` is not sent. Names are compared
/// case-insensitively, as in databases, and sent as the layer spells them.
public struct ArcGISFields: Sendable, Equatable {
  /// An attribute that not every layer has.
  public enum Choice: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The layer must have it.
    case named(String)
    /// Sent if the layer has it, and it can hold the values.
    case unasked(String)

    public init(stringLiteral name: String) { self = .named(name) }

    var name: String {
      switch self {
      case .named(let name), .unasked(let name): name
      }
    }
  }

  public var device: String? = "CodiEquip"
  public var team: String? = "Equip"
  /// Percent.
  public var battery: String? = "Bateria"
  /// Time of the capture.
  public var time: String? = "Entrada"
  public var kind: String? = "Tipus"
  /// The capture's identifier: required unless the layer accepts GlobalIDs.
  public var identifier: String? = "UUID"
  /// The device's sequence number, without gaps.
  public var sequence: Choice? = .unasked("Ordre")
  /// The latest time of the next contact that the tracker promises.
  public var nextContact: Choice? = .unasked("ProperContacte")
  /// Why the tracker will be silent: `reserve`, `finished`, `stoppedByPerson`.
  public var silence: Choice? = .unasked("Silenci")
  /// Metres done along the course, and to go.
  public var done: Choice? = .unasked("Fets")
  public var toGo: Choice? = .unasked("PerFer")
  /// The name of the course's place that it was taken for or in.
  public var place: Choice? = .unasked("Lloc")
  /// Why it was taken: `interval`, `entered`.
  public var trigger: Choice? = .unasked("Motiu")
  /// How far the position may be off, metres.
  public var accuracy: Choice? = .unasked("Precisio")

  /// Whether something of the course is sent to some layers.
  var mayHaveMarks: Bool { done != nil || toGo != nil || place != nil }

  init() {}
}

/// How the tracker authenticates itself.
public enum ArcGISCredentials: Sendable, Equatable {
  case none
  /// A fixed token, which cannot be renewed.
  case token(Secret)
  /// `generateToken` of ArcGIS Server or a portal; without `tokenURL` that of the site.
  case user(name: String, password: Secret, tokenURL: String?)
  /// OAuth 2.0 client credentials, from a portal's `/sharing/rest/oauth2/token`.
  case application(clientID: String, clientSecret: Secret, tokenURL: String)
}

extension ArcGISConfiguration {
  /// The address of the token service; `nil` when no tokens are requested.
  var tokenURL: String? {
    switch credentials {
    case .none, .token: nil
    case .user(_, _, let url): url ?? address.site.map { "\($0)/tokens/generateToken" }
    case .application(_, _, let url): url
    }
  }

  /// Detects settings that can never work, before the first request.
  public func validate() throws(AddressError) {
    if credentials == .none { return }
    guard !address.isInTheClear else {
      throw LayerAddress.error(
        address.layer, "would send credentials unencrypted", "use https://")
    }
    switch credentials {
    case .none, .token: return
    case .user, .application: break
    }
    guard let tokenURL else {
      throw LayerAddress.error(
        address.layer, "does not show where tokens come from", "configure the token address too")
    }
    try LayerAddress.checkCharacters(tokenURL)
    let lower = tokenURL.lowercased()
    guard lower.hasPrefix("https://") || lower.hasPrefix("http://"), !lower.contains("@"),
      !LayerAddress.isInTheClear(tokenURL)
    else {
      throw AddressError(
        description: "token address: must be https:// without a user name; correct it")
    }
  }

  /// Everything that must not appear in the log.
  var secrets: [String] {
    switch credentials {
    case .none: []
    case .token(let token): [token.text]
    case .user(_, let password, _): [password.text]
    case .application(_, let secret, _): [secret.text]
    }
  }
}
