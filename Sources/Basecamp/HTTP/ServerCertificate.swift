internal import CMicroHTTP
import FeatureService
import Wording

/// The server's identity for TLS: its certificate chain (PEM, its own first) and the matching
/// private key.
public struct ServerCertificate: Sendable {
  /// Terminated by a zero, for C.
  let chain: [CChar]
  let key: [CChar]

  /// Reads both files and verifies that they match.
  ///
  /// - Throws: `ServiceError` with the file's path.
  public init(file: String, keyFile: String) throws(ServiceError) {
    chain = try Self.text(
      readFile(file, atMost: Bounds.certificateBytes), file, having: ["BEGIN CERTIFICATE"],
      "certificate")
    key = try Self.text(
      readSecretFile(keyFile, atMost: Bounds.certificateBytes), keyFile,
      having: ["BEGIN PRIVATE KEY", "BEGIN EC PRIVATE KEY", "BEGIN RSA PRIVATE KEY"],
      "private key without a password")
    guard cmicrohttp_takes(chain, key) != 0 else {
      throw ServiceError(
        "\(keyFile): is not the key of the certificate in \(file), or one of them is damaged; "
          + "use two that belong together")
    }
  }

  private static func text(
    _ bytes: [UInt8], _ path: String, having marks: [String], _ kind: String
  ) throws(ServiceError) -> [CChar] {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !bytes.contains(0), marks.contains(where: { text.has("-----\($0)-----") }) else {
      throw ServiceError("\(path): has no \(kind) in PEM form; use a file that has one")
    }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }
}
