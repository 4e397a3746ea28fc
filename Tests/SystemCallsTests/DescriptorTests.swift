import Foundation
import SystemCalls
import TestSupport
import Testing

@Suite struct DescriptorTests {
  private let again: Comment = "repeat with: swift test --filter DescriptorTests"

  @Test func `A file is written and read whole, and is closed with its owner`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("a")
    // More than a pipe holds, or one read brings.
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    do {
      let file = try Descriptor(opening: path, [.write, .create], mode: 0o600)
      #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0, again)
      try file.writeAll(bytes)
      try file.synchronise()
      try file.closeChecked()
    }
    let file = try Descriptor(opening: path, .read)
    #expect(try file.status().size == 100_000, again)
    #expect(try file.firstBytes(atMost: 3) == [0, 1, 2], again)
    #expect(try file.readAll(atMost: 99_997) == Array(bytes[3...]), again)
    #expect(try file.firstBytes(atMost: 3) == [], again)
    let other = try Descriptor(opening: path, .read)
    #expect(throws: ReadError.tooLarge, again) { try other.readAll(atMost: 99_999) }
  }

  @Test func `A named pipe is read from its writer, and not waited for without one`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: ReadError.system(SystemError("read", path, code: ETIMEDOUT)), again) {
      try readWhole(path, atMost: 10, patience: 20)
    }
    let keeper = try Descriptor(opening: path, .readWrite)
    try keeper.writeAll([1, 2, 3])
    // It has bytes, but its writer never ends.
    #expect(throws: ReadError.system(SystemError("read", path, code: ETIMEDOUT)), again) {
      try readWhole(path, atMost: 10, patience: 20)
    }
    let writer = Thread {
      guard let pipe = try? Descriptor(opening: path, .write) else { return }
      try? pipe.writeAll([4, 5])
    }
    _ = consume keeper
    writer.start()
    #expect(try readWhole(path, atMost: 10) == [4, 5], again)
  }

  @Test func `A signal does not end the wait for a pipe's bytes`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let keeper = try Descriptor(opening: path, .readWrite)
    // Nothing else here uses it, and it is ignored otherwise. The threads of a pool hold it back.
    signal(SIGURG) { _ in }
    var (set, before) = (sigset_t(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, SIGURG)
    pthread_sigmask(SIG_UNBLOCK, &set, &before)
    defer {
      pthread_sigmask(SIG_SETMASK, &before, nil)
      signal(SIGURG, SIG_DFL)
    }
    let reader = pthread_self()
    Thread.detachNewThread { [number = keeper.number] in
      for _ in 0..<100 {
        pthread_kill(reader, SIGURG)
        usleep(500)
      }
      try? writeAll([1, 2], to: number)
    }
    // It has all bytes when the limit is exceeded: the pipe never ends.
    #expect(throws: ReadError.tooLarge, again) {
      try readWhole(path, atMost: 1, patience: 60_000)
    }
  }

  @Test func `What fails says why`() throws {
    let scratch = try ScratchFolder()
    let missing = #expect(throws: SystemError.self, again) {
      _ = try Descriptor(opening: scratch.path("a"), .read)
    }
    #expect(missing?.code == ENOENT && missing?.reason == "No such file or directory", again)
    let full = try Descriptor(opening: "/dev/full", .write)
    #expect(throws: SystemError("write", code: ENOSPC), again) { try full.writeAll([1]) }
    #expect(throws: SystemError("read", code: EBADF), again) { _ = try full.firstBytes(atMost: 1) }
  }

  @Test func `The ends of a pipe do not block, and reach no other program`() throws {
    let pipe = try DescriptorPipe()
    for number in [pipe.readEnd.number, pipe.writeEnd.number] {
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0, again)
      #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0, again)
    }
    #expect(throws: SystemError("read", code: EAGAIN), again) {
      _ = try pipe.readEnd.firstBytes(atMost: 1)
    }
    try pipe.writeEnd.writeAll([7])
    #expect(try pipe.readEnd.firstBytes(atMost: 2) == [7], again)
  }

  @Test func `A terminal whose other side has gone has ended, and one that is silent has not`()
    throws
  {
    var ends: (one: Int32, other: Int32) = (0, 0)
    try #require(openpty(&ends.one, &ends.other, nil, nil, nil) == 0)
    let terminal = Descriptor(owning: ends.one)
    #expect(fcntl(ends.one, F_SETFL, O_NONBLOCK) == 0)
    var bytes = [UInt8](repeating: 0, count: 8)
    var buffer = bytes.mutableSpan
    do {
      let other = Descriptor(owning: ends.other)
      #expect(Descriptor.read(terminal.number, into: &buffer) == .nothing, again)
      try other.writeAll([1, 2])
      #expect(Descriptor.read(terminal.number, into: &buffer) == .bytes(2), again)
    }
    #expect(Descriptor.read(terminal.number, into: &buffer) == .ended, again)
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `A file that does not fit on its disk leaves nothing behind`() throws {
    let disk = try SmallDisk(kilobytes: 64)
    let path = disk.scratch.path("a")
    #expect(throws: SystemError("write", path, code: ENOSPC), again) {
      try writeDurably([UInt8](repeating: 1, count: 100_000), to: path, mode: 0o600)
    }
    #expect(try disk.scratch.names() == [], again)
    try writeDurably([1, 2], to: path, mode: 0o600)
    #expect(try readWhole(path, atMost: 2) == [1, 2], again)
  }

  @Test func `A directory is brought to the disk where the file system can do that`() throws {
    let scratch = try ScratchFolder()
    try synchroniseDirectory(scratch.url.path)
    // It says EINVAL: there is nothing to be brought.
    try synchroniseDirectory("/proc")
    #expect(throws: SystemError("open", scratch.path("a"), code: ENOENT), again) {
      try synchroniseDirectory(scratch.path("a"))
    }
    let file = try scratch.write("a", "")
    #expect(throws: SystemError("open", file, code: ENOTDIR), again) {
      try synchroniseDirectory(file)
    }
  }
}
