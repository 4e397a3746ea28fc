import CommandLineSupport
import FieldConsole
import Glibc
import SystemCalls

/// What a console writes to files, for each of its doors.
enum FileDoor {
  /// Where a console writes that runs as root, as under agetty: nobody has logged in at the line.
  static let folder = "/var/lib/trailtracker/reports"

  /// - Parameter isConfined: whether only names in `folder` are good.
  static func save(
    _ page: Page, as name: String, _ console: Console<LinuxBackend>, isConfined: Bool = false
  ) -> Answer {
    var path = name
    if isConfined {
      guard !name.contains("/"), !name.hasPrefix(".") else {
        return console.notSaved(name, "only a name, as in report tonight.txt", exists: false)
      }
      mkdir(folder, 0o750)
      path = folder + "/" + name
    }
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
