import BoardSupport
import CommandLineSupport
import LinuxHost

/// `trackerd link`: root's helper, which runs the link's commands for a daemon without privileges.
enum LinkProgram {
  static func run(_ words: [String]) throws -> Int32 {
    var reader = ArgumentReader(words)
    var (config, user, memory) = ("", "", "")
    while let word = reader.next() {
      switch word {
      case "--config": config = try reader.value("a JSON5 file")
      case "--user": user = try reader.value("the daemon's user")
      case "--memory": memory = try reader.value("a file")
      default: throw UsageError("unknown option '\(word)'; see trackerd --help")
      }
    }
    for (name, value) in [("--config", config), ("--user", user), ("--memory", memory)] {
      guard !value.isEmpty else {
        throw UsageError("no \(name); give it, as trackerd-link.service does")
      }
    }
    LinkProcesses.keepInheritedDescriptors()
    try LinkHelper.run(for: user, memory: memory) {
      let network = try DaemonSettings(FileNode.load(path: RootsFile.check(config))).network
      var commands = BearerControl.Commands()
      commands.up = network.up
      commands.down = network.down
      return commands
    }
    return 0
  }
}
