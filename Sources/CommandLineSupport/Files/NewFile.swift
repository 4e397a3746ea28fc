public import SystemCalls

/// Writes a text to a file that does not exist yet, so that nothing is overwritten. It is on the
/// disk when this returns: a stick may be pulled out then.
///
/// - Throws: EEXIST, and what else prevents it; then there is no such file.
public func writeNewFile(_ text: String, to path: String) throws(SystemError) {
  try writeDurably(Array(text.utf8), to: path, mode: 0o640)
}
