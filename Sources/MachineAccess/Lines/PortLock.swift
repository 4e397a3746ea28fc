import SystemCalls
import Wording

/// A lock file for a serial port, as UUCP, pppd and minicom write and honour it: `LCK..ttyUSB2`
/// with the number of the process that uses the port (Filesystem Hierarchy Standard 3.0, section
/// 5.9). Removed with its owner.
///
/// Unlike flock and TIOCEXCL it also keeps root's programs away.
struct PortLock: ~Copyable {
  /// Where the system keeps them.
  static let folder = "/var/lock"

  /// `nil`: there is nothing to remove.
  private let path: String?

  /// Removes the lock of a process that has ended. Without a folder to write to there is no lock.
  ///
  /// - Parameter device: the device file itself, no link to it.
  /// - Throws: if another program has the port, with its name.
  init(_ device: String, in folder: String = PortLock.folder) throws(LineError) {
    let device = device.hasPrefix("/dev/") ? String(device.dropFirst(5)) : device
    // As pppd does; /dev/pts/3 is pts_3.
    let name = String(device.map { $0 == "/" ? "_" : $0 })
    let path = "\(folder)/LCK..\(name)"
    let own = "\(folder)/LCK..\(ownProcess).\(name)"
    guard Self.write(own) else {
      self.path = nil
      if let holder = Self.holder(of: path) { throw .locked(device, path, by: holder) }
      return
    }
    defer { try? removeFile(own) }
    // Once for a lock that was left behind, once more if another program was faster.
    for _ in 1...3 {
      do throws(SystemError) {
        // Unlike rename this fails if the lock exists.
        try linkFile(own, as: path)
        self.path = path
        return
      } catch {
        guard error.code == Errno.exists else { break }
      }
      if let holder = Self.holder(of: path) {
        self.path = nil
        throw .locked(device, path, by: holder)
      }
      // This program has it open already, or another had its number: flock tells.
      if Self.number(in: path) == ownProcess { break }
      do throws(SystemError) { try removeFile(path) } catch {
        guard error.code == Errno.noSuchFile else { break }
      }
    }
    self.path = nil
  }

  deinit {
    guard let path, Self.number(in: path) == ownProcess else { return }
    try? removeFile(path)
  }

  private static func write(_ path: String) -> Bool {
    let options: OpenOptions = [.write, .create, .truncate, .noFollow]
    guard let file = try? Descriptor(opening: path, options, mode: 0o644) else { return false }
    // Ten columns and a line feed.
    let digits = "\(ownProcess)"
    let text = String(repeating: " ", count: 10 - digits.utf8.count) + digits + "\n"
    return (try? file.writeAll(Array(text.utf8))) != nil
  }

  /// The other process that holds a lock; `nil` if there is none any more.
  private static func holder(of path: String) -> Int32? {
    guard let number = number(in: path), number != ownProcess else { return nil }
    return isAlive(number) ? number : nil
  }

  /// In digits, or in four bytes as old programs write it.
  private static func number(in path: String) -> Int32? {
    guard let bytes = try? readWhole(path, atMost: 256) else { return nil }
    let digits = String(decoding: bytes.drop { $0 == 0x20 }.prefix { $0 > 0x20 }, as: UTF8.self)
    var number = Int32(digits)
    if number == nil && bytes.count == 4 {
      number = bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
    }
    return number.flatMap { $0 > 0 ? $0 : nil }
  }
}

extension LineError {
  fileprivate static func locked(
    _ device: String, _ lock: String, by process: Int32
  ) -> LineError {
    var problem = LineError(
      LinePhrase.locked.texts("/dev/\(device)", "\(PortUsers().user(process))", lock))
    problem.isUse = true
    return problem
  }
}
