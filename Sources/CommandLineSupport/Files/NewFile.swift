import Glibc
public import SystemCalls

/// Writes a text to a file that does not exist yet, so that nothing is overwritten. It is on the
/// disk when this returns: a stick may be pulled out then.
///
/// - Throws: EEXIST, and what else prevents it; then there is no such file.
public func writeNewFile(_ text: String, to path: String) throws(SystemError) {
  let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
  do throws(SystemError) {
    try write(Array(text.utf8), to: file)
  } catch {
    // Half of it would be taken for the whole.
    unlink(path)
    throw error
  }
}

private func write(_ bytes: [UInt8], to file: consuming Descriptor) throws(SystemError) {
  try file.writeAll(bytes)
  do throws(SystemError) { try file.synchronise() } catch {
    // A pipe or a terminal has nothing to flush.
    if error.code != EINVAL { throw error }
  }
  try file.closeChecked()
}
