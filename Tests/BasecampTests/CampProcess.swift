import Foundation
import TestSupport

/// A running basecamp, and questions to it.
final class CampProcess {
  private let server: CampServer
  var process: Process { server.process }
  var services: String { server.services }
  var port: UInt16 { server.port }
  var command: String { server.command }

  init(_ folder: ScratchFolder, _ arguments: [String] = []) throws {
    server = try CampServer(folder, arguments)
  }

  /// Ends the program by a signal, and gives its exit code.
  @discardableResult func end(_ signal: Int32 = SIGTERM) -> Int32 { server.end(signal) }

  var layer: String { "/arcgis/rest/services/TrailWalker/FeatureServer/0" }

  // MARK: Requests

  /// Sends a form to a path and gives the answer's JSON.
  func post(_ path: String, _ form: [String: String]) throws -> [String: Any] {
    let client = try WireClient(port: port)
    return try json(client.request("POST", path, form: ["f": "json"].merging(form) { $1 }))
  }

  func get(_ path: String, _ parameters: [String: String] = [:]) throws -> [String: Any] {
    let query = WireClient.encoded(["f": "json"].merging(parameters) { $1 })
    return try json(try WireClient(port: port).request("GET", "\(path)?\(query)"))
  }

  func query(_ parameters: [String: String], layer: String? = nil) throws -> [String: Any] {
    try post("\(layer ?? self.layer)/query", parameters)
  }

  func count(_ clause: String = "1=1") throws -> Int {
    let answer = try query(["where": clause, "returnCountOnly": "true"])
    guard let count = answer["count"] as? Int else { throw Problem("\(answer); \(command)") }
    return count
  }

  private func json(_ answer: WireClient.Answer) throws -> [String: Any] {
    guard let object = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any] else {
      throw Problem("\(answer.status) \(answer.text.prefix(300)); \(command)")
    }
    return object
  }
}

/// The error's code of an answer; 0 without one.
func errorCode(_ answer: [String: Any]) -> Int {
  (answer["error"] as? [String: Any])?["code"] as? Int ?? 0
}

/// Whether each added feature was taken, and the code of its refusal.
func addResults(_ answer: [String: Any]) -> [(isDone: Bool, code: Int)] {
  (answer["addResults"] as? [[String: Any]] ?? []).map {
    ($0["success"] as? Bool ?? false, errorCode($0))
  }
}

/// Whether there are so many results, and each says that it was done.
func areDone(_ results: [(isDone: Bool, code: Int)], _ count: Int) -> Bool {
  results.count == count && results.allSatisfy { $0.isDone }
}

func attributes(_ answer: [String: Any]) -> [[String: Any]] {
  (answer["features"] as? [[String: Any]] ?? []).compactMap {
    ($0["attributes"] ?? $0["properties"]) as? [String: Any]
  }
}
