import BoardSupport
import CaptureStore
import Courier
import FeatureService
import TrackerCore

/// The control room of a world, and what has become of its orders at the tracker.
struct Room {
  /// An order that the tracker was given.
  struct Given {
    var order: KeptMessage
    var at: Instant
    /// In which life of its program, from 0.
    var life: Int
    /// Whether it has reached the tracker.
    var hasArrived = false
  }

  /// Of somebody who has seen a call for help.
  struct Answer {
    var kind: TrackerMessage.Kind
    /// Of the last capture that this person saw.
    var sequence: UInt32
    var at: Instant
  }

  /// How long somebody waits for a call that is not shown yet.
  static let patience = Milliseconds.hours(1)
  /// For how long an order is wanted.
  static let orderLife = Milliseconds.minutes(30)

  var calls = ShownCalls()
  /// Called when somebody has answered a call. It must change nothing.
  var onAnswer: ((Answer) -> Void)?
  fileprivate(set) var given: [Given] = []
  /// Whether the tracker has been given something whose outcome is not on disk.
  private(set) var isObeyed = false
  fileprivate var orders = RoomOrders()
  private var isCallAsked = false
  private(set) var life = 0

  /// The next program looks at its orders anew.
  mutating func forgetProgram() {
    (orders, isObeyed, isCallAsked) = (RoomOrders(), false, false)
    life += 1
  }

  fileprivate mutating func give(_ order: KeptMessage, _ command: Command, at now: Instant) {
    orders.give(order, command)
    given.append(Given(order: order, at: now, life: life))
    isObeyed = true
  }

  /// The tracker takes the next of its orders.
  mutating func arrived() {
    if let next = given.firstIndex(where: { $0.life == life && !$0.hasArrived }) {
      given[next].hasArrived = true
    }
  }

  fileprivate mutating func callRequested(isOpen: Bool) {
    isCallAsked = isOpen
    if !isOpen { isObeyed = true }
  }

  fileprivate mutating func handled() -> Bool {
    isObeyed = false
    return orders.handled(isCallAsked: isCallAsked)
  }
}

// What people write to each other, and what comes of it.
extension World {
  mutating func write(_ number: Int) {
    let writing = scenario.people[number]
    do {
      guard try isWritten(writing) else {
        return planned.plan(.writes(number), at: now + .minutes(1))
      }
      written.append((writing, now))
    } catch {
      problem = error
    }
  }

  /// - Returns: false: it is tried again in a minute.
  private mutating func isWritten(_ writing: Writing) throws -> Bool {
    let date = serverUTC(at: now)
    let code = given.code ?? store.device.lowercaseText
    switch writing.kind {
    // Nobody can write at a tracker that does not run.
    case .note where haltedMachine != nil || effectsLeft != nil: return false
    case .note:
      // Whoever gets no answer would look whether it is there.
      let (store, utc) = (store, utc)
      let write = { try store.write(.add(text: writing.text, .health), by: "Pau", at: utc) }
      _ = try disk?.pause(write) ?? write()
    case .message: try server.send(writing.text, to: code, by: Self.person, at: date)
    case .order:
      try server.order(
        writing.text, of: code, by: Self.person, until: date + Room.orderLife, at: date)
    case .read, .ended:
      let kind: TrackerMessage.Kind = writing.kind == .read ? .read : .ended
      guard let answer = room.calls.answer(kind, to: code, by: Self.person),
        let last = room.calls.present.map(\.sequence).max()
      else { return now - .start > writing.at + Room.patience }
      try server.answer(answer, at: date)
      room.onAnswer?(Room.Answer(kind: kind, sequence: last, at: now))
    }
    return true
  }

  private static let person = "Núria Puig"

  // MARK: Orders

  /// Gives the tracker the orders of which nothing has become yet, as trackerd does, with a
  /// configuration that allows all commands.
  mutating func obeyRoom() {
    guard scenario.people.contains(where: { $0.kind == .order }) else { return }
    for order in room.orders.open(in: store) {
      guard let command = RemoteVerb.command(order.text.split(separator: " ").map(String.init))
      else {
        room.orders.conclude(order, OrderOutcome.refused(order.text))
        continue
      }
      room.give(order, command, at: now)
      deliver(.commandGiven(command, from: .room), at: now)
    }
    saveOutcomes()
  }

  mutating func callRequested(isOpen: Bool) { room.callRequested(isOpen: isOpen) }

  /// The tracker waits for something else, so that it has handled what it was given.
  mutating func concludeOrders() {
    let isOnItsWay = deliveries.values.contains {
      if case .commandGiven(_, from: .room) = $0 { true } else { false }
    }
    // A program that has ended concludes nothing.
    guard !isOnItsWay, effectsLeft != 0 else { return }
    if room.handled() { saveOutcomes() }
    _ = isAliveAfterWrites()
  }

  /// What a full disk refuses is saved after the next contact.
  private mutating func saveOutcomes() {
    if isDiskFull(for: false) { return }
    try? room.orders.save(in: store)
  }
}

/// The calls for help of one tracker that the control room is shown.
struct ShownCalls {
  struct Capture {
    var sequence: UInt32
    var object: Int64
    var arrived: UTC
    var at: Instant
  }

  private var captures: [Capture] = []
  /// The number of the last capture that said that an emergency was over.
  private(set) var over: UInt32 = 0

  /// Of the present emergency.
  var present: [Capture] { captures.filter { $0.sequence > over } }

  /// What the server has stored; another device's captures are not shown here.
  ///
  /// - Parameters:
  ///   - device: the tracker's.
  ///   - utc: the server's date of `now`.
  /// - Returns: the sequence numbers of emergencies' captures.
  @discardableResult
  mutating func take(
    _ taken: [TakenCapture], of device: UniqueID, at now: Instant, utc: UTC
  ) -> [UInt32] {
    var new: [UInt32] = []
    for capture in taken {
      guard capture.trigger?.hasPrefix("\(Trigger.emergency.name)") ?? false,
        let sequence = capture.sequence,
        capture.id == UniqueID(device: device, sequence: sequence)
      else { continue }
      if capture.trigger == "\(Trigger.emergencyOver.name)" {
        over = max(over, sequence)
      } else {
        captures.append(
          Capture(sequence: sequence, object: capture.objectID, arrived: utc, at: now))
        new.append(sequence)
      }
    }
    return new
  }

  /// What somebody who sees them says of them; `nil`: none is shown.
  func answer(
    _ kind: TrackerMessage.Kind, to code: String, by person: String
  ) -> AnsweredEmergency? {
    let present = present
    guard let last = present.map(\.object).max(), let since = present.map(\.arrived).min() else {
      return nil
    }
    return AnsweredEmergency(
      device: code, since: since, object: last, refusal: 0, kind: kind, author: person)
  }
}
