import Foundation
import LinuxHost
import TestSupport
import TrackerCore
import Uplink

/// The real basecamp, listening on a port of its own until the test is over.
final class Camp {
  let port: UInt16
  private let process = Process()
  private let client: RequestSender

  /// - Parameters:
  ///   - wrapper: the words before the program's own name: another program that starts it.
  ///   - address: where it listens.
  init(
    folder: URL, _ arguments: [String] = [], wrapper: [String] = [], address: String = "127.0.0.1"
  ) throws {
    client = try RequestSender(HTTPClientConfiguration())
    let output = Pipe()
    let words =
      wrapper + [Built.program("basecamp").path, "--listen", "\(address):0"]
      + ["--database", folder.appendingPathComponent("camp").path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    // basecamp: http://127.0.0.1:40123/arcgis/rest/services
    let place = line.split(separator: "/").first { $0.hasPrefix("\(address):") }
    guard let text = place?.split(separator: ":").last, let port = UInt16(text) else {
      throw Problem("basecamp said '\(line)'")
    }
    self.port = port
  }

  deinit { stop() }

  func stop() {
    guard process.isRunning else { return }
    signal(SIGKILL)
    process.waitUntilExit()
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// The identifiers of all features, as often as they are there.
  func identifiers() throws -> [UniqueID] {
    var found: [UniqueID] = []
    while true {
      let request = HTTPRequest(
        method: .get,
        url: "http://127.0.0.1:\(port)/arcgis/rest/services/TrailWalker/FeatureServer/0/query"
          + "?where=1%3D1&outFields=UUID&returnGeometry=false&orderByFields=OBJECTID"
          + "&resultOffset=\(found.count)&resultRecordCount=2000&f=json", headers: [],
        answerBytes: 8 << 20)
      guard case .response(200, _, let body) = client.perform(request).reply,
        let answer = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
        let features = answer["features"] as? [[String: Any]]
      else { throw Problem("basecamp does not answer a query") }
      if features.isEmpty { return found }
      found += features.compactMap {
        (($0["attributes"] as? [String: Any])?["UUID"] as? String).flatMap { UniqueID(text: $0) }
      }
    }
  }
}
