public import CaptureStore
public import TrackerCore

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
  /// The text is at most about 300 · 160 + 1200 · 40 bytes.
  public static let mostBytes = 128 * 1024
  private static let head = "trackerd events 1"
  private static let mostDetail = 120
  private static let longestAge = Milliseconds.hours(24 * 366)

  /// Why a kept memory is not used and a new one begins.
  public enum KeptProblem: Error, Equatable, CustomStringConvertible {
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
      .suffix(Self.mostEvents - entries.count) + entries
    {
      let age = entry.at.map { "\(max(0, (now - $0).count))" } ?? "-"
      text += "e \(age) \(entry.name) \(entry.detail.plain.prefix(Self.mostDetail))\n"
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
  ) throws(KeptProblem) {
    let kept = try KeptText(text)
    let isSameBoot = !time.boot.isEmpty && kept.boot == time.boot
    // On a second store of the same machine the device is another one.
    guard kept.device == device.lowercaseText || isSameBoot else { throw .otherDevice }
    var run = kept.run
    if !kept.wasOrderly {
      run.entries.append(Entry(at: .start, name: EventPhrase.cutOff.rawValue, detail: ""))
    }
    let pause = (time.sinceBoot - kept.sinceBoot).count.multipliedReportingOverflow(by: time.speed)
    if isSameBoot, !pause.overflow, pause.partialValue >= 0 {
      place(run, ending: time.now - Milliseconds(pause.partialValue), at: time.now)
    } else {
      earlier = run
    }
    add(.restarted, at: time.now)
  }

  /// A date is trusted now.
  mutating func dated(_ date: UTC, at now: Instant) {
    guard var run = earlier, let ended = run.date else { return }
    let end = now - (date - ended)
    // The clock was wrong then, or is now: nothing is known.
    guard date >= ended, end <= .start, date - ended <= Self.longestAge else {
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

  /// The text, read.
  private struct KeptText {
    var device = ""
    var boot = ""
    var sinceBoot = Milliseconds(0)
    var wasOrderly = false
    var run = EarlierRun()

    init(_ text: String) throws(KeptProblem) {
      guard text.utf8.count <= EventMemory.mostBytes else { throw .damaged }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      guard let first = lines.first, first.hasPrefix("trackerd events ") else { throw .damaged }
      guard first == EventMemory.head else { throw .otherVersion }
      guard lines.count > 6, lines.last == "", let sum = lines.dropLast().last,
        sum == "sum " + EventMemory.sum(lines.dropLast(2).joined(separator: "\n") + "\n")
      else { throw .damaged }
      for line in lines.dropFirst().dropLast(2) { take(line) }
    }

    /// An unknown line is skipped: the checksum agrees, so a later version wrote it.
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
      case "e" where words.count > 2 && run.entries.count < EventMemory.mostEvents:
        let detail = words.count > 3 ? String(words[3]) : ""
        run.entries.append(
          Entry(at: Self.at(words[1]), name: String(words[2]).plain, detail: detail.plain))
      case "c" where words.count > 2: Self.add(words, to: &run.capturing)
      case "s" where words.count > 2: Self.add(words, to: &run.sending)
      default: break
      }
    }

    private static func add(_ words: [Substring], to changes: inout [Change]) {
      guard changes.count < EventMemory.mostChanges, let at = at(words[1]) else { return }
      changes.append(Change(at: at, name: String(words[2]).plain))
    }

    private static func at(_ age: Substring) -> Instant? {
      guard let age = Int64(age), (0...EventMemory.longestAge.count).contains(age) else {
        return nil
      }
      return .start - Milliseconds(age)
    }
  }
}
