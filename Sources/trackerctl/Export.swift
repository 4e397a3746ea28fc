import CaptureStore
import CommandLineWords
import Glibc
import Reports

/// Captures as a file that other programs read: a stick handed over at a checkpoint is a way to the
/// organisers too.
struct Export {
  private let store: CaptureStore
  private let format: ExportFormat
  private let output: String?
  private static let pageRows: UInt32 = 1000

  init(_ options: Options) throws {
    guard let format = ExportFormat(rawValue: options.format) else {
      let all = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--format '\(options.format)': give one of \(all)")
    }
    self.format = format
    output = options.output
    store = try CaptureStore.openForReading(options.store)
    if let output, Self.isSame(output, options.store) {
      throw UsageError("\(output): is the store itself; give another --output")
    }
  }

  /// Writes the file, whole or not at all.
  ///
  /// - Returns: the exit code.
  func run() throws -> Int32 {
    let file = try OutputFile(path: output)
    try file.write(try bytes())
    try file.finish()
    return 0
  }

  private func bytes() throws -> [UInt8] {
    var captures: [ExportedCapture] = []
    var last: UInt32 = 0
    while true {
      let page = try store.page(after: last, limit: Self.pageRows)
      guard let end = page.last else { break }
      captures += page.map {
        ExportedCapture($0.capture, device: store.device, state: Self.state($0.state))
      }
      last = end.capture.sequence
    }
    return format.bytes(of: captures, creator: "trackerctl \(Help.version)")
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  private static func state(_ state: CaptureState) -> ExportedState {
    switch state {
    case .pending: .pending
    case .inFlight: .inFlight
    case .acknowledged: .acknowledged
    case .setAside: .setAside
    }
  }
}
