public import TrackerCore

// How a recording on a card has what came to the tracker. An arrival begins with a byte: its kind
// (bits 0 and 1), bytes (bits 2 and 3) and milliseconds since the arrival before (bits 4 to 7).
// Where these are not enough, numbers follow it: the time if all its bits are set, and the bytes if
// theirs are not.
//
// A number has seven bits in a byte, the lowest first, and bit 7 is set in all but its last byte.
extension CardStore where Device: ~Copyable {
  @inline(never) public mutating func record(
    _ bytes: Span<UInt8>, from role: SerialRole, at now: Instant
  ) {
    guard recordingState == .running else { return }
    let isShort = (1..<4).contains(bytes.count)
    head(role == .receiver ? .receiver : .modem, isShort ? UInt8(bytes.count) : 0, at: now)
    if !isShort { number(UInt64(bytes.count)) }
    for index in bytes.indices { record(bytes[index]) }
  }

  @inline(never) public mutating func record(_ event: Event, at now: Instant) {
    guard recordingState == .running else { return }
    if case .deadlineReached = event { return head(.deadline, 0, at: now) }
    head(.event, 0, at: now)
    let event = RecordedEvent(event)
    record(event.kind)
    for index in event.numbers.indices {
      let value = event.numbers[index]
      number(UInt64(bitPattern: value << 1 ^ value >> 63))
    }
  }

  /// A capture is saved with all that came before.
  @inline(never) public mutating func record(_ effect: Effect) {
    guard recordingState == .running else { return }
    recording.digest.add(effect)
    if case .store = effect { saveRecording() }
  }

  public mutating func record(_ memory: Memory) {
    guard recordingState == .running else { return }
    recording.digest.add(memory)
  }

  @inline(never) private mutating func head(
    _ kind: RecordedKind, _ count: UInt8, at now: Instant
  ) {
    let time = UInt64(max(0, (now - recording.last).count))
    recording.last = now
    record(kind.rawValue | count << 2 | UInt8(min(time, 15)) << 4)
    if time >= 15 { number(time) }
  }

  @inline(never) private mutating func number(_ value: UInt64) {
    var rest = value
    while rest > 127 {
      record(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    record(UInt8(rest))
  }
}

/// What an arrival on a card is.
public enum RecordedKind: UInt8, Sendable {
  case receiver
  case modem
  case deadline
  case event
}

/// An event in numbers: one of those that a controller's host has.
public struct RecordedEvent: Sendable {
  public var kind: UInt8
  public var numbers = InlineArray<8, Int64>(repeating: 0)

  // 0 is an event that no controller has.
  private enum Kind {
    static let battery: UInt8 = 1
    static let batteryLost: UInt8 = 2
    static let stored: UInt8 = 3
    static let storeFailed: UInt8 = 4
    static let uploaded: UInt8 = 5
    static let reconciled: UInt8 = 6
    static let fetched: UInt8 = 7
    static let queue: UInt8 = 8
    static let link: UInt8 = 9
    static let pin: UInt8 = 10
    static let command: UInt8 = 11
    static let text: UInt8 = 12
    static let textsRead: UInt8 = 13
    static let haltRefused: UInt8 = 14
  }

  public init(kind: UInt8) { self.kind = kind }

  @inline(never) public init(_ event: Event) {
    kind = 0
    switch event {
    case .batteryMeasured(let reading): set(Kind.battery, Int64(reading.millivolts))
    case .batteryLost: set(Kind.batteryLost, 0)
    case .captureStored(let sequence, let queue): set(Kind.stored, Int64(sequence), queue)
    case .storeFailed(let sequence): set(Kind.storeFailed, Int64(sequence))
    case .uploadFinished(let id, let outcome, let queue):
      set(Kind.uploaded, Int64(id.number), queue)
      set(outcome)
    case .reconcileFinished(let id, .settled(let confirmed), let queue):
      set(Kind.reconciled, Int64(id.number), queue)
      numbers[3] = Int64(confirmed)
    case .fetchFinished(let id, .unsupported): set(Kind.fetched, Int64(id.number))
    case .queueChanged(let queue): set(Kind.queue, 0, queue)
    case .linkChanged(let isUp): set(Kind.link, isUp ? 1 : 0)
    case .pinChanged(let pin, let isActive, let age):
      set(Kind.pin, Int64(pin.rawValue))
      numbers[1] = isActive ? 1 : 0
      numbers[2] = age.count
    case .commandGiven(.start, .console): set(Kind.command, 0)
    case .commandGiven(.stop, .console): set(Kind.command, 1)
    case .commandGiven(.captureNow, .console): set(Kind.command, 2)
    case .commandGiven(.sendNow, .console): set(Kind.command, 3)
    case .textFinished(let id, false): set(Kind.text, Int64(id.number))
    case .textsRead(let id, .failed): set(Kind.textsRead, Int64(id.number))
    case .haltRefused: set(Kind.haltRefused, 0)
    default: break
    }
  }

  private mutating func set(
    _ kind: UInt8, _ number: Int64, _ queue: QueueCounts = QueueCounts(pending: 0)
  ) {
    self.kind = kind
    numbers[0] = number
    numbers[1] = Int64(queue.pending)
    numbers[2] = Int64(queue.setAside)
  }

  private mutating func set(_ outcome: UploadOutcome) {
    switch outcome {
    case .answered(let acknowledged, let refused, let first, let code):
      set(outcome: 0, Int64(acknowledged), Int64(refused), Int64(first.number), Int64(code))
    case .refused(let code, let first, let count):
      set(outcome: 1, Int64(code), Int64(first.number), Int64(count))
    case .unauthorised: set(outcome: 2)
    case .busy(let status, let time): set(outcome: 3, Int64(status), time?.count ?? -1)
    case .unreachable: set(outcome: 4)
    case .stalled: set(outcome: 5)
    case .ambiguous: set(outcome: 6)
    case .empty: set(outcome: 7)
    }
  }

  private mutating func set(
    outcome: Int64, _ a: Int64 = 0, _ b: Int64 = 0, _ c: Int64 = 0, _ d: Int64 = 0
  ) {
    numbers[3] = outcome
    numbers[4] = a
    numbers[5] = b
    numbers[6] = c
    numbers[7] = d
  }

  // MARK: Reading

  /// `nil`: no controller writes it.
  public var event: Event? {
    let id = RequestID(word(0))
    let queue = QueueCounts(pending: word(1), setAside: word(2))
    switch kind {
    case Kind.battery: return .batteryMeasured(BatteryReading(millivolts: signed(0)))
    case Kind.batteryLost: return .batteryLost
    case Kind.stored: return .captureStored(sequence: word(0), queue: queue)
    case Kind.storeFailed: return .storeFailed(sequence: word(0))
    case Kind.uploaded: return outcome.map { .uploadFinished(id, $0, queue: queue) }
    case Kind.reconciled:
      return .reconcileFinished(id, .settled(confirmed: word(3)), queue: queue)
    case Kind.fetched: return .fetchFinished(id, .unsupported)
    case Kind.queue: return .queueChanged(queue)
    case Kind.link: return .linkChanged(isUp: numbers[0] != 0)
    case Kind.pin:
      return InputPin(rawValue: UInt8(truncatingIfNeeded: numbers[0])).map {
        .pinChanged($0, isActive: numbers[1] != 0, since: Milliseconds(max(0, numbers[2])))
      }
    case Kind.command: return command.map { .commandGiven($0, from: .console) }
    case Kind.text: return .textFinished(id, wasSent: false)
    case Kind.textsRead: return .textsRead(id, .failed)
    case Kind.haltRefused: return .haltRefused
    default: return nil
    }
  }

  private func word(_ place: Int) -> UInt32 { UInt32(clamping: numbers[place]) }
  private func signed(_ place: Int) -> Int32 { Int32(clamping: numbers[place]) }

  private var command: Command? {
    switch numbers[0] {
    case 0: .start
    case 1: .stop
    case 2: .captureNow
    case 3: .sendNow
    default: nil
    }
  }

  private var outcome: UploadOutcome? {
    switch numbers[3] {
    case 0:
      .answered(
        acknowledged: word(4), refused: word(5), firstRefused: CaptureKey(word(6)),
        code: signed(7))
    case 1: .refused(code: signed(4), first: CaptureKey(word(5)), count: word(6))
    case 2: .unauthorised
    case 3:
      .busy(
        status: signed(4), retryAfter: numbers[5] < 0 ? nil : Milliseconds(numbers[5]))
    case 4: .unreachable
    case 5: .stalled
    case 6: .ambiguous
    case 7: .empty
    default: nil
    }
  }
}
