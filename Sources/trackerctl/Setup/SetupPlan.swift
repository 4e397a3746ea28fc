import BoardSupport
import CommandLineSupport
import FirstSetup
import Glibc
import LinuxHost
import SystemCalls
import TrackerCore
import Wording

/// All that has to change in the system, and what cannot be changed.
struct SetupPlan {
  /// In the order in which they are written: the configuration last, because trackerd only runs
  /// with one.
  private(set) var files: [FileChange] = []
  /// Links to make: the technician's console starts with the system.
  private(set) var links: [(path: String, target: String)] = []
  /// What people should know.
  private(set) var notes: [Texts] = []
  /// Serial ports whose login has to end, and where the technician's console begins.
  private(set) var freed: [String] = []
  private(set) var console: String?
  private(set) var needsReboot = false
  private(set) var changesRules = false

  var isEmpty: Bool { files.isEmpty && links.isEmpty }

  private static let primary = ["serial0", "ttyAMA0", "ttyS0"]

  init(_ draft: SetupDraft) throws {
    guard let board = draft.board else { return }
    let root = draft.root
    if let secrets = try draft.secretsChange() {
      add(secrets)
      if root.tracker == nil { notes.append(SetupPhrase.noUser.texts(draft.secretsPath)) }
    }
    let environment = draft.oldEnvironment ?? EnvironmentText.template
    guard let new = EnvironmentText.setting("BOARD", to: draft.boardName, in: environment) else {
      throw UsageError(SetupPhrase.oneLine.texts(draft.boardName))
    }
    add(
      FileChange(
        name: SetupDraft.environment, old: draft.oldEnvironment.map { Array($0.utf8) },
        new: Array(new.utf8)))
    try planModemManager(draft, board)
    try planConsole(board, root)
    try planPorts(draft, board)
    add(try draft.configurationChange())
  }

  private mutating func add(_ change: FileChange) {
    if change.isNeeded { files.append(change) }
  }

  private mutating func add(_ name: String, _ old: String?, _ new: String) {
    add(FileChange(name: name, old: old.map { Array($0.utf8) }, new: Array(new.utf8)))
  }

  /// The package's own rule is for SIMCom's modems; others get one here.
  private mutating func planModemManager(_ draft: SetupDraft, _ board: BoardDescription) throws {
    let usesModem = draft.bearer != "none" || board.board.receiver.dialect == .modemGPS
    let top = draft.root.isLive ? "/" : draft.root.folder
    guard usesModem, let address = try? LineAddress(draft.modemPort),
      let advice = ModemManagerAdvice(address, below: top)
    else { return }
    let old = try draft.root.text(of: ModemManagerAdvice.file)
    add(ModemManagerAdvice.file, old, LineList.adding(advice.rule, to: old ?? ""))
    changesRules = files.last?.name == ModemManagerAdvice.file
  }

  private mutating func planConsole(_ board: BoardDescription, _ root: SystemRoot) throws {
    guard let device = board.consolePort?.device, let port = Self.port(device, on: board, root),
      port.hasPrefix("tty")
    else { return }
    let name = SerialConsole.file(port: port)
    let old = try root.text(of: name)
    add(name, old, SerialConsole.text)
    let link = SerialConsole.link(port: port)
    if destination(ofLink: root.path(link.path)) == nil { links.append(link) }
    if files.last?.name == name || links.last?.path == link.path { console = port }
  }

  /// config.txt and cmdline.txt.
  private mutating func planPorts(_ draft: SetupDraft, _ board: BoardDescription) throws {
    let root = draft.root
    let console = board.consolePort?.device
    var names: [String] = []
    for device in [draft.receiverPort, draft.modemPort, console ?? ""] {
      let bare = device.prefix { $0 != "@" }
      for name in Self.names(of: String(bare), on: board, root) where !names.contains(name) {
        names.append(name)
      }
    }
    let own = console.map { Self.names(of: $0, on: board, root) } ?? []
    freed = names.filter { !own.contains($0) && $0 != "serial0" }
    guard let folder = root.bootFolder else {
      let lines = board.assembly.bootLines
      if !lines.isEmpty {
        notes.append(SetupPhrase.noBoot.texts(lines.joined(separator: ", ")))
      }
      return
    }
    let before = files.count
    if let old = try root.text(of: folder + "/cmdline.txt") {
      add(folder + "/cmdline.txt", old, KernelCommandLine.freeing(names, in: old))
    }
    if let old = try root.text(of: folder + "/config.txt") {
      let new = FirmwareConfiguration.adding(board.assembly.bootLines, to: old)
      add(folder + "/config.txt", old, new)
    }
    needsReboot = files.count > before
  }

  /// All names of a serial port of the computer; none for others.
  private static func names(
    of device: String, on board: BoardDescription, _ root: SystemRoot
  ) -> [String] {
    guard device.hasPrefix("/dev/") else { return [] }
    let name = String(device.dropFirst(5))
    guard name == "serial0" || name.hasPrefix("ttyAMA") || name.hasPrefix("ttyS") else { return [] }
    // On a Pi 5, serial0 is the connector between the HDMI sockets.
    let isOwn = board.assembly.parts.contains { $0.identifier == "pi-5" } && name != "serial0"
    if primary.contains(name), !isOwn { return primary }
    let isSerial0 = destination(ofLink: root.path("/dev/serial0")) == name
    return isSerial0 ? [name, "serial0"] : [name]
  }

  /// The name that systemd has for a port: no link's.
  private static func port(
    _ device: String, on board: BoardDescription, _ root: SystemRoot
  ) -> String? {
    guard device.hasPrefix("/dev/") else { return nil }
    let name = String(device.dropFirst(5))
    guard name == "serial0" else { return name }
    if let target = destination(ofLink: root.path("/dev/serial0")) { return target }
    return board.assembly.bootLines.contains("dtoverlay=disable-bt") ? "ttyAMA0" : "ttyS0"
  }

  // MARK: Showing and doing

  /// What changes, for people.
  func text(in language: Language) -> String {
    var text = SetupPhrase.changes.text(in: language) + "\n"
    for file in files {
      text += "  \(file.name)\n"
      for line in file.lines { text += "    \(line)\n" }
      if file.isSecret { text += "    \(SetupPhrase.notShown.text(in: language))\n" }
    }
    for link in links { text += "  \(link.path)\n    + -> \(link.target)\n" }
    // Old files come from anywhere: their control characters must not reach the terminal.
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { (scalar: Unicode.Scalar) in
          scalar.properties.generalCategory == .control && scalar != "\n" ? "?" : scalar
        }))
  }

  /// - Throws: for the first that fails; what came before is done.
  func apply(to root: SystemRoot) throws {
    do {
      // Together with the files: a console without its own settings would be a login.
      for file in files where file.name != SetupDraft.configuration { try file.apply(to: root) }
      for link in links { try make(link, root) }
      for file in files where file.name == SetupDraft.configuration { try file.apply(to: root) }
    } catch let problem as FileProblem {
      throw UsageError(SetupPhrase.halfway.texts(problem.description))
    }
  }

  private func make(_ link: (path: String, target: String), _ root: SystemRoot) throws {
    let path = try root.real(link.path)
    let folder = directory(of: path)
    if kind(ofPath: folder) == nil { mkdir(folder, 0o755) }
    guard symlink(link.target, path) == 0 || errno == EEXIST else {
      throw FileProblem("cannot make", path, code: errno)
    }
  }
}
