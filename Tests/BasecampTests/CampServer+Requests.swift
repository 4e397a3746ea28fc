import Foundation
import TestSupport

// Questions to a server, as clients put them.
extension CampServer {

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
    try post("\(layer ?? OpenCamp.layer)/query", parameters)
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
