import MachineAccess
public import SystemCalls
public import TrackerCore

/// The other end of a `HelperClock`: sets the machine's date for a tracker of the same user, unless
/// a time service keeps it.
public enum ClockHelper {
  /// Serves trackers on the socket that systemd hands over, until none is left.
  public static func run() throws {
    let listener = try ServiceSocket.fromEnvironment()
    while serveNext(listener, KernelClock()) {}
  }

  /// - Returns: whether somebody came.
  static func serveNext(_ listener: borrowing Descriptor, _ clock: any SystemClock) -> Bool {
    OneLineServer.serveNext(
      listener, for: realUser, lineBytes: HostBounds.clockRequestBytes
    ) { line in ClockRequest.answer(obey(line, clock)) }
  }

  static func obey(_ line: String, _ clock: any SystemClock) -> Result<Bool, SystemError> {
    guard let request = ClockRequest(line),
      let date = request.date(at: KernelTimer.boot.milliseconds)
    else { return .failure(SystemError(code: Errno.invalid)) }
    do throws(SystemError) {
      if try clock.isSynchronised() { return .success(false) }
      return .success(try clock.set(date))
    } catch {
      return .failure(error)
    }
  }
}

/// The machine's date, set by a helper with the right to (`ClockHelper`), for a daemon without.
public final class HelperClock: SystemClock {
  private let path: String

  /// - Parameter path: the helper's socket.
  public init(path: String) { self.path = path }

  public var date: UTC { BootClock.date }

  /// Not known here: the helper looks before it sets.
  public func isSynchronised() throws(SystemError) -> Bool { false }

  public func set(_ date: UTC) throws(SystemError) -> Bool {
    let request = ClockRequest(date: date, at: KernelTimer.boot.milliseconds)
    let answer: String
    do throws(AnswerError) {
      answer = try ControlClient.ask(request.line, at: path, within: HostBounds.clockHelperLimit)
    } catch {
      switch error.kind {
      case .absent: throw SystemError(code: Errno.connectionRefused)
      case .forbidden: throw SystemError(code: Errno.accessDenied)
      case .silent: throw SystemError(code: Errno.timedOut)
      case .other, .impossible: throw SystemError(code: Errno.protocolError)
      }
    }
    switch ClockRequest.outcome(answer) {
    case .success(let wasSet): return wasSet
    case .failure(let error): throw error
    }
  }
}

/// What the tracker asks of the helper: `set DATE AT`, both in milliseconds, the second on the
/// clock that counts since the boot.
struct ClockRequest: Equatable {
  var date: UTC
  var at: Int64

  init(date: UTC, at: Int64) { (self.date, self.at) = (date, at) }

  var line: String { "set \(date.milliseconds) \(at)" }

  /// `nil`: no request.
  init?(_ line: String) {
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] == "set", let date = Int64(words[1]), let at = Int64(words[2])
    else { return nil }
    self.init(date: UTC(milliseconds: date), at: at)
  }

  /// The date now; `nil`: the request is too old, or its date is impossible.
  func date(at now: Int64) -> UTC? {
    guard HostBounds.clockRequestDates.contains(date.milliseconds), at <= now,
      at >= now - HostBounds.clockRequestAge.count
    else {
      return nil
    }
    return date + Milliseconds(now - at)
  }

  /// `set`, `kept` by a time service, or an `errno`.
  static func answer(_ outcome: Result<Bool, SystemError>) -> String {
    switch outcome {
    case .success(let wasSet): wasSet ? "set" : "kept"
    case .failure(let error): "error \(error.code)"
    }
  }

  static func outcome(_ answer: String) -> Result<Bool, SystemError> {
    let words = answer.split(whereSeparator: \.isWhitespace)
    switch words.first {
    case "set": return .success(true)
    case "kept": return .success(false)
    default:
      let code = words.dropFirst().first.flatMap { Int32($0) }
      return .failure(SystemError(code: code ?? Errno.protocolError))
    }
  }
}
