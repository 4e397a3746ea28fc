import Foundation
import HTTPTransfer
public import TrackerCore
import Uplink

// What a server says it has.
extension CampServer {
  /// How many features the layer has, by its own count.
  public func count(_ clause: String = "1=1", token: String? = nil) throws -> Int {
    let encoded = clause.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let answer = try query("where=\(encoded)&returnCountOnly=true", token)
    guard let count = answer["count"] as? Int else { throw Problem("\(answer); \(command)") }
    return count
  }

  /// The identifiers of all features, as often as they are there.
  public func identifiers(token: String? = nil) throws -> [UniqueID] {
    var found: [UniqueID] = []
    while true {
      let answer = try query(
        "where=1%3D1&outFields=UUID&returnGeometry=false&orderByFields=OBJECTID"
          + "&resultOffset=\(found.count)&resultRecordCount=2000", token)
      let features = answer["features"] as? [[String: Any]] ?? []
      found += features.compactMap {
        (($0["attributes"] as? [String: Any])?["UUID"] as? String).flatMap { UniqueID(text: $0) }
      }
      if features.isEmpty { return found }
    }
  }

  /// All that the layer says of its features, but for the row's number.
  public func features() throws -> [String] {
    let answer = try query("where=1%3D1&outFields=*&orderByFields=UUID", nil)
    return (answer["features"] as? [[String: Any]] ?? []).map { feature in
      var attributes = feature["attributes"] as? [String: Any] ?? [:]
      attributes["OBJECTID"] = nil
      let place = feature["geometry"] as? [String: Any] ?? [:]
      return attributes.merging(place) { $1 }.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
    }
  }

  public func token(user: String, password: String) throws -> String {
    let site = services.replacingOccurrences(of: "/rest/services", with: "")
    let answer = try post(
      "\(site)/tokens/generateToken",
      "username=\(user)&password=\(password)&client=requestip&f=json")
    guard let token = answer["token"] as? String else { throw Problem("\(answer); \(command)") }
    return token
  }

  /// Asks again where a fault spoils the answer.
  private func query(_ form: String, _ token: String?) throws -> [String: Any] {
    let suffix = token.map { "&token=\($0)" } ?? ""
    var last = ""
    for _ in 0..<20 {
      do {
        let answer = try post("\(layer)/query", "\(form)&f=json\(suffix)")
        if answer["error"] == nil { return answer }
        last = "\(answer)"
      } catch { last = "\(error)" }
    }
    throw Problem("no answer to a query: \(last); \(command)")
  }

  /// What the control room answers to a POST or, without a form, to a GET.
  ///
  /// - Parameter path: `/room/messages`
  public func room(_ path: String, _ form: String? = nil) throws -> [String: Any] {
    let address = services.components(separatedBy: "/arcgis")[0] + path
    if let form { return try post(address, form) }
    let text = try page(address)
    return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  /// Sends a form to an address and gives the JSON of the answer.
  public func post(_ url: String, _ form: String) throws -> [String: Any] {
    let body = try answer(
      HTTPRequest(
        method: .post, url: url,
        headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
        body: Array(form.utf8), answerBytes: 8 << 20))
    guard let answer = try? JSONSerialization.jsonObject(with: body) as? [String: Any] else {
      throw Problem(String(decoding: body, as: UTF8.self))
    }
    return answer
  }

  /// The text at an address.
  public func page(_ url: String) throws -> String {
    let request = HTTPRequest(method: .get, url: url, headers: [], answerBytes: 8 << 20)
    return String(decoding: try answer(request), as: UTF8.self)
  }

  private func answer(_ request: HTTPRequest) throws -> Data {
    var network = HTTPClientConfiguration()
    network.authoritiesFile = authorities
    let (reply, _) = try RequestSender(network).perform(request)
    guard case .response(200, _, let body) = reply else { throw Problem("\(reply)") }
    return Data(body)
  }
}
