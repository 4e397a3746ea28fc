/// Runs the commands that open and close the link: this process itself, or a helper of root's.
public protocol LinkRunner: AnyObject {
  /// Readable when `tend` may have something to do; `nil`: SIGCHLD tells.
  var descriptor: Int32? { get }
  /// Whether the link is not being opened yet, because it is still being closed.
  var isWaiting: Bool { get }
  /// Opens the link.
  func open(_ words: [String])
  /// Closes the link.
  func close(_ words: [String])
  /// Does what is due, and returns the reports since the last call, in order.
  func tend() -> [LinkReport]
  /// The longest wait before the next `tend`; `nil`: none is due.
  var timeoutMilliseconds: Int64? { get }
  /// Remembers in a file what is running, and closes what an earlier process has left open.
  ///
  /// - Parameters:
  ///   - path: the file; it exists while the link is open.
  ///   - down: the command that closes the link.
  /// - Returns: whether something was left open that can be closed.
  func remember(in path: String, down: [String]) -> Bool
  /// Ends everything that is still running, before the process ends. It blocks for some seconds at
  /// most.
  func finish()
}
