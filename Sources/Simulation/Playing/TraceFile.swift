import SystemCalls
import Traces

/// A trace, opened for sequential reading.
public struct TraceFile: ~Copyable {
  public let path: String
  /// The size of a regular file; `nil` for a pipe or a terminal.
  let totalBytes: Int64?
  public private(set) var bytesRead: Int64 = 0
  /// `nil`: standard input, or a trace in memory.
  private let file: Descriptor?
  private let number: Int32
  /// The rest of a trace in memory; `nil` for a file.
  private var memory: ArraySlice<UInt8>?
  /// Makes the next piece of a trace in memory; `nil` at its end.
  private let make: (() -> [UInt8]?)?

  /// A trace in memory.
  init(_ bytes: [UInt8]) {
    path = "-"
    totalBytes = Int64(bytes.count)
    file = nil
    number = -1
    memory = bytes[...]
    make = nil
  }

  /// A trace that is made piece by piece.
  init(path: String, _ make: @escaping () -> [UInt8]?) {
    self.path = path
    totalBytes = nil
    file = nil
    number = -1
    memory = []
    self.make = make
  }

  /// Opens a file; `-` is standard input.
  public init(path: String) throws(TraceError) {
    do throws(SystemError) {
      if path == "-" {
        let size = try Self.size(of: StandardStream.input)
        self.init(path: path, nil, StandardStream.input, size: size)
      } else {
        let file = try Descriptor(opening: path, .read)
        let number = file.number
        let size = try Self.size(of: number)
        self.init(path: path, file, number, size: size)
      }
    } catch {
      throw .system(error.code, path: path)
    }
  }

  /// - Returns: `nil` unless it is a regular file.
  private static func size(of number: Int32) throws(SystemError) -> Int64? {
    let status = try FileStatus(number: number)
    guard status.kind != .folder else { throw SystemError(code: Errno.isFolder) }
    return status.kind == .file ? status.size : nil
  }

  // Apart as long as Swift 6.2 has to compile this: it destroys twice what has a value before an
  // error is thrown.
  private init(path: String, _ file: consuming Descriptor?, _ number: Int32, size: Int64?) {
    self.path = path
    self.file = file
    self.number = number
    totalBytes = size
    make = nil
  }

  /// Reads up to `buffer.count` bytes; 0 at the end.
  public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    if memory?.isEmpty == true, let next = make?() { memory = next[...] }
    if let rest = memory {
      let part = rest.prefix(buffer.count)
      buffer.copyBytes(from: part)
      memory = rest.dropFirst(part.count)
      bytesRead += Int64(part.count)
      return part.count
    }
    let count: Int
    do throws(SystemError) {
      count = try Descriptor.read(number, into: buffer)
    } catch {
      throw .system(error.code, path: path)
    }
    bytesRead += Int64(count)
    return count
  }

  /// Reads up to `limit` bytes; none at the end.
  public mutating func read(upTo limit: Int) throws(TraceError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 1)
    defer { buffer.deallocate() }
    return Array(buffer[..<(try read(into: buffer))])
  }
}

/// Why a trace cannot be played.
public struct TraceError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Reason: Equatable, Sendable {
    case missing
    case isDirectory
    case notPermitted
    case empty
    /// It contains no NMEA sentence.
    case noSentence
    /// Most of it is something else, such as a text about NMEA.
    case hardlyAnySentence(sentences: Int, lines: Int)
    /// It is a recording that cannot be read.
    case recording(RecordingError)
    /// It is GPX that cannot be played: the mistake and what to do.
    case gpx(String)
    /// A system call failed for another reason, with this `errno`.
    case failed(Int32)
  }

  /// The file as given; `-` is standard input.
  var path: String
  public var reason: Reason

  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// One line: what, where, and what to do.
  public var message: String {
    let name = path == "-" ? "standard input" : path
    return switch reason {
    case .missing: "\(name): no such file; check the path"
    case .isDirectory: "\(name): is a directory; use a file in it"
    case .notPermitted: "\(name): permission denied; allow reading with: chmod +r"
    case .empty: "\(name): is empty; use a log of NMEA 0183 sentences"
    case .noSentence:
      "\(name): contains no NMEA sentence; use a receiver's log, with lines such as $GPRMC,…*hh, "
        + "or a GPX file"
    case .hardlyAnySentence(let sentences, let lines):
      "\(name): only \(sentences) of its \(lines) lines contain an NMEA sentence; "
        + "use a receiver's log, with lines such as $GPRMC,…*hh"
    case .recording(let error): "\(name) \(error.message)"
    case .gpx(let problem): "\(name): \(problem)"
    case .failed(let code):
      "\(name): cannot be read: \(SystemCalls.reason(of: code)); check the file and its disk"
    }
  }

  public var description: String { message }

  static func system(_ code: Int32, path: String) -> TraceError {
    let reason: Reason =
      switch code {
      case Errno.noSuchFile, Errno.notFolder: .missing
      case Errno.isFolder: .isDirectory
      case Errno.accessDenied, Errno.notPermitted: .notPermitted
      default: .failed(code)
      }
    return TraceError(path: path, reason: reason)
  }
}
