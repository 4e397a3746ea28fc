import Glibc
import SystemCalls
import TrackerCore

/// The other end of a `HelperClock`: sets the machine's date for a tracker of the same user, unless
/// a time service keeps it.
public enum ClockHelper {
  /// How long it stays for another request, milliseconds.
  private static let stay: Int64 = 2000
  /// The longest request, bytes: two numbers.
  private static let requestBytes = 64

  /// Serves trackers on the socket that systemd hands over, until none is left.
  public static func run() throws {
    let listener = try ServiceSocket.fromEnvironment()
    while serveNext(listener, KernelClock()) {}
  }

  /// - Returns: whether somebody came.
  static func serveNext(_ listener: borrowing Descriptor, _ clock: any SystemClock) -> Bool {
    guard isReadable(listener.number) else { return false }
    let number = accept(listener.number, nil, nil)
    guard number >= 0 else { return errno != EAGAIN }
    let client = Descriptor(owning: number)
    let user = PeerName.user(of: number)
    guard user == 0 || user == getuid() else { return true }
    var incoming = LineGathering(limit: requestBytes)
    var line: String?
    while line == nil, !incoming.hasEnded, isReadable(number) {
      line = incoming.take(from: number).first
    }
    guard let line else { return true }
    let answer = ClockRequest.answer(obey(line, clock)) + "\n"
    _ = send(client.number, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
    return true
  }

  static func obey(_ line: String, _ clock: any SystemClock) -> Result<Bool, SystemError> {
    guard let request = ClockRequest(line),
      let date = request.date(at: milliseconds(of: CLOCK_BOOTTIME))
    else { return .failure(SystemError(code: EINVAL)) }
    do throws(SystemError) {
      if try clock.isSynchronised() { return .success(false) }
      return .success(try clock.set(date))
    } catch {
      return .failure(error)
    }
  }

  private static func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, Int32(stay)) > 0
  }
}
