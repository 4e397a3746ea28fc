import Foundation
import TestSupport
import Testing

/// A web server over TLS with one of an authority's certificates.
final class TLSServer {
  let port: UInt16
  private let program: RunningProgram

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
    program = try RunningProgram(
      ["python3", "-c", script], folder: authority.folder, output: .pipe)
    let line = try program.line()
    port = try #require(UInt16(line.dropLast()), "the server said: \(line)")
  }
}
