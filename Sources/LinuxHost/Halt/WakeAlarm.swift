import SystemCalls

/// The alarm of one of the kernel's clocks, which starts the halted machine again: `since_epoch`
/// and `wakealarm` in its folder `/sys/class/rtc/rtc0` (kernel.org, Documentation/admin-guide/rtc).
///
/// Times are seconds since 1970 by that clock.
struct WakeAlarm: Sendable {
  private let folder: String

  /// `nil`: no clock can have such a name.
  ///
  /// - Parameter root: the folder in which `sys` is.
  init?(_ clock: String, below root: String) {
    guard Self.isName(clock) else { return nil }
    folder = "\(root == "/" ? "" : root)/sys/class/rtc/\(clock)"
  }

  /// `rtc0`; nothing that leads to another file.
  static func isName(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst(3)
    return text.hasPrefix("rtc") && (1...3).contains(digits.count)
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  func date() throws(SystemError) -> Int64 {
    guard let date = try number("since_epoch") else {
      throw SystemError("read", "\(folder)/since_epoch", code: Errno.inputOutput)
    }
    return date
  }

  /// Drivers say so of a new clock, or one whose battery was empty, until it is set.
  var hasLostTime: Bool {
    do throws(SystemError) {
      _ = try date()
      return false
    } catch { return error.code == Errno.invalid }
  }

  /// When it goes off; `nil`: it is not set, or has gone off.
  func time() throws(SystemError) -> Int64? {
    let time = try number("wakealarm")
    return time == 0 ? nil : time
  }

  /// - Throws: also if the clock does not have the alarm afterwards.
  func set(at time: Int64) throws(SystemError) {
    // A clock with an alarm, even one that is past, takes no other (EBUSY).
    try clear()
    try write(time)
    guard try self.time() == time else {
      throw SystemError("read back", "\(folder)/wakealarm", code: Errno.inputOutput)
    }
  }

  func clear() throws(SystemError) { try write(0) }

  private func number(_ file: String) throws(SystemError) -> Int64? {
    let bytes: [UInt8]
    do throws(SystemError) {
      // O_NONBLOCK, or opening a pipe in its place would block.
      let opened = try Descriptor(opening: "\(folder)/\(file)", [.read, .nonBlocking])
      bytes = try opened.firstBytes(atMost: HostBounds.sensorFileBytes)
    } catch { throw error.at("\(folder)/\(file)") }
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    if line.isEmpty { return nil }
    guard let number = Int64(line) else {
      throw SystemError("read", "\(folder)/\(file)", code: Errno.inputOutput)
    }
    return number
  }

  private func write(_ number: Int64) throws(SystemError) {
    let path = "\(folder)/wakealarm"
    do throws(SystemError) {
      let opened = try Descriptor(opening: path, [.write, .truncate, .nonBlocking])
      try opened.writeAll(Array("\(number)\n".utf8))
    } catch { throw error.at(path) }
  }
}
