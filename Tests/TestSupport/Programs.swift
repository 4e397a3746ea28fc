import Foundation

/// Programs of ours that stand beside the tests' own, as a user has them.
public enum Built {
  public static func program(_ name: String) -> URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name)
  }

  /// Tests that compare a program's text do not depend on the environment's language.
  public static let english = ["LC_ALL": "C"]

  /// The folder of Package.swift.
  public static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}

/// Programs of others, which a machine may lack.
public enum Tool {
  /// Where a program lies, if it is there.
  public static func url(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

/// A program that runs beside a test, in English unless its environment says otherwise. It is
/// killed with its last user.
public final class RunningProgram {
  /// Where one of a program's inputs and outputs goes.
  public enum Stream {
    case none, inherited, pipe
    /// Errors: where the output goes.
    case asOutput
    case file(FileHandle)
  }

  /// Held from making pipes until the program runs. Foundation lists what is open and has the child
  /// close it: a pipe that another thread makes in between would be inherited, and whoever reads it
  /// to its end would wait for that child, too.
  private static let starting = NSLock()

  private let process = Process()
  private let input: Pipe
  private let output: Pipe
  private let errors: Pipe

  /// - Parameters:
  ///   - words: a path, or the name of a program in PATH, and its arguments.
  ///   - environment: what is added to that of the tests.
  ///   - folder: where it runs; `nil`: where the tests do.
  public init(
    _ words: [String], environment: [String: String] = [:], folder: URL? = nil,
    input: Stream = .none, output: Stream = .none, errors: Stream = .none
  ) throws {
    Self.starting.lock()
    defer { Self.starting.unlock() }
    (self.input, self.output, self.errors) = (Pipe(), Pipe(), Pipe())
    let words = words[0].contains("/") ? words : ["/usr/bin/env"] + words
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(Built.english) { $1 }
      .merging(environment) { $1 }
    process.standardInput = Self.end(input, self.input) ?? FileHandle.standardInput
    process.standardOutput = Self.end(output, self.output) ?? FileHandle.standardOutput
    process.standardError =
      if case .asOutput = errors { process.standardOutput } else {
        Self.end(errors, self.errors) ?? FileHandle.standardError
      }
    try process.run()
  }

  /// A program of others whose outputs nobody needs.
  public convenience init(_ words: String...) throws { try self.init(words) }

  deinit { if process.isRunning { end() } }

  private static func end(_ stream: Stream, _ pipe: Pipe) -> Any? {
    switch stream {
    case .none: FileHandle.nullDevice
    case .pipe: pipe
    case .file(let file): file
    case .inherited, .asOutput: nil
    }
  }

  public var id: Int32 { process.processIdentifier }
  public var isRunning: Bool { process.isRunning }
  /// Once it has ended: its exit code, or the signal that ended it.
  public var code: Int32 { process.terminationStatus }
  /// Whether it ended by itself.
  public var hasExited: Bool { process.terminationReason == .exit }

  public func signal(_ number: Int32) { kill(id, number) }

  /// Sends it a signal, unless it has ended, and waits for its end.
  ///
  /// SIGKILL, because a child of a dispatch thread has that one's mask, which holds SIGTERM back.
  @discardableResult public func end(_ number: Int32 = SIGKILL) -> Int32 {
    if process.isRunning { signal(number) }
    return reap()
  }

  /// Waits for its end.
  @discardableResult public func wait() -> Int32 {
    BlockingThreads.check()
    return reap()
  }

  fileprivate func reap() -> Int32 {
    process.waitUntilExit()
    return code
  }

  /// Waits for its next line, with whatever has come after it.
  public func line() throws -> String {
    BlockingThreads.check()
    var text: [UInt8] = []
    while !text.contains(0x0A) {
      let bytes = output.fileHandleForReading.availableData
      let said = String(decoding: text, as: UTF8.self)
      if bytes.isEmpty { throw Problem("\(process.arguments ?? []) said only '\(said)'") }
      text += bytes
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// All that it still says, until it closes that pipe.
  public func outputToEnd() -> String { Self.text(output) }
  public func errorsToEnd() -> String { Self.text(errors) }

  private static func text(_ pipe: Pipe) -> String {
    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  public func type(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  public func closeInput() throws { try input.fileHandleForWriting.close() }
}

/// A run of a program: arguments in, exit code and both outputs out.
public struct ProgramResult: Sendable {
  public let code: Int32
  /// Whether it ended by itself.
  public let hasExited: Bool
  public let output: String
  public let errors: String
  /// How to repeat it.
  public let command: String

  /// Of one of our programs, in English, unless the environment says otherwise.
  ///
  /// - Parameter environment: what is added to that of the tests.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    try self.init(
      executable: Built.program(program), arguments, environment: environment)
  }

  /// Of any program.
  public init(
    executable: URL, _ arguments: [String], environment: [String: String] = [:],
    folder: URL? = nil, input: RunningProgram.Stream = .none
  ) throws {
    try self.init(
      running: [executable.path] + arguments, environment: environment, folder: folder, input: input
    )
  }

  /// - Parameters:
  ///   - words: as for `RunningProgram`.
  ///   - folder: where it runs; `nil`: where the tests do.
  ///   - typed: what comes over its input.
  ///   - outputs: what is no pipe is not in the result.
  public init(
    running words: [String], environment: [String: String] = [:], folder: URL? = nil,
    input: RunningProgram.Stream = .none, typing typed: String? = nil,
    output: RunningProgram.Stream = .pipe, errors: RunningProgram.Stream = .pipe
  ) throws {
    let program = try RunningProgram(
      words, environment: environment, folder: folder, input: typed == nil ? input : .pipe,
      output: output, errors: errors)
    if let typed {
      try program.type(typed)
      try program.closeInput()
    }
    self.output = if case .pipe = output { program.outputToEnd() } else { "" }
    self.errors = if case .pipe = errors { program.errorsToEnd() } else { "" }
    // Such a program is busy until it ends: it may have this thread's processor.
    code = program.reap()
    hasExited = program.hasExited
    command =
      "repeat with: swift run \(URL(fileURLWithPath: words[0]).lastPathComponent) "
      + words.dropFirst().map { "'\($0)'" }.joined(separator: " ")
  }

  /// Whether it complained in one line and said nothing else.
  public var isOneLineOfComplaint: Bool {
    output.isEmpty && errors.hasSuffix("\n") && errors.filter { $0 == "\n" }.count == 1
  }
}

/// Waits for something that another thread or program does.
///
/// - Parameters:
///   - event: named if it does not come, with what has come instead.
///   - seconds: a machine with a load of ten needs them.
///   - pause: between two looks, in seconds.
public func eventually(
  _ event: @autoclosure () throws -> String, within seconds: Double = 60, pause: Double = 0.02,
  _ isSo: () throws -> Bool
) throws {
  BlockingThreads.check()
  let limit = Date(timeIntervalSinceNow: seconds)
  while try !isSo() {
    guard Date() < limit else { throw Problem("waited \(seconds) s for \(try event())") }
    if pause > 0 { Thread.sleep(forTimeInterval: pause) }
  }
}
