import MachineAccess
import SystemCalls
import TrackerCore

/// What a tracker orders of whoever may set alarms and halt the machine: `alarm rtc0 3`,
/// `clear rtc0`, `halt rtc0 540`. Times are seconds from now.
struct HaltOrder: Equatable {
  enum Act: Equatable {
    /// Sets the alarm.
    case alarm(Int64)
    case clear
    /// Sets the alarm and halts the machine.
    case halt(Int64)
  }

  var act: Act
  /// Of the kernel's: `rtc0`.
  var clock: String

  init(_ act: Act, _ clock: String) { (self.act, self.clock) = (act, clock) }

  var line: String {
    switch act {
    case .alarm(let time): "alarm \(clock) \(time)"
    case .clear: "clear \(clock)"
    case .halt(let time): "halt \(clock) \(time)"
    }
  }

  /// `nil`: no order.
  init?(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= 2, WakeAlarm.isName(words[1]) else { return nil }
    let time = words.count == 3 ? Int64(words[2]) : nil
    switch (words[0], time) {
    case ("alarm", let time?) where HostBounds.alarmSeconds.contains(time):
      self.init(.alarm(time), words[1])
    case ("halt", let time?) where HostBounds.haltSeconds.contains(time):
      self.init(.halt(time), words[1])
    case ("clear", nil) where words.count == 2: self.init(.clear, words[1])
    default: return nil
    }
  }

  /// `set` with the time of the alarm, 0 for none, or an `errno`.
  static func answer(_ outcome: Result<Int64, SystemError>) -> String {
    switch outcome {
    case .success(let time): "set \(time)"
    case .failure(let error): "error \(error.code)"
    }
  }

  static func outcome(_ answer: String) -> Result<Int64, SystemError> {
    let words = answer.split(whereSeparator: \.isWhitespace)
    let number = words.count == 2 ? Int64(words[1]) : nil
    switch (words.first, number) {
    case ("set", let time?): return .success(time)
    case ("error", let code?): return .failure(SystemError(code: Int32(clamping: code)))
    default: return .failure(SystemError(code: Errno.protocolError))
    }
  }
}

/// Obeys such orders on this machine.
struct MachineHalt {
  /// The folder in which `sys` and `dev` are.
  var root = "/"
  var powerOff: () throws(SystemError) -> Void = { () throws(SystemError) in
    try Self.orderPowerOff()
  }

  /// - Returns: the time of the alarm by its clock, seconds since 1970; 0 for none.
  func obey(_ order: HaltOrder) -> Result<Int64, SystemError> {
    guard let alarm = WakeAlarm(order.clock, below: root) else {
      return .failure(SystemError(code: Errno.invalid))
    }
    do throws(SystemError) {
      switch order.act {
      case .clear:
        try alarm.clear()
        note("")
        return .success(0)
      case .alarm(let time):
        if alarm.hasLostTime { try setDate(of: order.clock) }
        return .success(try Self.set(alarm, in: time))
      case .halt(let time):
        try adjust(order.clock, alarm)
        let goesOff = try Self.set(alarm, in: time)
        note("\(order.clock) \(goesOff)\n")
        do throws(SystemError) { try powerOff() } catch {
          try? alarm.clear()
          note("")
          throw error
        }
        return .success(goesOff)
      }
    } catch { return .failure(error) }
  }

  private static func set(_ alarm: WakeAlarm, in time: Int64) throws(SystemError) -> Int64 {
    let goesOff = try alarm.date() + time
    try alarm.set(at: goesOff)
    return goesOff
  }

  /// Sets the clock by the machine's date, which is set by the clock at the next boot: by that the
  /// tracker knows how long it was halted.
  private func adjust(_ clock: String, _ alarm: WakeAlarm) throws(SystemError) {
    let tolerance = HostBounds.clockTolerance.count / 1000
    let error = try alarm.date() - KernelTimer.date.milliseconds / 1000
    if error.magnitude > tolerance { try setDate(of: clock) }
  }

  private func setDate(of clock: String) throws(SystemError) {
    let path = "\(root == "/" ? "" : root)/dev/\(clock)"
    do throws(SystemError) {
      let opened = try Descriptor(opening: path, [.read, .nonBlocking])
      try setClock(opened, to: KernelTimer.date.milliseconds / 1000)
    } catch { throw error.at(path) }
  }

  /// Notes which alarm is to start the machine, for the script that looks at the end of the
  /// shutdown whether it is still ahead. Without the package there is no such script, and no such
  /// folder.
  private func note(_ text: String) {
    let path = "\(root == "/" ? "" : root)/run/trackerd-halt/alarm"
    let options: OpenOptions = [.write, .create, .truncate, .noFollow]
    guard let file = try? Descriptor(opening: path, options, mode: 0o644) else { return }
    try? file.writeAll(Array(text.utf8))
  }

  /// systemd ends all programs, this one, too, and switches the machine off.
  private static func orderPowerOff() throws(SystemError) {
    let child = try Spawn(["systemctl", "--no-block", "poweroff"]).start()
    guard reap(child, isWaiting: true) == .ended(.code(0)) else {
      throw SystemError("systemctl poweroff", code: Errno.notPermitted)
    }
  }
}

/// The other end of a `HelperHalt`: sets alarms and halts the machine, for a tracker without the
/// right to.
public enum HaltHelper {
  /// Serves trackers on the socket that systemd hands over, until none is left.
  ///
  /// - Parameter name: the user whom it serves, beside root.
  public static func run(for name: String) throws {
    let listener = try ServiceSocket.fromEnvironment()
    guard let user = SystemCalls.user(named: name) else {
      throw HostError("there is no user \(name); give another one with --user")
    }
    while serveNext(listener, MachineHalt(), for: user) {}
  }

  /// - Returns: whether somebody came.
  static func serveNext(
    _ listener: borrowing Descriptor, _ machine: MachineHalt, for user: UInt32
  ) -> Bool {
    OneLineServer.serveNext(listener, for: user, lineBytes: HostBounds.haltOrderBytes) { line in
      guard let order = HaltOrder(line) else {
        return HaltOrder.answer(.failure(SystemError(code: Errno.invalid)))
      }
      return HaltOrder.answer(machine.obey(order))
    }
  }
}

/// Answers one line on each connection.
enum OneLineServer {
  /// - Parameter user: whom it serves, beside root.
  /// - Returns: whether somebody came.
  static func serveNext(
    _ listener: borrowing Descriptor, for user: UInt32, lineBytes: Int,
    _ answer: (String) -> String
  ) -> Bool {
    guard isReadable(listener) else { return false }
    do throws(SystemError) {
      let client = try listener.accepted(isBlocking: true)
      let peer = client.peer?.user
      guard peer == 0 || peer == user else { return true }
      var incoming = LineGathering(limit: lineBytes)
      var line: String?
      while line == nil, !incoming.hasEnded, isReadable(client) {
        line = incoming.take(from: client).first
      }
      guard let line else { return true }
      _ = try? client.send(Array((answer(line) + "\n").utf8), isWaiting: true)
      return true
    } catch {
      return error.code != Errno.again
    }
  }

  private static func isReadable(_ descriptor: borrowing Descriptor) -> Bool {
    !poll(descriptor.number, atMost: HostBounds.helperStay.count).isEmpty
  }
}
