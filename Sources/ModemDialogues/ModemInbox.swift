import TrackerCore

/// What a modem had stored.
public struct InboxReading: Sendable, Equatable {
  /// Whether the modem has told all of it.
  public var isComplete = false
  /// At most `ModemBounds.textsRead`.
  public var texts: [IncomingText] = []
  /// Messages that cannot be read, and those beyond the bound.
  public var unread = 0
  /// No further message can come in.
  public var isFull = false

  public init() {}

  /// Its texts, those of several parts joined as far as they are here in order; of others there is
  /// no text. Each with the places of its parts.
  public var wholes: [(message: IncomingText, places: [Int])] {
    var wholes: [(message: IncomingText, places: [Int])] = []
    for text in texts {
      guard let part = text.part else {
        wholes.append((text, [text.place]))
        continue
      }
      guard part.number == 1 else { continue }
      var whole = (message: text, places: [text.place])
      whole.message.text = part.text
      for number in 2..<max(2, part.count + 1) {
        guard
          let next = texts.first(where: {
            $0.sender == text.sender && $0.part?.message == part.message
              && $0.part?.count == part.count && $0.part?.number == number
          })
        else { break }
        whole.message.text? += next.part?.text ?? ""
        whole.places.append(next.place)
      }
      wholes.append(whole)
    }
    return wholes
  }
}

/// Reads the short messages that a modem has stored (3GPP TS 27.005), without I/O, after deleting
/// those that were read before and have been taken into account.
///
/// It is used like `ModemText`.
struct ModemInbox: ModemDialogue {
  enum Listing: Sendable, Equatable {
    /// Those not read before; it marks them as read.
    case new
    case all
  }

  enum Step: Sendable, Equatable {
    /// Exits: `mode`, over.
    case quiet
    /// Exits: `deleting`, `listing`, over.
    case mode
    /// Exits: `deleting`, `listing`, over.
    case deleting
    /// Exits: `capacity`, over.
    case listing
    /// Exits: over.
    case capacity
  }

  private enum State: Sendable, Equatable {
    case idle
    case active(Step, until: Instant)
    case over
  }

  let words: ModemStrings
  private var state = State.idle
  var stream = ModemStream()
  private var giveUpAt = Instant.start
  private var listing = Listing.new
  private var reading = InboxReading()
  /// The head of a message whose line comes next.
  private var head: (place: Int, length: Int)?
  /// Places to clear.
  private var taken: [Int] = []

  init(family: ModemFamily) { words = family.words }

  var isActive: Bool { if case .active = state { true } else { false } }
  var nextDeadline: Instant? {
    if case .active(_, let until) = state { min(until, giveUpAt) } else { nil }
  }

  mutating func takeResult() -> InboxReading? {
    guard state == .over else { return nil }
    state = .idle
    return reading
  }

  /// What was in these places has been taken into account: they are cleared before the next
  /// reading.
  mutating func clear(_ places: [Int]) {
    for place in places where !taken.contains(place) { taken.append(place) }
    // More cannot have been read.
    if taken.count > ModemBounds.textsRead {
      taken.removeFirst(taken.count - ModemBounds.textsRead)
    }
  }

  /// - Returns: what to send.
  mutating func begin(_ listing: Listing, at now: Instant) -> [UInt8] {
    stream = ModemStream()
    self.listing = listing
    reading = InboxReading()
    head = nil
    giveUpAt = now + ModemBounds.inboxLimit
    return say("ATE0", .quiet, at: now)
  }

  mutating func deadlineReached(at now: Instant) -> [UInt8] {
    guard let nextDeadline, now >= nextDeadline else { return [] }
    return end()
  }

  /// Ends at once.
  mutating func abandon() -> [UInt8] { isActive ? end() : [] }

  // MARK: Steps

  mutating func interrupt(_ interruption: ModemInterruption) -> [UInt8] {
    // Perhaps it has another SIM now, with other messages in the same places.
    taken = []
    return end()
  }

  mutating func hear(_ piece: ModemStream.Piece, at now: Instant) -> [UInt8] {
    guard case .active(let step, _) = state, case .line(let line) = piece else { return [] }
    if let ending = ModemEnd(line) { return finish(step, ending, at: now) }
    switch step {
    case .listing:
      state = .active(step, until: now + ModemBounds.answerLimit)
      hear(listed: line)
    case .capacity: hear(capacity: line)
    case .quiet, .mode, .deleting: break
    }
    return []
  }

  private mutating func finish(_ step: Step, _ ending: ModemEnd, at now: Instant) -> [UInt8] {
    switch (step, ending) {
    case (.quiet, _): return say("AT+CMGF=0", .mode, at: now)
    case (.mode, .ok), (.deleting, _):
      // One that cannot be deleted is not there.
      if step == .deleting { taken.removeFirst() }
      if let place = taken.first { return say("AT+CMGD=\(place)", .deleting, at: now) }
      return say("AT+CMGL=\(listing == .new ? 0 : 4)", .listing, at: now)
    case (.listing, .ok):
      if head != nil { reading.unread += 1 }
      reading.isComplete = true
      return say("AT+CPMS?", .capacity, at: now)
    case (.capacity, _), (.mode, .error), (.listing, .error): return end()
    }
  }

  /// `+CMGL: 3,0,,24` and, in the next line, the message.
  private mutating func hear(listed line: String) {
    if line.hasPrefix("+CMGL:") {
      if head != nil { reading.unread += 1 }
      let fields = line.dropFirst("+CMGL: ".count).split(separator: ",")
      head = nil
      if let place = fields.first.flatMap({ Int($0) }), place >= 0,
        let length = fields.last.flatMap({ Int($0) }), (0...255).contains(length)
      {
        head = (place, length)
      } else {
        reading.unread += 1
      }
    } else if let head {
      self.head = nil
      if reading.texts.count < ModemBounds.textsRead,
        let text = IncomingText(place: head.place, hex: line, length: head.length)
      {
        reading.texts.append(text)
      } else {
        reading.unread += 1
      }
    }
  }

  /// `+CPMS: "SM",3,20,"SM",3,20,"SM",3,20`: the third store is where messages come in.
  private mutating func hear(capacity line: String) {
    guard line.hasPrefix("+CPMS:") else { return }
    let fields = line.dropFirst("+CPMS: ".count).split(separator: ",")
    guard let last = fields.last.flatMap({ Int($0) }), fields.count > 1,
      let used = Int(fields[fields.count - 2])
    else { return }
    reading.isFull = last > 0 && used >= last
  }

  private mutating func say(_ line: String, _ step: Step, at now: Instant) -> [UInt8] {
    state = .active(step, until: now + ModemBounds.answerLimit)
    return Array("\(line)\r".utf8)
  }

  private mutating func end() -> [UInt8] {
    state = .over
    return []
  }
}
