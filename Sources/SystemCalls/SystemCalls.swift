public import Glibc

/// Repeats a system call that was interrupted by a signal.
public func retryingOnInterrupt<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// The directory part of a path; "." for a bare name.
public func directory(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Why a file could not be read completely.
public enum ReadFailure: Error, Equatable {
  /// The `errno`; `EISDIR` for a directory.
  case system(Int32)
  /// It has more bytes than allowed.
  case tooLarge
}

/// Reads all of a small file, a pipe or a device. A pipe that nobody writes to is an error
/// (`ETIMEDOUT`): a named one would block for ever.
///
/// - Parameters:
///   - limit: the largest allowed number of bytes. The size from `fstat` is not used: a pipe has
///     none, and a device may be endless.
///   - patience: how long to wait for a pipe's bytes, ms.
public func readWhole(
  _ path: String, atMost limit: Int, patience: Int32 = 5000
) throws(ReadFailure) -> [UInt8] {
  let file: Descriptor
  // O_NONBLOCK: to open a named pipe would otherwise wait for its writer.
  do throws(SystemError) {
    file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
  } catch { throw .system(error.code) }
  let kind: mode_t
  do throws(SystemError) { kind = try file.status().st_mode & S_IFMT } catch {
    throw .system(error.code)
  }
  if kind == S_IFIFO { return try file.readAll(atMost: limit, patience: patience) }
  _ = fcntl(file.number, F_SETFL, O_RDONLY)
  return try file.readAll(atMost: limit)
}

/// The time of a clock in milliseconds: `CLOCK_BOOTTIME` and `CLOCK_MONOTONIC` never step,
/// `CLOCK_REALTIME` is the machine's date.
public func milliseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  // Cannot fail: these clocks exist on every Linux, and the address is valid.
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
