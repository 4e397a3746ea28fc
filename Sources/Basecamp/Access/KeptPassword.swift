import Digests
import FeatureService

/// A person's password as it is kept: `scrypt$SALT$HASH`.
struct KeptPassword {
  let text: String

  init(text: String) { self.text = text }

  /// - Throws: `ServiceError` if the machine has no memory for it.
  init(_ password: String) throws(ServiceError) {
    let salt = newSecret()
    text = "scrypt$\(salt)$\(try Self.hash(password, salt))"
  }

  /// - Throws: `ServiceError` if the machine has no memory for it.
  func isMade(of password: String) throws(ServiceError) -> Bool {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "scrypt" else { return false }
    return isEqualInConstantTime(try Self.hash(password, String(parts[1])), String(parts[2]))
  }

  private static func hash(_ password: String, _ salt: String) throws(ServiceError) -> String {
    guard let hash = scrypt(password, salt: salt, cost: Bounds.passwordCost) else {
      throw ServiceError("there is no memory for a password's hash; close other programs")
    }
    return hash
  }
}
