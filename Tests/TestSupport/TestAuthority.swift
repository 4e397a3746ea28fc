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
    try write("", "issued")
    try write(
      """
      [ca]
      default_ca = here
      [here]
      database = issued
      new_certs_dir = .
      certificate = ca.pem
      private_key = ca.key
      rand_serial = yes
      unique_subject = no
      default_md = sha256
      policy = any
      [any]
      commonName = supplied

      """, "ca.cnf")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  public var certificate: String { folder.appendingPathComponent("ca.pem").path }

  /// Where a file of a certificate lies: `name.crt` and `name.key`.
  public func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Makes `name.crt` and `name.key`, certificate and key, for a host.
  ///
  /// - Parameter hasExpired: it was good on one day of the past.
  public func issue(_ name: String, host: String, hasExpired: Bool = false) throws {
    try write("subjectAltName=\(host)\nbasicConstraints=CA:FALSE\n", "\(name).ext")
    try openssl(
      "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name)"
        + " -keyout \(name).key -out \(name).csr")
    // openssl ca, since x509 knows no dates before OpenSSL 3.4, and takes no negative days in 3.5.
    let time = hasExpired ? "-startdate 20200101000000Z -enddate 20200102000000Z" : "-days 1"
    try openssl(
      "ca -batch -notext -config ca.cnf -in \(name).csr -extfile \(name).ext \(time)"
        + " -out \(name).crt")
  }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  private func openssl(_ arguments: String) throws {
    let words = ["openssl"] + arguments.split(separator: " ").map(String.init)
    let run = try ProgramResult(running: words, folder: folder)
    guard run.code == 0 else { throw Problem("openssl \(arguments): \(run.errors)") }
  }
}
