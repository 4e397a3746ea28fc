public import TrackerCore

extension DiaryRecord.Kind {
  fileprivate var tellsOfPeople: Bool {
    switch self {
    case .arrived, .acted, .raised: true
    case .cleared, .replanned, .erased, .gone: false
    }
  }
}

/// About whom a diary says nothing any more.
public enum DiaryErasure: Sendable, Equatable {
  /// A tracker, by its code, and its team, by the names that it had: its captures, its alarms and
  /// what was written of it.
  case tracker(String, names: [String])
  /// Everybody: all that was written before a time.
  case before(UTC)
  /// A person who worked in the control room: the name, and the words of what that person wrote.
  /// What was done stays.
  case person(String)

  /// What stands for a name or for words that are gone.
  static let blank = "—"

  /// Whether a name stands in a text, not as a part of another word.
  public static func mentions(_ name: String, _ text: String) -> Bool {
    let (name, text) = (Array(name.lowercased()), Array(text.lowercased()))
    guard !name.isEmpty, text.count >= name.count else { return false }
    func isWord(_ index: Int) -> Bool {
      text.indices.contains(index) && (text[index].isLetter || text[index].isNumber)
    }
    return (0...text.count - name.count).contains { first in
      text[first..<first + name.count].elementsEqual(name) && !isWord(first - 1)
        && !isWord(first + name.count)
    }
  }

  /// Erases from entries as they are kept.
  ///
  /// The chain stays whole if the diary goes on with the entry of `erased`, which accounts for the
  /// lines that are gone; the room has to be made anew then.
  ///
  /// - Parameter kept: the whole diary.
  /// - Returns: those that change, and the numbers of those that cannot: an earlier version has
  ///   written them into the chain.
  public func erase(
    _ kept: [KeptEntry]
  ) throws(DiaryError) -> (changed: [KeptEntry], impossible: [Int]) {
    let entries = try DiaryEntry.all(of: kept)
    var changed: [KeptEntry] = []
    var impossible: [Int] = []
    for (entry, record) in zip(zip(kept, entries), DiaryRecord.all(entries)) {
      guard let content = remainder(of: entry.1, record) else { continue }
      guard !entry.0.seal.isEmpty else {
        impossible.append(record.number)
        continue
      }
      var one = entry.0
      one.line = DiaryText.line(content, number: record.number, at: record.at)
      one.salt = ""
      changed.append(one)
    }
    return (changed, impossible)
  }

  /// What is left of an entry; `nil`: all of it.
  private func remainder(of entry: DiaryEntry, _ record: DiaryRecord) -> DiaryEntry.Content? {
    switch self {
    case .tracker(let tracker, let names):
      // What speaks for an alarm is the program's own text.
      let isWritten = record.kind == .acted
      let isAbout =
        record.trackers.contains(tracker)
        || isWritten && names.contains { Self.mentions($0, record.text) }
      return isAbout && record.kind != .gone ? .gone : nil
    case .before(let utc):
      return record.at < utc && record.kind.tellsOfPeople ? .gone : nil
    case .person(let person):
      guard case .acted(var act, let by, let about) = entry.content,
        by == person || Self.mentions(person, record.text)
      else { return nil }
      switch act {
      case .see, .take: break
      case .resolve(let alarm, _): act = .resolve(alarm: alarm, reason: Self.blank)
      case .note(let tracker, _): act = .note(tracker: tracker, text: Self.blank)
      }
      return .acted(act, by: by == person ? Self.blank : by, about: about)
    }
  }
}

extension DiaryEntry {
  /// Says that entries were erased. The room has to be resumed from the diary afterwards.
  ///
  /// - Parameters:
  ///   - count: entries that the diary has.
  public init(erased entries: [KeptEntry], after count: Int, at utc: UTC) {
    let content = Content.erased(entries: entries.map(\.number))
    self.init(
      number: count + 1, at: utc, content: content,
      line: DiaryText.line(content, number: count + 1, at: utc))
  }
}
