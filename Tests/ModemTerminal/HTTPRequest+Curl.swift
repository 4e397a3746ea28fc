import Foundation
import SystemCalls
public import Uplink

extension HTTPRequest {
  /// Sends it with curl, so that what a tracker sends by "the modem's own HTTP" reaches a real
  /// server.
  public func performWithCurl() -> HTTPReply {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("modem-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sent = folder.appendingPathComponent("body")
    let head = folder.appendingPathComponent("head")
    let got = folder.appendingPathComponent("answer")
    try? Data(body).write(to: sent)

    var words = [
      "curl", "-s", "--max-time", "60", "-X", method.rawValue, "-o", got.path, "-D", head.path,
    ]
    for header in headers { words += ["-H", "\(header.name): \(header.value)"] }
    if method == .post { words += ["--data-binary", "@\(sent.path)"] }
    let curl = try? Spawn(words + [url]).start()
    let end = curl.map { reap($0, isWaiting: true) }
    let lines = (try? String(contentsOf: head, encoding: .utf8)) ?? ""
    // After those of a 100 or a redirection.
    let last = lines.split(whereSeparator: \.isNewline).last { $0.hasPrefix("HTTP/") }
    guard end == .ended(.code(0)),
      let status = last?.split(separator: " ").dropFirst().first.flatMap({ Int32($0) })
    else {
      // 52 and 56: it went out, and no answer came.
      return end == .ended(.code(52)) || end == .ended(.code(56)) ? .lost : .unreachable
    }
    let headers = lines.split(whereSeparator: \.isNewline).compactMap { line -> HTTPHeader? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return HTTPHeader(String(line[..<colon]), String(value))
    }
    return .response(
      status: status, headers: headers, body: (try? [UInt8](Data(contentsOf: got))) ?? [])
  }
}
