import CommandLineSupport
import Simulation
import Traces

/// The files of one recording, read one after the other.
struct RecordingFiles: RecordingSource, ~Copyable {
  /// In the order of their parts.
  private let paths: [String]
  private var reader = RecordingReader(.strict)
  private var file: TraceFile?
  private var opened = 0
  private var bytes: [UInt8] = []
  private var position = 0
  /// The item that was read together with the header.
  private var first: Recorded?
  /// Why a file could not be read; this ends the recording.
  private(set) var trouble: TraceError?

  /// The file being read.
  var path: String { paths[max(0, opened - 1)] }

  init(_ paths: [String]) { self.paths = paths }

  /// Reads the header; `nil` if the first file cannot be read (see `trouble`).
  mutating func beginning() throws(RecordingError) -> RecordingHeader? {
    first = try next()
    return reader.beginning
  }

  mutating func next() throws(RecordingError) -> Recorded? {
    if let first {
      self.first = nil
      return first
    }
    while true {
      if let recorded = try reader.next(in: bytes, from: &position) { return recorded }
      do throws(TraceError) {
        if try read() { continue }
      } catch {
        trouble = error
        return nil
      }
      if opened > 0 { try reader.endPart() }
      guard opened < paths.count, open() else { return nil }
    }
  }

  /// Opens the next file.
  private mutating func open() -> Bool {
    do throws(TraceError) {
      file = try TraceFile(path: paths[opened])
      opened += 1
      return true
    } catch {
      trouble = error
      return false
    }
  }

  /// Reads the next bytes of the open file; `false` at its end.
  private mutating func read() throws(TraceError) -> Bool {
    guard file != nil else { return false }
    bytes = try file?.read(upTo: 65_536) ?? []
    position = 0
    if bytes.isEmpty { file = nil }
    return !bytes.isEmpty
  }

  /// Groups files by recording, with each recording's parts in order.
  static func recordings(in paths: [String]) throws -> [[String]] {
    if paths.count < 2 { return [paths] }
    var labelled: [(label: RecordingLabel, path: String)] = []
    for path in paths { labelled.append((try label(of: path), path)) }
    var order: [UInt64] = []
    for (label, _) in labelled where !order.contains(label.recording) {
      order.append(label.recording)
    }
    return try order.map { recording in
      let parts = labelled.filter { $0.label.recording == recording }
        .sorted { $0.label.part < $1.label.part }
      for (one, next) in zip(parts, parts.dropFirst()) where one.label.part == next.label.part {
        throw UsageError(
          "\(one.path) and \(next.path) are both part \(one.label.part) of the same recording; "
            + "give one of them")
      }
      return parts.map(\.path)
    }
  }

  private static func label(of path: String) throws -> RecordingLabel {
    var files = RecordingFiles([path])
    files.reader = RecordingReader(.lenient)
    var ending: RecordingError?
    do throws(RecordingError) {
      while files.reader.label == nil, try files.next() != nil {}
    } catch {
      ending = error
    }
    if let label = files.reader.label { return label }
    if let trouble = files.trouble { throw trouble }
    throw ReplayProblem(
      path: path, error: ending ?? RecordingError(problem: .notARecording))
  }
}

/// A recording that cannot be replayed, in one line.
struct ReplayProblem: Error, CustomStringConvertible {
  var path: String
  var error: RecordingError

  var description: String { "\(path) \(error.message)" }
}
