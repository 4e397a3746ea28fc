import Digests
public import TrackerCore
public import Wording

/// One line of the diary: what happened in the control room.
public struct DiaryEntry: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    case arrived(DeliveredCapture)
    /// With what the alarm is about: its number is another one if the plan changes.
    case acted(Act, by: String, about: AlarmTopic? = nil)
    case raised(Alarm)
    /// An alarm's cause is gone.
    case cleared(alarm: Int)
    /// From here on the room is the one that another plan, or another version of this program,
    /// makes of all that came before.
    case replanned(plan: String)
    /// What these entries said is gone, because somebody asked for it.
    case erased(entries: [Int])
    /// One of these.
    case gone
  }

  /// From 1 on.
  public let number: Int
  public let at: UTC
  public let content: Content
  /// A JSON object without its line end.
  public let line: String
}

extension DiaryEntry {
  /// The entries of a whole diary.
  ///
  /// - Throws: which one is not the one that was written.
  static func all(of kept: [KeptEntry]) throws(DiaryError) -> [DiaryEntry] {
    var chain = DiaryChain()
    var entries: [DiaryEntry] = []
    for one in kept { entries.append(try chain.read(one)) }
    return entries
  }
}

/// What an alarm is about, however it is numbered.
public struct AlarmTopic: Sendable, Equatable {
  public var need: Need
  public var subject: Subject
  public var since: UTC
}

/// An entry as it is kept.
///
/// The chain covers the seal, which is a hash of the line with a salt. So the line, with the names
/// and the words of people, can go together with its salt, and the chain stays whole.
public struct KeptEntry: Sendable, Equatable {
  public var number: Int
  public var line: String
  /// Empty: the line is not the one that was written, but what is left of it.
  public var salt: String
  public var seal: String
  /// SHA-256 of the hash of the entry before, in hexadecimal digits, and of the seal. In diaries of
  /// earlier versions, which have no seal, of the line.
  public var hash: String

  public init(number: Int, line: String, salt: String, seal: String, hash: String) {
    (self.number, self.line, self.salt) = (number, line, salt)
    (self.seal, self.hash) = (seal, hash)
  }

  /// For whoever checks the chain elsewhere: the line, its hash, its salt and its seal, with tabs
  /// between them.
  public var text: String { "\(line)\t\(hash)\t\(salt)\t\(seal)" }

  public var isErased: Bool { salt.isEmpty && !seal.isEmpty }
}

/// Chains entries: whoever changes one, or takes one out, changes the hash of all that follow.
public struct DiaryChain: Sendable, Equatable {
  public private(set) var count = 0
  /// Of the last entry; of the first one's predecessor 64 zeros.
  public private(set) var hash = String(repeating: "0", count: 64)
  /// Entries whose line is gone, and which nothing has accounted for yet.
  private var unexplained: Set<Int> = []

  public init() {}

  /// - Parameter salt: random, and another one for each entry.
  public mutating func seal(_ entry: DiaryEntry, salt: String) -> KeptEntry {
    let seal = Self.seal(entry.line, number: entry.number, salt)
    hash = sha256(hash + seal)
    count += 1
    return KeptEntry(number: entry.number, line: entry.line, salt: salt, seal: seal, hash: hash)
  }

  /// Takes an entry that was kept.
  ///
  /// - Throws: which one is not the one that was written.
  public mutating func read(_ kept: KeptEntry) throws(DiaryError) -> DiaryEntry {
    let number = count + 1
    let covered = kept.seal.isEmpty ? kept.line : kept.seal
    let isSealed =
      kept.seal.isEmpty || kept.isErased
      || Self.seal(kept.line, number: number, kept.salt) == kept.seal
    guard kept.number == number, isSealed, sha256(hash + covered) == kept.hash.lowercased() else {
      throw DiaryError(entry: number, texts: RoomPhrase.changedEntry.texts("\(number)"))
    }
    guard let (at, content) = DiaryText.content(of: kept.line, number: number) else {
      throw DiaryError(entry: number, texts: RoomPhrase.unreadableEntry.texts("\(number)"))
    }
    (hash, count) = (kept.hash.lowercased(), number)
    if kept.isErased { unexplained.insert(number) }
    if case .erased(let entries) = content { unexplained.subtract(entries) }
    return DiaryEntry(number: number, at: at, content: content, line: kept.line)
  }

  /// - Throws: if a line is gone that no later entry accounts for.
  public func finish() throws(DiaryError) {
    guard let first = unexplained.min() else { return }
    throw DiaryError(entry: first, texts: RoomPhrase.changedEntry.texts("\(first)"))
  }

  private static func seal(_ line: String, number: Int, _ salt: String) -> String {
    "\(number) " + sha256(salt + line)
  }
}

/// What is wrong with a kept diary, in one line.
public struct DiaryError: Error, Sendable, Equatable, Worded {
  public let entry: Int
  public let texts: Texts
}
