import TrackerCore

/// A request, as far as the services look at it.
public struct ServiceRequest: Sendable, Equatable {
  var method: String
  /// The path's parts, decoded: `["arcgis", "rest", "info"]`.
  var path: [String]
  /// From the address and, for a POST, from the form in the body; the address wins.
  var parameters: FormData
  /// What came in `X-Esri-Authorization` or `Authorization`, without the word `Bearer`.
  var bearer: String?
  /// The name and port by which the client knows this server.
  var host: String?

  /// - Parameters:
  ///   - target: path and query as they stand in the first line of the request.
  ///   - type: the `Content-Type`. Clients that give none mean a form.
  public init(
    method: String, target: [UInt8], type: String?, body: [UInt8],
    bearer: String? = nil, host: String? = nil
  ) {
    let question = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    path = target[..<question].split(separator: UInt8(ascii: "/")).map {
      String(decoding: FormData.decoded($0, plusIsSpace: false), as: UTF8.self)
    }
    parameters = FormData(target[question...].dropFirst())
    let isForm = type?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? true
    if isForm { parameters.add(body) }
    self.method = method
    self.bearer = bearer
    self.host = host
  }

  /// What it wants done with a layer: `arcgis/rest/services/NAME/KIND/LAYER/OPERATION`.
  var operation: String? {
    path.count > 6 && path.starts(with: ["arcgis", "rest", "services"]) ? path[6] : nil
  }

  var isEdit: Bool { operation == "addFeatures" || operation == "applyEdits" }
  var isQuery: Bool { operation == "query" }

  /// A parameter's text; empty is as good as absent.
  func text(_ name: String) -> String? {
    guard let text = parameters.text(name), !text.isEmpty else { return nil }
    return text
  }

  /// A parameter that is true or false.
  func flag(_ name: String, default other: Bool) throws(ArcGISError) -> Bool {
    switch text(name)?.lowercased() {
    case nil: return other
    case "true", "1": return true
    case "false", "0": return false
    default: throw .invalid(name, "It is neither true nor false.")
    }
  }

  /// A parameter that is a number of things.
  func count(_ name: String, default other: Int) throws(ArcGISError) -> Int {
    guard let text = text(name) else { return other }
    guard let number = Int(text.trimmed), number >= 0 else {
      throw .invalid(name, "It is no whole number.")
    }
    return number
  }
}
