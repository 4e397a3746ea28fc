internal import CSQLite

/// Compiled statements of one connection that wait for their next use, by their texts.
final class KeptStatements {
  private var idle: [String: OpaquePointer] = [:]
  private var isClosed = false

  func take(_ text: String) -> OpaquePointer? { idle.removeValue(forKey: text) }

  /// Takes a statement back. A second one of the same text, used within the first one's use, is not
  /// needed.
  func put(_ statement: OpaquePointer, _ text: String) {
    sqlite3_reset(statement)
    guard !isClosed, idle[text] == nil else {
      sqlite3_finalize(statement)
      return
    }
    sqlite3_clear_bindings(statement)
    idle[text] = statement
  }

  /// Before the connection is closed. Statements in use are finalized when they come back.
  func close() {
    isClosed = true
    for statement in idle.values { sqlite3_finalize(statement) }
    idle = [:]
  }
}
