import Courier
import FeatureService
import TrackerCore

// What people write to each other: notes at the tracker, messages in the control room.
extension InvariantWatch {
  /// Each is on the other side once, and after a contact that asked for them none is missing.
  func checkPeople(_ world: borrowing World) throws {
    guard isRoomCertain else { return }
    let kept = try world.store.messages().map(\.text)
    let rows = try world.server.notes().compactMap(\.version.text)
    let sent = try world.server.messages()
    let unsent = try world.store.unsentNotes(atMost: 1000).map(\.text)
    for (writing, at) in world.written where [.note, .message].contains(writing.kind) {
      let copies = (writing.kind == .note ? rows : kept).count { $0 == writing.text }
      claim(
        .writtenOnce, copies <= 1, at: world.now, "\"\(writing.text)\" is there \(copies) times")
      if copies == 1 { hit(writing.kind == .note ? .noteArrived : .messageArrived) }
      let isTakenForSent =
        writing.kind == .note
        ? !unsent.contains(writing.text)
        : sent.contains { $0.text == writing.text && $0.fetched != nil }
      claim(
        .writtenOnce, copies == 1 || !isTakenForSent, at: world.now,
        "\"\(writing.text)\" is taken for sent, and has not arrived")
      // The answers of an exchange in trouble may be lost one by one.
      guard let asked = asked(for: writing.kind, world), at < asked else { continue }
      claim(.writtenOnce, copies == 1, at: world.now, "\"\(writing.text)\" has not arrived")
      let isConfirmed =
        writing.kind == .note || sent.contains { $0.text == writing.text && $0.fetched != nil }
      claim(
        .writtenOnce, isConfirmed, at: world.now, "the room does not know of \"\(writing.text)\"")
    }
    let foreign = rows.first { text in !world.written.contains { $0.writing.text == text } }
    claim(.writtenOnce, foreign == nil, at: world.now, "nobody wrote \"\(foreign ?? "")\"")
  }

  /// What was written before is on the other side; `nil`: nothing need be. Notes wait for a contact
  /// that brings no message.
  private func asked(for kind: Writing.Kind, _ world: borrowing World) -> Instant? {
    guard let last = fetch.complete.last else { return nil }
    if kind == .message { return calmFrom < last ? last : nil }
    guard fetch.complete.count == 2, calmFrom < fetch.complete[0] else { return nil }
    let isFree = !world.written.contains { writing, at in
      writing.kind != .note && at > fetch.complete[0] && at < last + .minutes(1)
    }
    // What became of an order is told in the contact after it.
    let isTold =
      world.room.given.contains { $0.at >= fetch.complete[0] }
      || scenario.commands.contains { $0.command == .endCallRequest }
    return isFree && !isTold ? last : nil
  }
}

// What the control room orders, and says of calls for help.
extension InvariantWatch {
  /// Each order is given to the tracker once in a life of its program, and not again once it is
  /// written down what became of it; both sides know that.
  func checkOrders(_ world: borrowing World) throws {
    let written = world.written.filter { $0.writing.kind == .order }
    guard isRoomCertain, !written.isEmpty else { return }
    let now = world.now
    let kept = try world.store.messages()
    let sent = try world.server.messages().filter { $0.kind == .order }
    for (order, at) in zip(sent, written.map(\.at)) {
      let own = kept.first { $0.kind == .order && Int64($0.number) == order.number }
      let given = world.room.given.filter { Int64($0.order.number) == order.number }
      let outcome = own?.outcome
      let lives = Set(given.map(\.life)).count
      claim(
        .orderOnce, given.count == lives, at: now,
        "\"\(order.text)\" was given \(given.count) times in \(lives) lives of the program")
      if outcome == OrderOutcome.inForce {
        hit(given.count > 1 ? .orderAgain : .orderObeyed)
        claim(
          .orderOnce, given.contains(where: \.hasArrived), at: now,
          "\"\(order.text)\" is in force, and has not reached the tracker")
      } else if outcome != nil, given.isEmpty {
        hit(.orderLate)
      }
      claim(
        .orderOnce, outcome != OrderOutcome.tooLate || given.isEmpty, at: now,
        "\"\(order.text)\" came in time, and is called late")
      // A request for a call is open until the team has seen it.
      let isOpen = given.last.map { $0.life == world.room.life && order.text != "call" } ?? false
      let isOld = given.last.map { now - $0.at > .minutes(1) } ?? false
      claim(
        .orderOnce, outcome != nil || !isOpen || !isOld || hasFullDisk, at: now,
        "it is not written down what became of \"\(order.text)\"")
      let isTrue = order.result != OrderOutcome.inForce || outcome == order.result
      claim(.orderOnce, isTrue, at: now, "the room takes \"\(order.text)\" for obeyed")
      guard let asked = asked(for: .order, world), at < asked else { continue }
      claim(
        .orderOnce, outcome != nil || !given.isEmpty, at: now,
        "\"\(order.text)\" was fetched and not given")
    }
  }

  /// Then it is written down after the next contact.
  private var hasFullDisk: Bool { scenario.store.contains { $0.content == .full } }

  /// Nobody can promise what a card has lost, and a copy or another device has its own.
  private var isRoomCertain: Bool {
    !isCopy && scenario.restarts.allSatisfy { $0.loses == 0 && $0.card == nil }
  }

  /// The tracker shows that somebody has read a call, or ended it.
  func shows(_ kind: TrackerMessage.Kind, at now: Instant) {
    hit(kind == .read ? .callRead : .callEnded)
    claim(
      .readIsTrue, !isRoomCertain || answers.has(kind), at: now,
      "the call is shown as \(kind.rawValue), and nobody has said so")
  }

  /// What was said of the present call is shown after a contact that asked for it.
  func checkAnswer(_ tracker: borrowing Tracker, _ world: borrowing World) {
    guard isRoomCertain, let call = tracker.memory.emergency,
      let asked = asked(for: .read, world)
    else { return }
    let isRead = answers.all.contains { $0.sequence >= call.firstSequence && $0.at < asked }
    claim(
      .readIsShown, !isRead || call.stage >= .read, at: world.now,
      "the call of capture \(call.firstSequence) was read, and is shown as \(call.stage.name)")
  }
}

/// What people in the control room have said of calls for help.
struct AnswerWatch {
  private(set) var all: [Room.Answer] = []
  /// Captures of the present call have no lower number.
  private var firstSequence: UInt32 = 1

  mutating func add(_ answer: Room.Answer) { all.append(answer) }

  /// - Parameter last: the number of the last capture that is on disk.
  mutating func raised(after last: UInt32) { firstSequence = last + 1 }

  /// Whether somebody has said so of the present call.
  func has(_ kind: TrackerMessage.Kind) -> Bool {
    all.contains { $0.kind == kind && $0.sequence >= firstSequence }
  }
}

/// When the tracker asked what people have written.
struct FetchWatch {
  private var begun: Instant?
  /// When the last two began that were answered, with nothing left to ask.
  private(set) var complete: [Instant] = []

  /// How many more have to be answered until all is asked for: after a question without an answer,
  /// or a confirmation without one, it is asked for fewer messages, at last for one at a time.
  private var owed = 0

  mutating func begins(at now: Instant) { begun = now }

  /// - Parameters:
  ///   - messages: how many there may be.
  ///   - calmFrom: before that a confirmation may have been lost, which the outcome does not tell.
  mutating func finished(_ outcome: FetchOutcome, messages: Int, calmFrom: Instant) {
    defer { begun = nil }
    switch outcome {
    case .answered:
      guard let begun else { return }
      owed = begun > calmFrom ? max(0, owed - 1) : messages
      if owed == 0 { complete = complete.suffix(1) + [begun] }
    case .failed: owed = messages
    case .owing, .unsupported: break
    }
  }
}
