import BoardSupport
import CommandLineSupport
import Glibc
import LinuxHost

/// Runs the daemon, and turns errors into one line and an exit code.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    guardSecrets()
    do {
      let options = try Options(words)
      if options.wantsHelp { return say(Help.text) }
      if options.wantsSettings { return say(BoardSupport.Settings.reference) }
      if options.wantsVersion { return say("trackerd \(version)\n") }
      IANAZone.prepare()
      let settings = try Settings(options)
      if options.checksOnly {
        try settings.core.checkFinish(at: BootClock.date, path: options.config)
        let contacts = ContactText.text(of: settings.core.configuration)
        let finish = FinishText.text(of: settings.core.configuration)
        return say("the settings can be used\ncontacts: \(contacts)\nfinish: \(finish)\n")
      }
      return try Daemon.run(settings, options)
    } catch {
      complain("\(error)", program: "trackerd")
      return 2
    }
  }

  private static func say(_ text: String) -> Int32 { answer(text, program: "trackerd") }
}
