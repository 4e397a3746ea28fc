import CommandLineSupport
import FieldConsole
import Glibc
import SystemCalls

/// What a console writes to files, for each of its doors.
enum FileDoor {
  static func save(
    _ page: Page, as path: String, _ console: Console<LinuxBackend>
  ) -> Answer {
    let text = page.text(width: .max)
    do throws(SystemError) {
      try writeNewFile(text, to: path)
      return console.saved(path, bytes: text.utf8.count)
    } catch {
      return console.notSaved(path, error.reason, exists: error.code == EEXIST)
    }
  }

  static func exportToStick(_ console: inout Console<LinuxBackend>) -> Answer {
    do {
      return try StickExport().export(&console)
    } catch {
      return console.notExported("\(error)")
    }
  }
}
