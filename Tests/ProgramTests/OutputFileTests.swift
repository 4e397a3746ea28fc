import CommandLineSupport
import Foundation
import SystemCalls
import TestSupport
import Testing

/// Where commands write.
@Suite struct OutputFileTests {
  private let again: Comment = "repeat with: swift test --filter OutputFileTests"

  @Test func `A pipe that was written to is closed with its writer`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    do {
      let output = try OutputFile(path: path)
      try output.write([1, 2, 3])
      try output.finish()
    }
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(reader, &bytes, 10) == 3, again)
    // The end, and not that there is nothing at present.
    #expect(read(reader, &bytes, 10) == 0, again)
  }

  @Test(arguments: [
    (Errno.noSuchFile, "no such file or directory: check the path"),
    (Errno.timedOut, "nobody writes to this pipe: start its writer, or use a file"),
    (Errno.inputOutput, "Input/output error: check the disk"),
  ])
  func `A file that cannot be read is named, with why and what to do`(
    _ code: Int32, _ says: String
  ) {
    let error = FileAccessError(.system(SystemError("read", "a", code: code)), "a", atMost: 1 << 20)
    #expect("\(error)" == "cannot read a: \(says)", again)
    let large = FileAccessError(.tooLarge, "a", atMost: 1 << 20)
    #expect("\(large)" == "cannot read a: larger than 1 MiB: use a smaller file", again)
  }

  @Test func `A file has its name when it is complete, with the mode of the one before`() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.write("a", "old", mode: 0o640)
    do {
      let output = try OutputFile(path: path)
      try output.write(Array("half".utf8))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old", again)
    }
    #expect(try scratch.names() == ["a"], again)
    let output = try OutputFile(path: path)
    try output.write(Array("new".utf8))
    try output.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new", again)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640, again)
    #expect(try scratch.names() == ["a"], again)
    // What is finished takes nothing any more.
    #expect(throws: FileAccessError.self, again) { try output.write([1]) }
  }
}
