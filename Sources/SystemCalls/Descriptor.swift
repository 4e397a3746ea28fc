internal import Glibc

/// An open file, pipe or socket. Closed with its owner.
public struct Descriptor: ~Copyable, Sendable {
  /// For `poll` and other calls. It must not be closed.
  public let number: Int32

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Opens a file with O_CLOEXEC. The corresponding C function is `open`.
  ///
  /// - Parameter mode: the permissions of a file that is created, before the process's umask.
  public init(
    opening path: String, _ options: OpenOptions, mode: UInt32 = 0
  ) throws(SystemError) {
    self.init(
      owning: try systemCall("open", path) { open(path, options.rawValue | O_CLOEXEC, mode) })
  }

  /// Closes it and reports the error: some file systems report a full disk only here.
  public consuming func closeChecked() throws(SystemError) {
    let number = number
    discard self
    // Not retried after EINTR: Linux has closed it anyway (close(2)).
    guard close(number) == 0 || errno == EINTR else { throw .last("close") }
  }

  /// Gives up ownership without closing it.
  public consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  // MARK: Whole contents

  /// Reads up to `bytes.count` bytes with one call; returns 0 at the end.
  public func read(into bytes: inout [UInt8]) throws(SystemError) -> Int {
    try systemCall("read") { Glibc.read(number, &bytes, bytes.count) }
  }

  /// The bytes that one read returns: enough for small files, such as those in /proc and /sys.
  public func firstBytes(atMost limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try read(into: &bytes)
    bytes.removeSubrange(count...)
    return bytes
  }

  /// Reads to the end.
  ///
  /// - Parameter limit: the largest allowed number of bytes. The size from `fstat` is not used: a
  ///   pipe has none, and a device may be endless.
  /// - Parameter patience: how long to wait for more, ms; then it throws `ETIMEDOUT`. Negative:
  ///   for ever.
  public func readAll(
    atMost limit: Int, patience: Int32 = -1
  ) throws(ReadError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count: Int
      do throws(SystemError) {
        if patience >= 0, try !hasInput(number, within: Int64(patience)) {
          throw SystemError("read", code: ETIMEDOUT)
        }
        count = try read(into: &piece)
      } catch { throw .system(error) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLarge }
      bytes += piece[..<count]
    }
  }

  /// Writes all of `bytes`, with as many calls as needed.
  public func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    try SystemCalls.writeAll(bytes, to: number)
  }

  /// Writes cached data to the disk. The corresponding C function is `fsync`.
  public func synchronise() throws(SystemError) { try systemCall("fsync") { fsync(number) } }

  /// The same without what only `stat` shows. The corresponding C function is `fdatasync`.
  public func synchroniseData() throws(SystemError) {
    try systemCall("fdatasync") { fdatasync(number) }
  }

  /// Cuts the file, and writes on from there.
  public func truncate(to size: Int64) throws(SystemError) {
    try systemCall("ftruncate") { ftruncate(number, off_t(size)) }
    try systemCall("lseek") { lseek(number, off_t(size), SEEK_SET) }
  }

  /// Reads at a place, without moving the one where `read` goes on.
  ///
  /// - Returns: how many bytes were read; 0 also where they cannot be.
  public static func read(
    _ number: Int32, at place: Int, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let count = try? systemCall("pread") {
      pread(number, buffer.baseAddress, buffer.count, off_t(place))
    }
    return count ?? 0
  }

  /// Goes on at the end of the file.
  ///
  /// - Returns: where that is.
  public func seekEnd() throws(SystemError) -> Int64 {
    Int64(try systemCall("lseek") { lseek(number, 0, SEEK_END) })
  }

  // MARK: Transfers on a descriptor that does not block

  /// The result of one read or write.
  public enum Transfer: Equatable, Sendable {
    case bytes(Int)
    /// No data, or no room, at present.
    case nothing
    /// The other side has closed it.
    case ended
    /// The `errno`.
    case failed(Int32)

    fileprivate init(_ error: SystemError) {
      switch error.code {
      case EAGAIN: self = .nothing
      // Codes of a terminal or socket whose other side has gone.
      case EIO, EPIPE, ECONNRESET, ENXIO, ENODEV: self = .ended
      default: self = .failed(error.code)
      }
    }
  }

  /// Reads from a descriptor that the caller may not own, such as a library's.
  public static func read(_ number: Int32, into buffer: inout MutableSpan<UInt8>) -> Transfer {
    do throws(SystemError) {
      let count = try systemCall("read") {
        buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
      }
      return count == 0 ? .ended : .bytes(count)
    } catch { return Transfer(error) }
  }

  /// The same for whoever tells errors apart; returns 0 at the end.
  public static func read(
    _ number: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    try systemCall("read") { Glibc.read(number, buffer.baseAddress, buffer.count) }
  }

  public static func write(_ number: Int32, _ bytes: ArraySlice<UInt8>) -> Transfer {
    // MSG_NOSIGNAL is for sockets only; the daemon ignores SIGPIPE, and terminals do not raise it.
    do throws(SystemError) {
      return .bytes(
        try systemCall("write") {
          bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
        })
    } catch { return Transfer(error) }
  }

  /// How many bytes can be read at once.
  public static func readable(_ number: Int32) -> Int {
    var count: Int32 = 0
    return ioctl(number, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }
}

/// How a file is opened.
public struct OpenOptions: OptionSet, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let read = OpenOptions(rawValue: O_RDONLY)
  public static let write = OpenOptions(rawValue: O_WRONLY)
  public static let readWrite = OpenOptions(rawValue: O_RDWR)
  public static let create = OpenOptions(rawValue: O_CREAT)
  /// With `create`: fails if the file exists.
  public static let exclusive = OpenOptions(rawValue: O_EXCL)
  public static let truncate = OpenOptions(rawValue: O_TRUNC)
  /// Otherwise opening a pipe that nobody writes to would block.
  public static let nonBlocking = OpenOptions(rawValue: O_NONBLOCK)
  /// Fails if the last part of the path is a symbolic link.
  public static let noFollow = OpenOptions(rawValue: O_NOFOLLOW)
  static let folder = OpenOptions(rawValue: O_DIRECTORY)
  /// A terminal does not become that of the process.
  public static let notControlling = OpenOptions(rawValue: O_NOCTTY)
}

/// Writes all of `bytes`, with as many calls as needed, to a descriptor that the caller does not
/// own, such as standard output.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
  var written = 0
  while written < bytes.count {
    let rest = bytes[written...]
    written += try systemCall("write") {
      rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
  }
}

/// A non-blocking pipe with close-on-exec.
public struct DescriptorPipe: ~Copyable, Sendable {
  public let readEnd: Descriptor
  public let writeEnd: Descriptor

  public init() throws(SystemError) {
    var numbers: [Int32] = [-1, -1]
    try systemCall("pipe") { pipe(&numbers) }
    readEnd = Descriptor(owning: numbers[0])
    writeEnd = Descriptor(owning: numbers[1])
    // No other thread starts programs in between. pipe2 is one call for all of this, and to be used
    // as soon as Swift's Glibc module imports it (it needs _GNU_SOURCE).
    for number in numbers {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      _ = fcntl(number, F_SETFL, O_NONBLOCK)
    }
  }

  /// Makes the read end readable. If the pipe is full it is so already.
  public func signal() {
    var byte: UInt8 = 1
    _ = write(writeEnd.number, &byte, 1)
  }

  /// Closes the write end.
  public consuming func takeReadEnd() -> Descriptor { readEnd }
}
