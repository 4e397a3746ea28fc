public import TrackerCore
public import Uplink

/// What a host itself says to a modem: requests by its own HTTP commands, and short messages.
///
/// While either is under way the modem's bytes belong to it; the core makes nothing of them, and
/// what is in them (tokens, for one) must not get into a recording.
public struct ModemOperations: Sendable {
  /// What has come to an end.
  public enum Completed: Sendable {
    case replied(ModemHTTPResult)
    case texted(RequestID, wasSent: Bool)
  }

  private var http: ModemHTTP?
  private var text = ModemText()
  private var textID: RequestID?

  /// - Parameter http: `nil`: requests go another way.
  public init(http: ModemHTTP?) { self.http = http }

  public var carriesRequests: Bool { http != nil }
  // Kept, as they are asked for at every turn of a simulation and both dialogues are large.
  public private(set) var isActive = false
  public private(set) var nextDeadline: Instant?

  private mutating func update() {
    isActive = http?.isActive == true || text.isActive
    nextDeadline = http?.nextDeadline
    guard let message = text.nextDeadline else { return }
    nextDeadline = nextDeadline.map { min($0, message) } ?? message
  }

  // Each returns what goes to the modem.

  public mutating func begin(_ request: HTTPRequest, at now: Instant) -> [UInt8] {
    defer { update() }
    return http?.begin(request, at: now) ?? []
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

  /// The line did not take what was to go to the modem, and has thrown away what it held.
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

  /// The line has gone, or is wanted for something else.
  public mutating func abandon() -> [UInt8] {
    defer { update() }
    return text.isActive ? text.abandon() : http?.abandon() ?? []
  }

  public mutating func takeCompleted() -> Completed? {
    if let id = textID, let wasSent = text.takeResult() {
      textID = nil
      return .texted(id, wasSent: wasSent)
    }
    return http?.takeResult().map { .replied($0) }
  }
}
