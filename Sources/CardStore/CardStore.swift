public import TrackerCore

/// A tracker's captures, and what it remembers, on a memory card without a file system.
///
///     blocks 0..<256        states, one after the other, from the beginning again
///     blocks 256...         captures: that with key k in block 256 + (k - 1) % capacity
///     the rest              recordings (`CardRecording`), on a card that has more blocks
///
/// A capture takes a block, and a state takes four. Nothing that counts is overwritten: the last
/// whole state not by later ones, and a capture not before it was delivered. So a power cut during
/// a write takes nothing but what was being written, and what was told to the tracker as stored is
/// found again. It counts as stored once it was read back, whatever the card has said: the bus has
/// no checksums, and a card whose answer was lost may have written.
/// What was delivered while its state could not be written is delivered once more, under the same
/// identifier.
public struct CardStore<Device: BlockDevice & ~Copyable>: ~Copyable {
  /// What was on the card. Unless it is `mounted`, nothing can be stored before `format`.
  public private(set) var finding = CardFinding.damaged
  // Not private: recordings have a file of their own.
  var device: Device
  var state: CardState
  var block = Block()
  var recording = CardRecording()
  /// The serial of the last state that is whole on the card; 0: none is known.
  private var whole: UInt32 = 0
  private var capturesSinceState: UInt32 = 0
  /// Blocks could not be read at the start. If there is nothing in them, the next start does not
  /// look behind them.
  private var isBehindUnread = false
  /// Whether the card did not answer when a capture was read last: it may be there.
  public private(set) var hasReadFailed = false

  // MARK: Opening

  public init(_ device: consuming Device) {
    self.device = device
    state = CardState(log: 0, device: UniqueID(high: 0, low: 0), capacity: 0)
    look()
  }

  @inline(never) private mutating func look() {
    var highest: UInt32 = 0
    finding = findState(&highest)
    if finding == .mounted {
      if findCaptures() { return }
      finding = .damaged
    }
    forget(highest)
  }

  /// Nothing of a state that was read in part counts. What is written is newer than what there is.
  @inline(never) private mutating func forget(_ highest: UInt32) {
    whole = 0
    state = CardState(log: 0, device: UniqueID(high: 0, low: 0), capacity: 0)
    state.serial = highest
  }

  /// Looks once more at a card that could not be mounted: its contacts may have been bad.
  ///
  /// - Parameter orders: that were given meanwhile; they are on the card when it is mounted.
  /// - Returns: whether it is mounted now.
  @inline(never) public mutating func mount(owing orders: OwedOrders) -> Bool {
    guard finding != .mounted else { return false }
    device.begin()
    // A card that does not answer would take its time limit for every block.
    guard read(0, CardState.mark) else { return false }
    look()
    guard finding == .mounted, orders != OwedOrders() else { return finding == .mounted }
    state.owed.isButtonUp = orders.isButtonUp
    if orders.hasEmergency { state.owed.hasEmergency = true }
    if let session = orders.session { state.owed.session = session }
    if commit() { return true }
    // Otherwise they would be lost with the next start.
    finding = .damaged
    forget(state.serial)
    return false
  }

  /// Whether the card answers at all.
  @inline(never) public mutating func isPresent() -> Bool {
    read(slot(of: whole), CardState.mark) && CardState.serial(of: &block) == whole
  }

  /// Reads a block until it is right or twice the same: the bus has no checksums, and may garble
  /// one that is right on the card.
  ///
  /// - Returns: `false` if the card does not answer.
  @inline(never) private mutating func read(_ number: UInt32, _ mark: UInt32) -> Bool {
    var (last, lastButOne): (UInt64?, UInt64?)
    for _ in 0..<Bounds.readTries {
      guard device.read(number, into: &block) else { continue }
      if block.isSealed(mark) { return true }
      let content = block.fingerprint()
      if content == last || content == lastButOne { return true }
      (last, lastButOne) = (content, last)
    }
    return false
  }

  /// Begins a new log; what the card had is no longer found.
  ///
  /// - Parameter log: a number that no log on this card had before.
  /// - Returns: `false` if the card cannot be written, or is too small.
  @inline(never) public mutating func format(log: UInt64, of tracker: UniqueID) -> Bool {
    guard device.blockCount > Self.firstCapture else { return false }
    let room = device.blockCount - Self.firstCapture
    let serial = state.serial
    state = CardState(
      log: log, device: tracker, capacity: max(room / 2, min(room, Bounds.captureRoom)))
    state.recordingsRoom = room - state.capacity
    state.serial = serial
    guard commit() else { return false }
    finding = .mounted
    return true
  }

  static var firstCapture: UInt32 { Bounds.states * Bounds.stateBlocks }

  @inline(never) private mutating func findState(_ highest: inout UInt32) -> CardFinding {
    var isBlank = true
    var below = UInt32.max
    guard device.blockCount > Self.firstCapture else { return .damaged }
    // The newest that is whole: mostly the first that is tried.
    while true {
      var newest: UInt32 = 0
      var failures: UInt32 = 0
      for slot in 0..<Bounds.states {
        guard read(slot * Bounds.stateBlocks, CardState.mark) else {
          isBlank = false
          failures += 1
          // It is the whole card.
          if failures >= Bounds.badBlocks { return .damaged }
          continue
        }
        failures = 0
        if block.number(at: 0) == CardState.mark { isBlank = false }
        if let serial = CardState.serial(of: &block), serial < below {
          newest = max(newest, serial)
        }
      }
      highest = max(highest, newest)
      guard newest > 0 else { return isBlank ? .blank : .damaged }
      below = newest
      if read(newest) {
        whole = newest
        return .mounted
      }
    }
  }

  @inline(never) private mutating func read(_ serial: UInt32) -> Bool {
    guard read(slot(of: serial), CardState.mark), CardState.serial(of: &block) == serial else {
      return false
    }
    state.readFirst(&block)
    for part in 1..<Bounds.stateBlocks {
      guard read(slot(of: serial) + part, CardState.mark), state.read(&block, part: part)
      else { return false }
    }
    return state.isPossible(onCardOf: device.blockCount - Self.firstCapture)
  }

  /// The captures that were stored after the state. What cannot be read may be one, which is not
  /// overwritten.
  ///
  /// - Returns: `false` if more cannot be read than a card with a bad place has.
  @inline(never) private mutating func findCaptures() -> Bool {
    var misses: UInt32 = 0
    var unread: UInt32 = 0
    isBehindUnread = false
    var key = state.lastKey
    while misses < Bounds.badBlocks, unread < Bounds.unreadBlocks {
      key += 1
      if let capture = capture(CaptureKey(key)) {
        (misses, unread) = (0, 0)
        // One that is known already was written once more, because its write seemed to fail.
        if capture.sequence >= state.nextSequence {
          take(capture, key)
        } else {
          state.lastKey = key
        }
      } else if hasReadFailed {
        state.pending.append(key)
        state.lastKey = key
        unread += 1
        isBehindUnread = true
      } else {
        misses += 1
      }
    }
    // They may have the next numbers: a gap is better than a number that is given twice.
    state.nextSequence &+= unread
    return unread < Bounds.unreadBlocks
  }

  @inline(never) private mutating func take(_ capture: Capture, _ key: UInt32) {
    state.pending.append(key)
    state.lastKey = key
    state.nextSequence = capture.sequence &+ 1
    capturesSinceState += 1
  }

  // MARK: What is known

  /// Of the tracker that has formatted it.
  public var tracker: UniqueID { state.device }
  public var nextSequence: UInt32 { state.nextSequence }
  /// Bytes that were remembered last; 0: nothing was.
  public var memoryCount: Int { state.memory.count }
  public var memoryVersion: UInt32 { state.memory.version }
  public mutating func memory(at index: Int) -> UInt8 { state.memory.byte(index) }
  public var isPINTried: Bool { state.isPINTried }
  public var counts: QueueCounts {
    QueueCounts(pending: state.pending.count, setAside: state.setAside.count)
  }
  /// Of the captures that may be on the card: the last ones, and those that wait or are set aside.
  /// Keys of blocks that could not be read may be more than there are captures.
  public var oldestKey: CaptureKey {
    let last = state.lastKey < state.capacity ? 1 : state.lastKey - state.capacity + 1
    return CaptureKey(min(last, oldestInUse))
  }
  /// 0: none was stored.
  public var lastKey: CaptureKey { CaptureKey(state.lastKey) }

  public func standing(of key: CaptureKey) -> CaptureStanding {
    if state.setAside.contains(key.number) { return .setAside }
    return state.pending.contains(key.number) ? .pending : .delivered
  }

  /// - Returns: `nil`: there is none, it has been overwritten since, or it cannot be read.
  @inline(never) public mutating func capture(_ key: CaptureKey) -> Capture? {
    hasReadFailed = false
    guard key != .none else { return nil }
    hasReadFailed = !read(place(of: key.number), Capture.blockMark)
    return hasReadFailed ? nil : Capture(&block, key: key.number, log: state.log)
  }

  /// One of those that a selection names, from 0; `nil`: there are no more.
  public func key(_ index: UInt32, of selection: Selection) -> CaptureKey? {
    switch selection {
    case .freshest(let limit):
      index < limit ? state.pending.key(index, backwards: true).map { CaptureKey($0) } : nil
    case .oldest(let limit):
      index < limit ? state.pending.key(index, backwards: false).map { CaptureKey($0) } : nil
    }
  }

  // MARK: Changes

  /// - Returns: `false`: it is not stored, because the card is full or cannot be written.
  @inline(never) public mutating func store(_ capture: Capture) -> Bool {
    if isBehindUnread, !commit() { return false }
    for skipped in 0..<Bounds.badBlocks {
      let key = state.lastKey + 1 + skipped
      if isTaken(key) { return false }
      capture.write(to: &block, key: key, log: state.log)
      _ = device.write(&block, to: place(of: key))
      // Nor is it an earlier one that was not said to be written.
      guard let written = self.capture(CaptureKey(key)), written.sequence == capture.sequence,
        written.utc == capture.utc, written.trigger == capture.trigger
      else { continue }
      take(capture, key)
      // Without it more captures have to be looked for at the next start.
      if capturesSinceState >= Bounds.capturesPerState { _ = commit() }
      return true
    }
    return false
  }

  // The following are on the card after `commit`.

  /// It is delivered.
  @inline(never) public mutating func remove(_ key: CaptureKey) { state.pending.remove(key.number) }

  /// A person is to look at it. Of very many those between the oldest are set aside with them.
  @inline(never) public mutating func setAside(_ key: CaptureKey) {
    guard state.pending.contains(key.number) else { return }
    state.pending.remove(key.number)
    state.setAside.insert(key.number)
  }

  /// - Parameters:
  ///   - bytes: at most 1464; what is more is left out.
  ///   - version: of the program, if no other one can read them.
  @inline(never) public mutating func remember(_ bytes: Span<UInt8>, version: UInt32) {
    state.memory.set(bytes)
    state.memory.version = version
  }
  public mutating func rememberPIN(isTried: Bool) { state.isPINTried = isTried }

  /// What the next start has to order: it was ordered while there was no card.
  public var owed: OwedOrders {
    get { state.owed }
    set { state.owed = newValue }
  }

  /// Writes the state; the one before stays.
  ///
  /// - Returns: `false` if that is still the one that counts.
  @inline(never) public mutating func commit() -> Bool {
    for _ in 0..<Bounds.badBlocks {
      state.serial += 1
      // The last whole one stays, however many writes fail.
      if whole > 0, slot(of: state.serial) == slot(of: whole) { state.serial += 1 }
      if writeState() {
        whole = state.serial
        capturesSinceState = 0
        isBehindUnread = false
        return true
      }
    }
    return false
  }

  @inline(never) private mutating func writeState() -> Bool {
    for part in 0..<Bounds.stateBlocks {
      state.write(to: &block, part: part)
      _ = device.write(&block, to: slot(of: state.serial) + part)
      guard read(slot(of: state.serial) + part, CardState.mark), state.isIn(&block, part: part)
      else { return false }
    }
    return true
  }

  // MARK: Places

  private func slot(of serial: UInt32) -> UInt32 {
    serial % Bounds.states * Bounds.stateBlocks
  }

  private func place(of key: UInt32) -> UInt32 {
    Self.firstCapture + (key - 1) % max(1, state.capacity)
  }

  /// Whether its block has a capture that still waits, or that a person is to look at.
  private func isTaken(_ key: UInt32) -> Bool {
    guard key > state.capacity else { return false }
    return oldestInUse <= key - state.capacity
  }

  /// The key of the oldest capture that waits or is set aside.
  private var oldestInUse: UInt32 {
    min(state.pending.first ?? .max, state.setAside.first ?? .max)
  }
}

/// What is on a card.
public enum CardFinding: Sendable, Equatable {
  case mounted
  /// Nothing of ours was ever written to it.
  case blank
  /// It cannot be read, or no state on it is whole.
  case damaged
}

/// Orders of people that no card has heard of yet.
public struct OwedOrders: Sendable, Equatable {
  public var hasEmergency = false
  /// `true`: start; `false`: stop.
  public var session: Bool?
  /// Nobody held the button when the machine was restarted: whoever holds it then orders something.
  public var isButtonUp = false

  public init(hasEmergency: Bool = false, session: Bool? = nil) {
    (self.hasEmergency, self.session) = (hasEmergency, session)
  }

  public var isEmpty: Bool { !hasEmergency && session == nil }

  init(byte: UInt8) {
    hasEmergency = byte & 1 != 0
    session = byte & 6 == 0 ? nil : byte & 2 != 0
    isButtonUp = byte & 8 != 0
  }

  var byte: UInt8 {
    (hasEmergency ? 1 : 0) | (session.map { $0 ? 2 : 4 } ?? 0) | (isButtonUp ? 8 : 0)
  }
}

/// What has become of a capture.
public enum CaptureStanding: Sendable, Equatable {
  case pending
  case setAside
  case delivered
}
