public import TrackerCore
public import Uplink

/// A host's own dialogues with a modem: requests by the modem's HTTP commands, and short messages.
///
/// While either is active it gets all bytes from the modem; the core ignores them, and they must
/// not be recorded, because they may contain secrets such as tokens.
public struct ModemOperations: Sendable {
  /// A completed operation.
  public enum Completed: Sendable {
    case replied(ModemHTTPResult)
    case texted(RequestID, wasSent: Bool)
  }

  private var http: ModemHTTP?
  private var text: ModemText
  private var textID: RequestID?

  /// When the current upload or query has to be over.
  private var taskEnd = Instant.start

  /// - Parameter http: `nil` when requests are not sent by the modem.
  public init(family: ModemFamily, http: ModemHTTP?) {
    self.http = http
    text = ModemText(family: family)
  }

  public var carriesRequests: Bool { http != nil }
  // Cached, because a simulation reads them at every step and both dialogues are large.
  public private(set) var isActive = false
  public private(set) var nextDeadline: Instant?

  private mutating func update() {
    isActive = http?.isActive == true || text.isActive
    nextDeadline = http?.nextDeadline
    guard let message = text.nextDeadline else { return }
    nextDeadline = nextDeadline.map { min($0, message) } ?? message
  }

  /// The core wants an upload or a query: its requests have to be over before the core gives it up.
  public mutating func beginTask(at now: Instant) { taskEnd = now + ModemBounds.taskLimit }

  // Each returns what to send to the modem.

  /// Begins the next request of the current task.
  public mutating func begin(_ request: HTTPRequest, at now: Instant) -> [UInt8] {
    defer { update() }
    return http?.begin(request, until: taskEnd, at: now) ?? []
  }

  public mutating func begin(
    _ id: RequestID, to number: PhoneNumber, text words: String, at now: Instant
  ) -> [UInt8] {
    defer { update() }
    textID = id
    return text.begin(to: number, text: words, at: now)
  }

  public mutating func receive(_ bytes: [UInt8], at now: Instant) -> [UInt8] {
    defer { update() }
    if text.isActive { return text.receive(bytes, at: now) }
    return http?.receive(bytes, at: now) ?? []
  }

  /// Returns what the modem has said that is for the core, once. Pass it on before anything else:
  /// it has ended the operation.
  public mutating func takeNews() -> [UInt8] {
    let news = http?.takeNews() ?? []
    return news.isEmpty ? text.takeNews() : news
  }

  /// The line did not accept the last output, and has discarded what it had not sent.
  public mutating func lineRefused(at now: Instant) -> [UInt8] {
    defer { update() }
    if text.isActive { return text.abandon() }
    return http?.lineRefused(at: now) ?? []
  }

  public mutating func deadlineReached(at now: Instant) -> [UInt8] {
    guard let nextDeadline, now >= nextDeadline else { return [] }
    defer { update() }
    if text.isActive { return text.deadlineReached(at: now) }
    return http?.deadlineReached(at: now) ?? []
  }

  /// Ends the operation without a result of its own.
  public mutating func abandon(_ reason: AbandonReason) -> [UInt8] {
    defer { update() }
    return text.isActive ? text.abandon() : http?.abandon(reason) ?? []
  }

  public mutating func takeCompleted() -> Completed? {
    if let id = textID, let wasSent = text.takeResult() {
      textID = nil
      return .texted(id, wasSent: wasSent)
    }
    return http?.takeResult().map { .replied($0) }
  }
}
