import CaptureStore
import CommandLineWords
import Reports

/// Captures as a file that other programs read: a stick handed over at a checkpoint is a way to the
/// organisers too.
struct Export {
  private let store: CaptureStore
  private let format: ExportFormat
  private static let pageRows: UInt32 = 1000

  init(_ options: Options) throws {
    guard let format = ExportFormat(rawValue: options.format) else {
      let all = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--format '\(options.format)': give one of \(all)")
    }
    self.format = format
    store = try CaptureStore.openForReading(options.store)
  }

  /// The whole file.
  func bytes() throws -> [UInt8] {
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

  private static func state(_ state: CaptureState) -> ExportedState {
    switch state {
    case .pending: .pending
    case .inFlight: .inFlight
    case .acknowledged: .acknowledged
    case .setAside: .setAside
    }
  }
}
