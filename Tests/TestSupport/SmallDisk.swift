import Foundation

/// A small disk in memory, which only root may mount.
public final class SmallDisk {
  public let scratch: ScratchFolder
  public var folder: String { scratch.url.path }

  /// Whether this process may mount one.
  public static let canMount = (try? SmallDisk(kilobytes: 64)) != nil
  /// What a test that is skipped says.
  public static let reason = "it takes a mount of its own, which only root may make"

  public init(kilobytes: Int) throws {
    scratch = try ScratchFolder()
    guard mount("tmpfs", scratch.url.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      throw Problem("cannot mount a disk: \(String(cString: strerror(errno)))")
    }
  }

  deinit { umount2(folder, Int32(MNT_DETACH)) }

  /// - Returns: whether it worked.
  public func remount(readOnly: Bool) -> Bool {
    let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
    return mount("tmpfs", folder, "tmpfs", flags, "") == 0
  }

  private var filler: String { folder + "/filler" }

  /// Fills it with a file until so many bytes are left. A removed file takes room for as long as
  /// another test's child that was just forked has inherited it: this waits for its end. And what
  /// writes to the disk meanwhile may take what was free.
  public func leave(_ free: Int) throws {
    let limit = Date(timeIntervalSinceNow: 60)
    while true {
      try empty()
      let now = try bytes(\.f_bavail)
      if try !holdsRemovedFiles(), try fill(now - free) { return }
      guard Date() < limit else { throw Problem("\(folder): has only \(now) bytes free") }
      usleep(1000)
    }
  }

  private func fill(_ count: Int) throws -> Bool {
    let descriptor = open(filler, O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    return count > 0 && posix_fallocate(descriptor, 0, count) == 0
  }

  private func bytes(_ blocks: KeyPath<statvfs, fsblkcnt_t>) throws -> Int {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { throw Problem("\(folder): no disk") }
    return Int(status[keyPath: blocks]) * Int(status.f_frsize)
  }

  private func holdsRemovedFiles() throws -> Bool {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    let named = names.reduce(0) { sum, name in
      var status = stat()
      return lstat(folder + "/" + name, &status) == 0 ? sum + 512 * Int(status.st_blocks) : sum
    }
    return try bytes(\.f_blocks) - bytes(\.f_bavail) > named
  }

  /// Makes room. Emptied, not removed: another test's child may have inherited the file, and would
  /// keep it alive.
  public func empty() throws {
    if truncate(filler, 0) != 0, errno != ENOENT { throw Problem("\(filler): cannot be emptied") }
  }

  /// Removes all files.
  public func clear() throws {
    try empty()
    for name in try scratch.names() {
      try FileManager.default.removeItem(atPath: scratch.path(name))
    }
  }
}
