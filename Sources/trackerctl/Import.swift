import CaptureStore
import CommandLineSupport
import LinuxHost
import Reports
import TrackerCore
import Wording

/// Sends the captures of a file written by `export` to a server.
///
/// The whole file is read and checked before the first request. Each capture keeps its device and
/// number, and so its identifier: the server is asked which it has, and gets the others.
struct Import {
  private let store: CaptureStore
  private var server: ServerConnection

  /// - Throws: if the command line or the file is wrong.
  init(_ arguments: Arguments) throws {
    server = try ServerConnection(arguments)
    server.verb = "imported"
    let path = arguments.operands[0]
    let bytes = try InputFile.bytes(of: path, atMost: CaptureImport.largestFile)
    let captures: [ExportedCapture]
    do throws(ImportError) {
      captures = try CaptureImport.captures(in: bytes)
    } catch {
      throw UsageError(path.texts.colon(Texts(of: error)))
    }
    // Concatenated exports may have a capture twice.
    var seen: Set<UniqueID> = []
    store = try CaptureStore.holding(
      captures.filter { seen.insert($0.id).inserted }.map {
        CaptureStore.SuppliedCapture(
          $0.capture, device: $0.device, id: $0.id, placeName: $0.placeName)
      }, at: BootClock.date)
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    guard let report = try server.deliver(store) else { return 2 }
    var line = "imported \(report.pushed - report.found), \(report.found) already there"
    if report.setAside > 0 { line += ", \(report.setAside) refused by the server" }
    if report.left > 0 { line += ", \(report.left) left" }
    try printOut("\(line)\n")
    return report.left == 0 && report.setAside == 0 ? 0 : 1
  }
}
