import CardStore
import LeanUplink
import TrackerCore

/// An upload by the modem's own HTTP commands.
struct Delivery: Sendable {
  /// `nil`: the modem has no such commands, or there is no server.
  var posting: ModemPosting?
  let security: ModemPosting.Security
  /// `nil`: there is none.
  var request: UploadRequest?
  /// What is being sent.
  var key = CaptureKey.none
  /// Captures that were sent.
  var count: UInt32 = 0
  var tally = Posting()
  /// How it ends before all was sent.
  var end: UploadOutcome?

  init(_ settings: UnsafePointer<FirmwareSettings>) {
    let server = settings.pointee.server
    security = server.isSecure ? .authority : .none
    posting = server.isUsable ? ModemPosting(family: settings.pointee.core.board.modem.family) : nil
  }

  var isActive: Bool { posting?.isActive ?? false }
  var nextDeadline: Instant? { posting?.nextDeadline }

  /// Whether the server has refused it in this upload.
  func hasRefused(_ key: CaptureKey) -> Bool {
    for index in 0..<tally.refusedCount where tally.refused[index] == key { return true }
    return false
  }
}

extension FirmwareHost where Device: ~Copyable, Card: ~Copyable {
  @inline(never) mutating func begin(_ request: UploadRequest) {
    guard delivery.posting != nil else {
      return completions.addUpload(request.id, .unreachable)
    }
    delivery.request = request
  }

  /// Goes on with the upload, if there is one.
  ///
  /// - Returns: how many bytes of the buffer are for the tracker.
  @inline(never) mutating func tendDelivery(filling buffer: inout MutableSpan<UInt8>) -> Int {
    guard let request = delivery.request else { return 0 }
    if !delivery.isActive {
      (delivery.tally, delivery.count, delivery.end) = (Posting(), 0, nil)
      guard findNext(), let step = delivery.posting?.begin(delivery.security, at: now) else {
        delivery.request = nil
        // What cannot be read now may be read later.
        completions.addUpload(request.id, card.pointee.counts.pending > 0 ? .unreachable : .empty)
        return 0
      }
      perform(step)
    }
    var byte = InlineArray<1, UInt8>(repeating: 0)
    while delivery.isActive {
      var place = byte.mutableSpan
      guard machine.receive(from: .modem, into: &place) > 0 else { break }
      perform(delivery.posting?.receive(byte[0], at: now) ?? .wait)
    }
    perform(delivery.posting?.deadlineReached(at: now) ?? .wait)
    return takeNews(into: &buffer)
  }

  /// The modem is needed for something else.
  @inline(never) mutating func abandonDelivery() {
    if delivery.isActive { perform(delivery.posting?.abandon() ?? .wait) }
  }

  @inline(never) mutating func setAsideRefused() {
    for index in 0..<delivery.tally.refusedCount {
      card.pointee.setAside(delivery.tally.refused[index])
    }
    delivery.tally = Posting()
  }

  /// What the modem has said that is for the tracker: it has ended the upload.
  private mutating func takeNews(into buffer: inout MutableSpan<UInt8>) -> Int {
    guard let news = delivery.posting?.takeNews(), !news.isEmpty else { return 0 }
    for index in 0..<news.count { buffer[index] = news[index] }
    buffer[news.count] = 0x0D
    buffer[news.count + 1] = 0x0A
    return news.count + 2
  }

  private mutating func perform(_ first: ModemPostingStep) {
    var step = first
    while true {
      switch step {
      case .wait: return
      case .say(let words): return say(toModem: words)
      case .sayAddress: step = sayAddress()
      case .sayAuthority:
        text.text(ModemWebWords.authority)
        text.text(settings.pointee.server.authority)
        return say(toModem: "\"")
      case .sayRead(let count):
        text.text(ModemWebWords.read)
        text.text("0,")
        text.number(count)
        return say(toModem: "")
      case .judge(let status, let isPage):
        let hasNext = judge(status, isPage)
        step = delivery.posting?.proceed(hasNext: hasNext, at: now) ?? .wait
      case .over(let failure): return end(failure)
      }
    }
  }

  private mutating func say(toModem words: StaticString) {
    text.text(words)
    text.byte(0x0D)
    text.send(to: .modem, of: &machine)
  }

  // MARK: Captures

  /// Takes the next capture.
  ///
  /// - Returns: whether there is one.
  @inline(never) private mutating func findNext() -> Bool {
    guard let selection = delivery.request?.selection, delivery.count < selection.limit else {
      return false
    }
    // Those that were acknowledged have left the queue; those that were refused are still in it.
    var place: UInt32 = 0
    var unread = CaptureKey.none
    var failures = 0
    while failures < 4, let key = card.pointee.key(place, of: selection) {
      place += 1
      if delivery.hasRefused(key) { continue }
      guard card.pointee.capture(key) != nil else {
        if card.pointee.hasReadFailed {
          // The card may give it another time.
          (unread, failures) = (key, failures + 1)
        } else {
          setAside(key)
          // The next one has its place now.
          place -= 1
        }
        continue
      }
      delivery.key = key
      delivery.count += 1
      return true
    }
    // Nothing else waits: contacts for its sake would bring nothing, unless the whole card is gone.
    if unread != .none, failures < 4, delivery.count == 0, card.pointee.isPresent() {
      setAside(unread)
    }
    return false
  }

  private mutating func setAside(_ key: CaptureKey) {
    card.pointee.setAside(key)
    stateDueAt = stateDueAt ?? now
  }

  /// - Returns: what to do then.
  @inline(never) private mutating func sayAddress() -> ModemPostingStep {
    writeAddress(hasTeam: true)
    // The server knows the device without its team's name.
    if text.count > ModemWebWords.address.utf8CodeUnitCount + longestAddress {
      text.clear()
      writeAddress(hasTeam: false)
    }
    // Without it the modem would send the address before once more, and this capture would have its
    // answer.
    guard text.count > 0 else { return delivery.posting?.abandon() ?? .wait }
    say(toModem: "\"")
    return .wait
  }

  private var longestAddress: Int {
    Int(settings.pointee.core.board.modem.family.words.http?.longestAddress ?? 0)
  }

  @inline(never) private mutating func writeAddress(hasTeam: Bool) {
    guard var capture = card.pointee.capture(delivery.key), let request = delivery.request else {
      return
    }
    if !hasTeam { capture.team = InlineText() }
    let address = settings.pointee.server.address
    text.text(ModemWebWords.address)
    text.text(address)
    var hasQuery = false
    for index in 0..<address.count where address[index] == UInt8(ascii: "?") { hasQuery = true }
    text.byte(UInt8(ascii: hasQuery ? "&" : "?"))
    let device = card.pointee.tracker
    let name = device.text()
    OsmAnd(nextContactBy: request.nextContactBy, silence: request.silence).write(
      capture, id: UniqueID(device: device, sequence: capture.sequence), of: name.span,
      into: &text)
  }

  /// - Returns: whether there is another capture to send.
  @inline(never) private mutating func judge(_ status: Int32, _ isPage: Bool) -> Bool {
    switch delivery.tally.take(status: status, isPage: isPage, for: delivery.key) {
    case .acknowledged:
      card.pointee.remove(delivery.key)
      hasDelivered = true
      undeliveredSince = card.pointee.counts.pending > 0 ? now : nil
      stateDueAt = stateDueAt ?? now
      return findNext()
    case .refused: return findNext()
    case .end(let outcome):
      delivery.end = outcome
      return false
    }
  }

  @inline(never) private mutating func end(_ failure: ModemFailure?) {
    guard let id = delivery.request?.id else { return }
    delivery.request = nil
    let outcome: UploadOutcome =
      switch failure {
      case .unreachable: .unreachable
      case .lost: .ambiguous
      case nil: delivery.end ?? delivery.tally.outcome
      }
    completions.addUpload(id, outcome)
    if delivery.posting?.isNetworkLost ?? false { completions.add(.linkChanged(isUp: false)) }
  }
}

extension Selection {
  fileprivate var limit: UInt32 {
    switch self {
    case .freshest(let limit), .oldest(let limit): limit
    }
  }
}
