import Foundation

/// A certificate authority made for one test run by the openssl command.
public final class TestAuthority {
  public static let isPossible = Tool.url("openssl") != nil

  public let folder: URL

  public init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("trailtracker-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=TestCA"
        + " -keyout ca.key -out ca.pem")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  public var certificate: String { folder.appendingPathComponent("ca.pem").path }

  /// Where a file of a certificate lies: `name.crt` and `name.key`.
  public func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Makes `name.crt` and `name.key`, certificate and key, for a host.
  ///
  /// - Parameter days: the days from now at which it ends; a negative one has expired.
  public func issue(_ name: String, host: String, days: Int = 1) throws {
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
    process.executableURL = Tool.url("openssl")
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Problem("openssl \(arguments) failed") }
  }
}
