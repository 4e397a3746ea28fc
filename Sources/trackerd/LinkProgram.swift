import BoardSupport
import CommandLineSupport
import LinuxHost

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
