import FieldConsole
import Glibc
import SystemCalls

/// Writes a report to a file that does not exist yet, so that nothing is overwritten.
enum NewFile {
  static func save(
    _ text: String, as path: String, _ console: Console<LinuxBackend>
  ) -> Answer {
    let file: Descriptor
    do throws(SystemError) {
      file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
    } catch {
      return console.notSaved(path, error.reason, exists: error.code == EEXIST)
    }
    do throws(SystemError) {
      try write(Array(text.utf8), to: file)
      return console.saved(path, bytes: text.utf8.count)
    } catch {
      // Half a report would be taken for a whole one.
      unlink(path)
      return console.notSaved(path, error.reason, exists: false)
    }
  }

  /// On the disk when it returns: a stick may be pulled out as soon as it is said.
  private static func write(
    _ bytes: [UInt8], to file: consuming Descriptor
  ) throws(SystemError) {
    try file.writeAll(bytes)
    do throws(SystemError) { try file.synchronise() } catch {
      // A pipe or a terminal has nothing to flush.
      if error.code != EINVAL { throw error }
    }
    try file.closeChecked()
  }
}
