import SystemCalls
import Wording

/// The daemon's log on standard error: lines with a priority, a constant message, and values as `
/// key=value`.
///
/// The priority is written as `<3>` to `<6>` (syslog levels), which systemd's journal reads; not on
/// a terminal, where people do.
///
/// It never waits for the reader: a line that cannot be written at once is dropped and counted, and
/// the count is logged as soon as writing works again.
public final class Log {
  public enum Priority: Int32, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  /// Lines dropped since the last one that was written.
  private(set) var dropped = 0

  /// The last lines, written or not, for a console.
  private var recent: [[UInt8]] = []
  private let outlet: LogOutlet
  private let isForPeople: Bool
  /// The rest of a line that was only written in part.
  private var rest: ArraySlice<UInt8> = []

  public init(descriptor: Int32 = StandardStream.error) {
    outlet = LogOutlet(descriptor)
    isForPeople = isTerminal(descriptor)
  }

  public func write(
    _ priority: Priority, _ message: StaticString, _ values: KeyValuePairs<StaticString, String>
  ) {
    if dropped > 0 {
      guard put(Self.line(.warning, "log lines dropped", ["count": "\(dropped)"])) else {
        dropped += 1
        return
      }
      dropped = 0
    }
    let line = Self.line(priority, message, values)
    recent.append(line)
    if recent.count > HostBounds.logLinesKept { recent.removeFirst() }
    if !put(line) { dropped += 1 }
  }

  /// Of the last `HostBounds.logLinesKept` lines, with their ends.
  func newest(_ count: Int) -> [String] {
    var room = HostBounds.answerBytes
    let lines = recent.suffix(max(0, count)).reversed().prefix { line in
      room -= line.count
      return room >= 0
    }
    return lines.reversed().map { String(decoding: $0, as: UTF8.self) }
  }

  /// - Returns: whether the line was written, at least in part with the rest to follow.
  private func put(_ line: [UInt8]) -> Bool {
    if !rest.isEmpty { rest = rest.dropFirst(outlet.write(rest)) }
    guard rest.isEmpty else { return false }
    let shown = line.dropFirst(isForPeople ? Self.priorityBytes : 0)
    let count = outlet.write(shown)
    if count > 0 { rest = shown.dropFirst(count) }
    return count > 0
  }

  /// `<6>`
  private static let priorityBytes = 3

  private static func line(
    _ priority: Priority, _ message: StaticString, _ values: KeyValuePairs<StaticString, String>
  ) -> [UInt8] {
    var line = "<\(priority.rawValue)>\(message)"
    for (key, value) in values { line += " \(key)=\(quotedForLog(value))" }
    return Array(line.utf8.prefix(HostBounds.logLineBytes - 1)) + [UInt8(ascii: "\n")]
  }
}
