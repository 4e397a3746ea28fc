import BoardSupport
import CommandLineSupport
import FieldConsole
import LinuxHost
import MachineAccess
import Wording

/// Runs the daemon.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    // The dynamic linker has touched every library.
    MemoryTrim.run()
    guardSecrets()
    return CommandLineSupport.run(table, words) { arguments in
      if arguments.command.name == "link" { return try LinkProgram.run(arguments) }
      if arguments.command.name == "clock" {
        try ClockHelper.run()
        return 0
      }
      if arguments.command.name == "halt" {
        try HaltHelper.run(for: arguments.text(.helped) ?? "")
        return 0
      }
      if arguments.has(.settings) { return try say(BoardSupport.Settings.reference) }
      let options = Options(arguments: arguments)
      IANAZone.prepare()
      let settings = try Settings(options)
      if arguments.has(.check) {
        try settings.core.checkFinish(at: BootClock.date, path: options.config)
        if let problem = settings.courseProblem { throw problem }
        let contacts = ContactText.text(of: settings.core.configuration)
        let finish = FinishText.text(of: settings.core.configuration)
        var text = "the settings can be used\ncontacts: \(contacts)\nfinish: \(finish)\n"
        if let course = settings.course { text += "course: \(course.summary)\n" }
        for doubt in settings.course?.doubts ?? [] { text += "warning: course: \(doubt)\n" }
        for warning in settings.board.assembly.warnings { text += "warning: \(warning)\n" }
        let language = Language.chosen(nil, configured: settings.core.language)
        for warning in settings.core.warnings(on: settings.board, path: options.config) {
          text += "\(warning[language])\n"
        }
        if let advice = settings.modemManagerAdvice(options) {
          text += """
            warning: \(advice.program) also uses modems; for \(advice.port), write this
              \(advice.rule)
            to \(ModemManagerAdvice.file), then
              \(ModemManagerAdvice.sequel)

            """
        }
        return try say(text)
      }
      return try Daemon.run(settings, options)
    }
  }
}

/// `trackerd link`: root's helper, which runs the link's commands for a daemon without privileges.
enum LinkProgram {
  static func run(_ arguments: Arguments) throws -> Int32 {
    let config = arguments.text(.config) ?? ""
    LinkProcesses.keepInheritedDescriptors()
    try LinkHelper.run(for: arguments.text(.helped) ?? "", memory: arguments.text(.memory) ?? "") {
      let network = try DaemonSettings(FileNode.load(path: RootsFile.check(config))).network
      var commands = BearerControl.Commands()
      commands.up = network.up
      commands.down = network.down
      return commands
    }
    return 0
  }
}
