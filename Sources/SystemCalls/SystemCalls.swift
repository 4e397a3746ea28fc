public import Glibc

/// Repeats a system call that a signal has interrupted.
public func retryingOnInterrupt<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// The directory that a path names a file in; "." for a bare name.
public func directory(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Why a file could not be read whole.
public enum ReadFailure: Error, Equatable {
  /// A code of `errno`; `EISDIR` for a directory.
  case system(Int32)
  /// It has more bytes than were allowed.
  case tooLarge
}

/// The whole content of a small file, a pipe or a device.
///
/// - Parameter limit: how many bytes there may be; not more are held. The size that `fstat` gives
///   is not trusted: a pipe has none, a device never ends.
public func readWhole(_ path: String, atMost limit: Int) throws(ReadFailure) -> [UInt8] {
  let descriptor = retryingOnInterrupt { open(path, O_RDONLY | O_CLOEXEC) }
  guard descriptor >= 0 else { throw .system(errno) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 16_384)
  while true {
    let count = retryingOnInterrupt { read(descriptor, &piece, piece.count) }
    if count < 0 { throw .system(errno) }
    if count == 0 { return bytes }
    guard bytes.count + count <= limit else { throw .tooLarge }
    bytes += piece[..<count]
  }
}

/// What a clock shows, milliseconds: `CLOCK_BOOTTIME` and `CLOCK_MONOTONIC` never step,
/// `CLOCK_REALTIME` is the machine's date.
public func milliseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  // Cannot fail: these clocks exist on every Linux, and the address is ours.
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
