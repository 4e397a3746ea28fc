internal import CMicroHTTP
import FeatureService
import Glibc

/// Who the server is to clients that come by TLS: its certificates (PEM, its own first) and the
/// private key that belongs to it.
public struct ServerCertificate: Sendable {
  /// With a zero at the end, as C reads them.
  let chain: [CChar]
  let key: [CChar]

  /// Reads both files and tries them.
  ///
  /// - Throws: `ServiceError` that names the file.
  public init(file: String, keyFile: String) throws(ServiceError) {
    chain = try Self.text(of: file, having: ["BEGIN CERTIFICATE"], "certificate")
    key = try Self.text(
      of: keyFile, having: ["BEGIN PRIVATE KEY", "BEGIN EC PRIVATE KEY", "BEGIN RSA PRIVATE KEY"],
      "private key without a password")
    var status = stat()
    guard stat(keyFile, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw ServiceError("\(keyFile): others can read it; protect it: chmod 600 \(keyFile)")
    }
    guard cmicrohttp_takes(chain, key) != 0 else {
      throw ServiceError(
        "\(keyFile): is not the key of the certificate in \(file), or one of them is damaged; "
          + "give two that belong together")
    }
  }

  private static func text(
    of path: String, having marks: [String], _ kind: String
  ) throws(ServiceError) -> [CChar] {
    let bytes = try readFile(path, atMost: Bounds.certificateBytes)
    let text = String(decoding: bytes, as: UTF8.self)
    guard !bytes.contains(0), marks.contains(where: { text.contains("-----\($0)-----") }) else {
      throw ServiceError("\(path): has no \(kind) in PEM form; give a file that has")
    }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }
}
