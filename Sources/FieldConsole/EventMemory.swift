public import CaptureStore
public import TrackerCore

/// What a tracker did recently, and why it did not: bounded, in memory, and kept by the host across
/// restarts.
public struct EventMemory: Sendable, Equatable {
  /// In addition to the reasons: something was taken or sent, or nothing ran at all.
  static let active = "none"
  static let off = "off"
  /// The tracker had the machine halted.
  static let asleep = "asleep"

  struct Entry: Sendable, Equatable {
    /// `nil`: before a restart, an unknown time ago.
    var at: Instant?
    /// `EventPhrase`'s name.
    var name: String
    var detail: String
  }

  struct Change: Sendable, Equatable {
    var at: Instant
    /// A reason's key, `active` or `off`.
    var name: String
  }

  /// A run before this one. How long ago it ended is not known, or not yet; its clock is 0 then.
  struct EarlierRun: Sendable, Equatable {
    var entries: [Entry] = []
    var capturing: [Change] = []
    var sending: [Change] = []
    /// When it ended, if it trusted a date.
    var date: UTC?
    /// Whether the tracker had the machine halted.
    var endsAsleep: Bool { sending.last?.name == EventMemory.asleep }
  }

  private(set) var entries: [Entry] = []
  private(set) var capturing: [Change] = []
  private(set) var sending: [Change] = []
  var earlier: EarlierRun?
  /// Grows with each change, so that a host knows whether to save it again.
  public private(set) var revision = 0

  public init() {}

  mutating func add(_ phrase: EventPhrase, _ detail: String = "", at now: Instant) {
    entries.append(Entry(at: now, name: phrase.rawValue, detail: detail))
    if entries.count > FieldBounds.events {
      entries.removeFirst(entries.count - FieldBounds.events)
    }
    revision += 1
  }

  /// For a reader to whom the last event does not apply.
  mutating func forgetLast() { if !entries.isEmpty { entries.removeLast() } }

  mutating func capturing(_ reason: Reason?, at now: Instant) {
    Self.add(reason, at: now, to: &capturing)
    revision += 1
  }

  mutating func sending(_ reason: Reason?, at now: Instant) {
    Self.add(reason, at: now, to: &sending)
    revision += 1
  }

  /// The tracker has the machine halted, for so long. A capture that is overdue stays so, for the
  /// same reason.
  mutating func sleep(for time: Milliseconds, at now: Instant) {
    let overdue = [Reason.noFix, .poorAccuracy].map { "\($0.key)" }
    if !overdue.contains(capturing.last?.name ?? "") {
      capturing.append(Change(at: now, name: Self.asleep))
    }
    sending.append(Change(at: now, name: Self.asleep))
    add(.halted, "\(time.count / 60_000)", at: now)
  }

  /// The machine was not halted.
  mutating func stayAwake(at now: Instant) {
    // A host that refuses does so at once, each time that it is asked: nothing has happened.
    if let last = entries.last, last.name == EventPhrase.halted.rawValue, last.at == now {
      entries.removeLast()
      if capturing.last?.name == Self.asleep { capturing.removeLast() }
      if sending.last?.name == Self.asleep { sending.removeLast() }
      revision += 1
      return
    }
    func resume(_ changes: inout [Change]) {
      guard changes.last?.name == Self.asleep, changes.count > 1 else { return }
      changes.append(Change(at: now, name: changes[changes.count - 2].name))
    }
    resume(&capturing)
    resume(&sending)
    add(.notHalted, at: now)
  }

  private static func add(_ reason: Reason?, at now: Instant, to changes: inout [Change]) {
    changes.append(Change(at: now, name: reason.map { "\($0.key)" } ?? active))
    trim(&changes, at: now)
  }

  /// The first one that is kept may have begun before the window.
  private static func trim(_ changes: inout [Change], at now: Instant) {
    let excess = max(0, changes.count - FieldBounds.reasonChanges)
    let old = changes.dropFirst().prefix { now - $0.at > FieldBounds.eventWindow }.count
    changes.removeFirst(max(excess, old))
  }

  /// Inserts an earlier run before this one, with the time between them.
  ///
  /// - Parameter end: when the earlier one ended.
  mutating func place(_ run: EarlierRun, ending end: Instant, at now: Instant) {
    let shift = end - .start
    let before = run.entries.map { entry in
      Entry(at: entry.at.map { $0 + shift }, name: entry.name, detail: entry.detail)
    }
    entries = Array((before + entries).suffix(FieldBounds.events))
    func joined(_ before: [Change], _ after: [Change]) -> [Change] {
      guard !before.isEmpty else { return after }
      var all = before.map { Change(at: $0.at + shift, name: $0.name) }
      if !run.endsAsleep { all.append(Change(at: end, name: Self.off)) }
      all += after
      Self.trim(&all, at: now)
      return all
    }
    capturing = joined(run.capturing, capturing)
    sending = joined(run.sending, sending)
    earlier = nil
    revision += 1
  }

  // MARK: Answers for a socket

  /// Lines `age name detail`, the oldest first; ages in milliseconds, `-` if they were before a
  /// restart at an unknown time.
  public func lines(newest count: Int, at now: Instant) -> String {
    let before = (earlier?.entries ?? []).map { Entry(at: nil, name: $0.name, detail: $0.detail) }
    return (before + entries).suffix(min(max(0, count), FieldBounds.events)).map { entry in
      let age = entry.at.map { "\((now - $0).count)" } ?? "-"
      return "\(age) \(entry.name) \(entry.detail.plain)\n"
    }.joined()
  }

  /// Lines `capturing window length reason`: in the last so many milliseconds, how long which
  /// reason held; the reason `none` while one was taken or sent, `off` between two runs. Those of a
  /// run that ended an unknown time ago have a fifth word, `before`.
  public func shares(at now: Instant) -> String {
    var text = ""
    for window in [Milliseconds.hours(1), FieldBounds.eventWindow] {
      // All of it is in the shorter window.
      let first = [capturing.first, sending.first].compactMap { $0?.at }.min() ?? now
      if window == FieldBounds.eventWindow, now - first <= .hours(1) { break }
      text += Self.shares("capturing", capturing, window, at: now)
      text += Self.shares("sending", sending, window, at: now)
    }
    guard let earlier else { return text }
    text += Self.shares(
      "capturing", earlier.capturing, FieldBounds.eventWindow, at: .start, " before")
    return text
      + Self.shares("sending", earlier.sending, FieldBounds.eventWindow, at: .start, " before")
  }

  private static func shares(
    _ subject: String, _ changes: [Change], _ window: Milliseconds, at now: Instant,
    _ suffix: String = ""
  ) -> String {
    guard let first = changes.first else { return "" }
    let from = max(first.at, now - window)
    var lengths: [(name: String, length: Int64)] = []
    for (index, change) in changes.enumerated() {
      let end = index + 1 < changes.count ? changes[index + 1].at : now
      let length = (end - max(change.at, from)).count
      guard length > 0 else { continue }
      if let known = lengths.firstIndex(where: { $0.name == change.name }) {
        lengths[known].length += length
      } else {
        lengths.append((change.name, length))
      }
    }
    let whole = (now - from).count
    return lengths.sorted { ($1.length, $0.name) < ($0.length, $1.name) }
      .map { "\(subject) \(whole) \($0.length) \($0.name)\(suffix)\n" }.joined()
  }
}

// Recent events as text, so that a host can keep them across a restart and a power cut.
//
//     trackerd events 1
//     device 0b6f0e3c-…
//     boot 1b2c… 123456
//     date 1776500000000
//     ended orderly
//     e 61000 captured 17
//     c 61000 notDue
//     s 2000 searching
//     sum 9a3f…
//
// Ages are milliseconds before the last moment that it covers; `-`: unknown.
extension EventMemory {
  private static let head = "trackerd events 1"

  /// Why a kept memory is not used and a new one begins.
  public enum KeptEventsError: Error, Equatable, CustomStringConvertible {
    case damaged, otherVersion, otherDevice

    public var description: String {
      switch self {
      case .damaged: "it is damaged"
      case .otherVersion: "another version of the program wrote it"
      case .otherDevice: "it is another device's"
      }
    }
  }

  /// - Parameters:
  ///   - date: the present date, if one is trusted.
  ///   - isOrderly: whether the run ends now because somebody wants it to.
  public func kept(
    for device: UniqueID, date: UTC?, isOrderly: Bool, at time: MachineTime
  ) -> String {
    let now = time.now
    var text = """
      \(Self.head)
      device \(device.lowercaseText)
      boot \(time.boot.isEmpty ? "-" : time.boot) \(time.sinceBoot.count)
      date \(date.map { "\($0.milliseconds)" } ?? "-")
      ended \(isOrderly ? "orderly" : "no")

      """
    for entry in (earlier?.entries ?? []).map({ Entry(at: nil, name: $0.name, detail: $0.detail) })
      .suffix(FieldBounds.events - entries.count) + entries
    {
      let age = entry.at.map { "\(max(0, (now - $0).count))" } ?? "-"
      text += "e \(age) \(entry.name) \(entry.detail.plain.prefix(FieldBounds.eventDetail))\n"
    }
    for (mark, changes) in [("c", capturing), ("s", sending)] {
      for change in changes {
        text += "\(mark) \(max(0, (now - change.at).count)) \(change.name)\n"
      }
    }
    return text + "sum \(Self.sum(text))\n"
  }

  /// Continues from what an earlier run kept.
  ///
  /// Within one boot of the machine its clock tells how long ago that was. Across a boot it takes a
  /// trusted date on both sides (`dated`); until there is one, it counts as before the restart.
  public mutating func take(
    _ text: String, of device: UniqueID, at time: MachineTime
  ) throws(KeptEventsError) {
    let kept = try KeptText(text)
    let isSameBoot = !time.boot.isEmpty && kept.boot == time.boot
    // A second store on the same machine has another device.
    guard kept.device == device.lowercaseText || isSameBoot else { throw .otherDevice }
    var run = kept.run
    let wasAsleep = run.endsAsleep
    if wasAsleep {
      // Its end is a part of that.
      if run.entries.last?.name == EventPhrase.ended.rawValue { run.entries.removeLast() }
    } else if !kept.wasOrderly {
      run.entries.append(Entry(at: .start, name: EventPhrase.cutOff.rawValue, detail: ""))
    }
    let pause = (time.sinceBoot - kept.sinceBoot).count.multipliedReportingOverflow(by: time.speed)
    if isSameBoot, !pause.overflow, pause.partialValue >= 0 {
      place(run, ending: time.now - Milliseconds(pause.partialValue), at: time.now)
    } else {
      earlier = run
    }
    add(wasAsleep ? .wokenUp : .restarted, at: time.now)
  }

  /// A date is trusted now.
  mutating func dated(_ date: UTC, at now: Instant) {
    guard var run = earlier, let ended = run.date else { return }
    let end = now - (date - ended)
    // The clock was wrong then or is wrong now, so the age is unknown.
    guard date >= ended, end <= .start, date - ended <= FieldBounds.eventsAge else {
      run.date = nil
      earlier = run
      return
    }
    place(run, ending: end, at: now)
  }

  /// The tracker is told to end.
  public mutating func end(at now: Instant) { add(.ended, at: now) }

  /// FNV-1a, 64 bits, hexadecimal: against a disk's errors, not against people.
  fileprivate static func sum(_ text: String) -> String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(sum, radix: 16)
  }

  /// The parsed text.
  private struct KeptText {
    var device = ""
    var boot = ""
    var sinceBoot = Milliseconds(0)
    var wasOrderly = false
    var run = EarlierRun()

    init(_ text: String) throws(KeptEventsError) {
      guard text.utf8.count <= FieldBounds.eventsBytes else { throw .damaged }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      guard let first = lines.first, first.hasPrefix("trackerd events ") else { throw .damaged }
      guard first == EventMemory.head else { throw .otherVersion }
      guard lines.count > 6, lines.last == "", let sum = lines.dropLast().last,
        sum == "sum " + EventMemory.sum(lines.dropLast(2).joined(separator: "\n") + "\n")
      else { throw .damaged }
      for line in lines.dropFirst().dropLast(2) { take(line) }
    }

    /// Skips unknown lines: the checksum matches, so a later version wrote them.
    private mutating func take(_ line: Substring) {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      guard words.count >= 2 else { return }
      switch words[0] {
      case "device": device = String(words[1])
      case "boot" where words.count > 2:
        boot = String(words[1])
        sinceBoot = Milliseconds(Int64(words[2]) ?? 0)
      case "date": run.date = Int64(words[1]).map { UTC(milliseconds: $0) }
      case "ended": wasOrderly = words[1] == "orderly"
      case "e" where words.count > 2 && run.entries.count < FieldBounds.events:
        let detail = words.count > 3 ? String(words[3]) : ""
        run.entries.append(
          Entry(at: Self.at(words[1]), name: String(words[2]).plain, detail: detail.plain))
      case "c" where words.count > 2: Self.add(words, to: &run.capturing)
      case "s" where words.count > 2: Self.add(words, to: &run.sending)
      default: break
      }
    }

    private static func add(_ words: [Substring], to changes: inout [Change]) {
      guard changes.count < FieldBounds.reasonChanges, let at = at(words[1]) else { return }
      changes.append(Change(at: at, name: String(words[2]).plain))
    }

    private static func at(_ age: Substring) -> Instant? {
      guard let age = Int64(age), (0...FieldBounds.eventsAge.count).contains(age) else {
        return nil
      }
      return .start - Milliseconds(age)
    }
  }
}
