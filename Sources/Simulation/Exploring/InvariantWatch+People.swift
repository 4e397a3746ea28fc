import FeatureService
import TrackerCore

// What people write to each other: notes at the tracker, messages in the control room.
extension InvariantWatch {
  /// Each is on the other side once, and after a contact that asked for them none is missing.
  func checkPeople(_ world: borrowing World) throws {
    // Nobody can promise what a card has lost, and a copy has its own.
    guard !isCopy, scenario.restarts.allSatisfy({ $0.loses == 0 && $0.card == nil }) else { return }
    let kept = try world.store.messages().map(\.text)
    let rows = try world.server.notes().compactMap(\.version.text)
    let sent = try world.server.messages()
    let unsent = try world.store.unsentNotes(atMost: 1000).map(\.text)
    for (writing, at) in world.written {
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
      writing.kind == .message && at > fetch.complete[0] && at < last + .minutes(1)
    }
    return isFree ? last : nil
  }
}

/// When the tracker asked what people have written.
struct FetchWatch {
  private var begun: Instant?
  /// When the last two began that were answered, with nothing left to ask.
  private(set) var complete: [Instant] = []

  /// How many more have to be answered until all is asked for: after a question without an answer
  /// it is asked for fewer messages, at last for one at a time.
  private var owed = 0

  mutating func begins(at now: Instant) { begun = now }

  /// - Parameter messages: how many there may be.
  mutating func finished(_ outcome: FetchOutcome, messages: Int) {
    defer { begun = nil }
    switch outcome {
    case .answered:
      owed = max(0, owed - 1)
      if owed == 0, let begun { complete = complete.suffix(1) + [begun] }
    case .failed: owed = messages
    case .owing, .unsupported: break
    }
  }
}
