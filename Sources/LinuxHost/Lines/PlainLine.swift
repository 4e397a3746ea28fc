import Glibc
public import TrackerCore

public final class PlainLine: ByteLine {
  let path: String
  public private(set) var descriptor: Int32?
  public let wantsWrite = false
  public private(set) var wakeAt: Instant? = .start
  private var news: [LineNews] = []
  public init(path: String) { self.path = path }
  public func tend(at now: Instant) {
    let fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard fd >= 0 else {
      wakeAt = now + .seconds(1)
      return
    }
    var t = termios()
    tcgetattr(fd, &t)
    cfmakeraw(&t)
    tcsetattr(fd, TCSANOW, &t)
    descriptor = fd
    wakeAt = nil
    news.append(.opened(name: path, baud: 0))
  }
  public func ready(_ revents: Int16, at now: Instant, into buffer: inout MutableSpan<UInt8>) -> Int
  {
    guard let fd = descriptor else { return 0 }
    let count = buffer.withUnsafeMutableBytes { read(fd, $0.baseAddress, $0.count) }
    if count > 0 { return count }
    close(fd)
    descriptor = nil
    wakeAt = now + .seconds(1)
    news.append(.lost(name: path, LineProblem(description: "hung up")))
    return 0
  }
  public func send(_ bytes: [UInt8], at now: Instant) -> Bool { false }
  public func takeNews() -> [LineNews] {
    defer { news = [] }
    return news
  }
}
