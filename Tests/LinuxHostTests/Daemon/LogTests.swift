import Foundation
import TestSupport
import Testing

@testable import LinuxHost

/// A log whose reader is slow, gone or full must not hold up who writes it.
@Suite(.serialized, .blocking) struct LogTests {
  private let note: Comment = "repeat with: swift test --filter LogTests"

  init() { signal(SIGPIPE, SIG_IGN) }

  /// Two ends: of a pipe, or of a connection as the journal gives one.
  private func ends(_ kind: String) throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    let made =
      kind == "pipe" ? pipe(&ends) : socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    #expect(made == 0, note)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// What there is to be read at once; of somebody who never stops writing, some.
  private func drain(_ descriptor: Int32) -> String {
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while text.count < 8 << 20 {
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if count > 0 {
        text += bytes[..<count]
      } else if poll(&entry, 1, 0) > 0 {
        let count = read(descriptor, &bytes, bytes.count)
        if count <= 0 { break }
        text += bytes[..<count]
      } else {
        break
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test(arguments: ["pipe", "socket"])
  func `A reader that stalls costs lines, which are counted and told once it reads again`(
    _ kind: String
  ) throws {
    let (reader, writer) = try ends(kind)
    defer { for end in [reader, writer] { close(end) } }
    let flags = fcntl(writer, F_GETFL)
    let log = Log(descriptor: writer)
    for number in 0..<20_000 { log.write(.info, "captured", ["sequence": "\(number)"]) }
    let dropped = log.dropped
    #expect(dropped > 1000, note)
    // Others share this description, and expect it to wait.
    #expect(fcntl(writer, F_GETFL) == flags, note)
    let before = drain(reader)
    log.write(.info, "captured", ["sequence": "20000"])
    let text = before + drain(reader)
    #expect(log.dropped == 0, note)
    #expect(
      text.hasSuffix("\n<4>log lines dropped count=\(dropped)\n<6>captured sequence=20000\n"), note)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 20_001 - dropped + 1, note)
    for (number, line) in lines.prefix(20_000 - dropped).enumerated() {
      #expect(line == "<6>captured sequence=\(number)", note)
    }
  }

  @Test func `On a terminal people read it, and there is no priority before the lines`() throws {
    var (terminal, program): (Int32, Int32) = (-1, -1)
    try #require(openpty(&terminal, &program, nil, nil, nil) == 0)
    defer { for end in [terminal, program] { close(end) } }
    let log = Log(descriptor: program)
    log.write(.error, "the store was damaged", [:])
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(terminal, &bytes, bytes.count)
    #expect(String(decoding: bytes[..<count], as: UTF8.self) == "the store was damaged\r\n", note)
    // For a console's log it is kept.
    #expect(log.newest(1) == ["<3>the store was damaged\n"], note)
  }

  @Test func `A pipe that others fill at the same time is never waited for`() throws {
    let (reader, writer) = try ends("pipe")
    defer { for end in [reader, writer] { close(end) } }
    let child = try RunningProgram(
      ["sh", "-c", "while echo x; do :; done"],
      output: .file(FileHandle(fileDescriptor: writer, closeOnDealloc: false)))
    defer { child.end() }
    let log = Log(descriptor: writer)
    var some = [UInt8](repeating: 0, count: 5000)
    for _ in 0..<2000 {
      for number in 0..<20 { log.write(.info, "captured", ["sequence": "\(number)"]) }
      _ = read(reader, &some, some.count)
    }
  }

  @Test func `A reader that has gone, and a full disk, cost nothing but lines`() throws {
    let (reader, writer) = try ends("pipe")
    close(reader)
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { for end in [full, writer] { close(end) } }
    for descriptor in [writer, full, -1] {
      let log = Log(descriptor: descriptor)
      for _ in 0..<100 { log.write(.error, "a capture could not be stored", [:]) }
      #expect(log.dropped == 100, note)
    }
  }

  @Test func `A line is cut at what a pipe takes whole, and ends as a line`() throws {
    let (reader, writer) = try ends("pipe")
    defer { for end in [reader, writer] { close(end) } }
    let log = Log(descriptor: writer)
    // Each value is cut at 400 characters, and twelve are too long together.
    let x = String(repeating: "x", count: 500)
    log.write(
      .info, "line lost",
      [
        "a": x, "b": x, "c": x, "d": x, "e": x, "f": x, "g": x, "h": x, "i": x, "j": x, "k": x,
        "l": x,
      ])
    let text = drain(reader)
    #expect(text.utf8.count == 4096 && text.hasSuffix("x\n"), note)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
  func `What a full disk took of a line is finished before the next one begins`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("trailtracker-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=8k") == 0)
    defer { umount2(folder.path, Int32(MNT_DETACH)) }
    let filler = folder.appendingPathComponent("filler").path
    #expect(FileManager.default.createFile(atPath: filler, contents: Data(count: 4096)))
    let path = folder.appendingPathComponent("log").path
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(file) }
    let log = Log(descriptor: file)
    for number in 1000..<1200 { log.write(.info, "captured", ["sequence": "\(number)"]) }
    let dropped = log.dropped
    #expect(dropped > 0 && 4096 % 26 != 0, note)
    try FileManager.default.removeItem(atPath: filler)
    log.write(.info, "captured", ["sequence": "1200"])
    let kept = (1000..<1200 - dropped).map { "<6>captured sequence=\($0)\n" }.joined()
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == kept + "<4>log lines dropped count=\(dropped)\n<6>captured sequence=1200\n", note)
  }
}
