import Foundation
import Testing

/// A certificate authority made for one test run by the openssl command, and servers with its
/// certificates.
final class TestAuthority {
  static let isPossible = tool("openssl") != nil && tool("python3") != nil
  static let needed: Comment = "needs openssl and python3; install them with .ci/setup"

  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("trailtracker-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=TestCA"
        + " -keyout ca.key -out ca.pem")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var certificate: String { folder.appendingPathComponent("ca.pem").path }

  /// Makes `name.pem`, key and certificate, for a host.
  ///
  /// - Parameter validity: the days from now at which it ends; a negative one has expired.
  func issue(_ name: String, host: String, days: Int = 1) throws {
    let extensions = "subjectAltName=\(host)\nbasicConstraints=CA:FALSE\n"
    try extensions.write(
      to: folder.appendingPathComponent("\(name).ext"), atomically: true, encoding: .utf8)
    try openssl(
      "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name)"
        + " -keyout \(name).key -out \(name).csr")
    try openssl(
      "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days \(days)"
        + " -extfile \(name).ext -out \(name).crt")
  }

  private func openssl(_ arguments: String) throws {
    let process = Process()
    process.executableURL = tool("openssl")
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(arguments)")
  }
}

/// A web server over TLS with one of an authority's certificates.
final class TLSServer {
  let port: UInt16
  private let process = Process()

  /// - Parameter newest: the newest version of TLS that it speaks, in Python's words.
  init(_ authority: TestAuthority, _ name: String, newest: String = "TLSv1_3") throws {
    let script = """
      import http.server, os, ssl, warnings
      warnings.simplefilter("ignore")
      class Page(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def do_POST(self):
          body = self.rfile.read(int(self.headers["Content-Length"]))
          self.send_response(200)
          self.send_header("Content-Length", str(len(body)))
          self.end_headers()
          self.wfile.write(body)
        def log_message(self, *words): pass
      class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, *words): pass
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
      context.maximum_version = ssl.TLSVersion.\(newest)
      context.set_ciphers("ALL:@SECLEVEL=0")
      context.load_cert_chain("\(name).crt", "\(name).key")
      server = Server(("127.0.0.1", 0), Page)
      server.socket = context.wrap_socket(server.socket, server_side=True)
      os.write(1, b"%d\\n" % server.server_address[1])
      server.serve_forever()
      """
    let output = Pipe()
    process.executableURL = tool("python3")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = authority.folder
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(UInt16(line.dropLast()), "the server said: \(line)")
  }

  deinit {
    // A child of a dispatch thread inherits its signal mask, which holds SIGTERM back.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

/// Where a program lies, if it is there.
func tool(_ name: String) -> URL? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(name)") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}
