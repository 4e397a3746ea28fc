import Foundation

/// A request that a modem was told to send.
public struct WebRequest: Sendable, Equatable {
  public var method: String
  public var url: String
  public var headers: [String]
  public var body: [UInt8]

  public init(method: String, url: String, headers: [String] = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What came of it.
public enum WebAnswer: Sendable, Equatable {
  case answer(status: Int, headers: [String], body: [UInt8])
  /// Nothing; the code that the modem reports (`714`: no connection).
  case failed(code: Int)
}

extension WebRequest {
  /// Sends it with curl, so that what a tracker sends by "the modem's own HTTP" reaches a real
  /// server.
  public func performWithCurl() -> WebAnswer {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("modem-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sent = folder.appendingPathComponent("body")
    let head = folder.appendingPathComponent("head")
    let got = folder.appendingPathComponent("answer")
    try? Data(body).write(to: sent)

    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    var words = [
      "curl", "-s", "--max-time", "60", "-X", method, "-o", got.path, "-D", head.path, "-w",
      "%{http_code}",
    ]
    for header in headers { words += ["-H", header] }
    if method == "POST" { words += ["--data-binary", "@\(sent.path)"] }
    process.arguments = words + [url]
    let pipe = Pipe()
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { return .failed(code: 714) }
    let printed = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0, let status = Int(String(decoding: printed, as: UTF8.self))
    else {
      // 52 and 56: it went out, and no answer came.
      return .failed(code: [52, 56].contains(process.terminationStatus) ? 704 : 714)
    }
    let lines = (try? String(contentsOf: head, encoding: .utf8)) ?? ""
    return .answer(
      status: status, headers: lines.split(whereSeparator: \.isNewline).map(String.init),
      body: (try? [UInt8](Data(contentsOf: got))) ?? [])
  }
}
