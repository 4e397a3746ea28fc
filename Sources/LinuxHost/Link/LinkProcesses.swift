import SystemCalls
import TrackerCore
import Wording

/// The running commands that open and close the link.
///
/// Each runs in its own process group, and the group is what is told to end: a script around pppd
/// must not leave pppd behind. A group that does not end in time is killed.
///
/// Created once per process: after a restart of the tracker within the process it must still know
/// what is running, or the link would be opened twice. `LinkMemory` does the same for a process
/// that was killed.
public final class LinkProcesses: LinkRunner {
  private struct Child {
    /// The process that was started, and its group.
    var id: Int32
    var role: LinkReport.Role
    /// It ended, while others of its group may still run.
    var hasEnded = false
    /// When it is told to end, on the monotonic clock; `nil`: not by itself.
    var tellAt: Int64?
    /// It was told to end; when its group is killed.
    var killAt: Int64?
    var wasOverdue = false
    var wasKilled = false

    var wasTold: Bool { killAt != nil }
  }

  private var children: [Child] = []
  /// The command that opens the link as soon as those before it have ended.
  private var next: [String]?
  /// The link was opened and not closed since.
  private var isOpen = false
  private var reports: [LinkReport] = []
  private var memory: LinkMemory?
  private let limit: Milliseconds

  public init() { limit = HostBounds.linkCommandEnd }

  /// - Parameter limit: how long a command may take to end.
  init(limit: Milliseconds) { self.limit = limit }

  deinit { tellOpeners() }

  /// Keeps descriptors that this program has inherited itself from its commands, which may outlive
  /// it. Call it at the start; what is opened later has close-on-exec anyway.
  public static func keepInheritedDescriptors() {
    SystemCalls.keepInheritedDescriptors()
  }

  // MARK: Opening and closing

  public let descriptor: Int32? = nil

  public var isWaiting: Bool { next != nil }

  /// Whether any command is running, or will be.
  var isBusy: Bool { next != nil || !children.isEmpty }

  /// Opens the link. If the command is still running it continues; if it, or the one that closes
  /// the link, is still ending, the new one starts afterwards.
  public func open(_ words: [String]) {
    isOpen = true
    next = nil
    if children.contains(where: { $0.role == .down || $0.wasTold }) {
      next = words
    } else if !children.contains(where: { $0.role == .up }) {
      run(words, .up)
    }
    remember()
  }

  /// Closes the link: tells the command that opened it to end, if it is still running.
  public func close(_ words: [String]) {
    isOpen = false
    next = nil
    tellOpeners()
    run(words, .down)
    remember()
  }

  /// Remembers in a file what is running, and closes what an earlier process has left open
  /// according to it.
  ///
  /// - Parameters:
  ///   - path: the file; it exists while the link is open.
  ///   - down: the command that closes the link.
  /// - Returns: whether something was left open that can be closed.
  public func remember(in path: String, down: [String]) -> Bool {
    guard memory == nil else { return false }
    let memory = LinkMemory(path: path)
    self.memory = memory
    guard let groups = memory.leftover() else { return false }
    for group in groups {
      children.append(Child(id: group, role: .up, hasEnded: true))
      tell(children.count - 1)
    }
    run(down, .down)
    remember()
    return !groups.isEmpty || !down.isEmpty
  }

  /// Ends everything that is still running, before the process ends.
  ///
  /// It blocks, for not much longer than `HostBounds.linkExit`.
  public func finish() {
    next = nil
    tellOpeners()
    let exit = HostBounds.linkExit.count
    let killAt = now + min(limit.count, exit)
    while !children.isEmpty && now < killAt + exit {
      if now >= killAt { killAll() }
      _ = tend()
      pause(milliseconds: 10)
    }
  }

  // MARK: Time

  private var now: Int64 { KernelTimer.monotonic.milliseconds }

  /// Does what is due, and returns the reports since the last call, in order. SIGCHLD indicates
  /// that there may be some.
  public func tend() -> [LinkReport] {
    for child in children { reap(child) }
    for index in children.indices {
      if let tellAt = children[index].tellAt, now >= tellAt {
        children[index].wasOverdue = true
        tell(index)
      }
      if let killAt = children[index].killAt, now >= killAt { kill(index) }
    }
    if let words = next, children.isEmpty {
      next = nil
      run(words, .up)
    }
    remember()
    defer { reports.removeAll() }
    return reports
  }

  /// The longest wait before the next `tend`; `nil`: none is due.
  public var timeoutMilliseconds: Int64? {
    if !reports.isEmpty { return 0 }
    let due = children.compactMap { child in
      // No signal comes when the last process of a group has ended.
      child.hasEnded && child.wasTold ? now + 100 : child.killAt ?? child.tellAt
    }
    return due.min().map { max(0, $0 - now) }
  }

  // MARK: Processes

  private func tell(_ index: Int) {
    guard !children[index].wasTold else { return }
    send(.terminate, toGroup: children[index].id)
    children[index].tellAt = nil
    children[index].killAt = now + limit.count
  }

  private func tellOpeners() {
    for index in children.indices where children[index].role == .up { tell(index) }
  }

  private func kill(_ index: Int) {
    send(.kill, toGroup: children[index].id)
    children[index].wasKilled = true
    // A process that hangs in the kernel ends later, or never.
    children[index].killAt = now + limit.count
  }

  private func killAll() {
    for index in children.indices where !children[index].wasKilled { kill(index) }
  }

  private func run(_ words: [String], _ role: LinkReport.Role) {
    guard let program = words.first else { return }
    guard children.count < HostBounds.linkCommands else {
      reports.append(LinkReport(role: role, end: .othersRun(program: program)))
      return
    }
    var spawn = Spawn(words)
    spawn.hasOwnGroup = true
    do throws(SystemError) {
      let id = try spawn.start()
      let tellAt = role == .down ? now + limit.count : nil
      children.append(Child(id: id, role: role, tellAt: tellAt))
    } catch {
      reports.append(LinkReport(role: role, end: .notRun(program: program, code: error.code)))
    }
  }

  private func reap(_ child: Child) {
    guard let index = children.firstIndex(where: { $0.id == child.id }) else { return }
    if !child.hasEnded {
      let reported: LinkReport.End
      switch SystemCalls.reap(child.id) {
      case .running: return
      case .ended(.code(let code)): reported = .code(code)
      case .ended(.signal(let signal)): reported = .signal(signal)
      case .unknown: reported = .unknown
      }
      children[index].hasEnded = true
      reports.append(
        LinkReport(
          role: child.role, end: reported, wasTold: child.wasTold, wasOverdue: child.wasOverdue))
    }
    // What a `down` leaves running is its own affair, unless it did not end in time.
    if child.role == .down && !child.wasTold || isGone(children[index]) {
      children.remove(at: index)
    }
  }

  /// Whether nothing of its group is left. Zombies that nobody reaps count until they were killed.
  private func isGone(_ child: Child) -> Bool {
    !hasMembers(group: child.id) || child.hasEnded && child.wasKilled
  }

  private func remember() {
    let groups = children.filter { $0.role == .up }.map(\.id)
    memory?.save(isOpen || !groups.isEmpty ? groups : nil)
  }
}

/// A file that exists while the link is open, so that a process that was killed does not leave it
/// open for ever.
///
/// Its first line identifies the boot, because process numbers mean nothing after another one; each
/// further line is a process group and when its first process started.
final class LinkMemory {
  private let path: String
  /// What the file holds; `nil`: it does not exist, or its content is not known.
  private var saved: [Int32]?
  private var starts: [Int32: UInt64] = [:]

  init(path: String) { self.path = path }

  /// The process groups of an earlier process that still run; `nil`: the link was not left open.
  func leftover() -> [Int32]? {
    guard let bytes = try? readWhole(path, atMost: 4096) else { return nil }
    try? removeFile(path)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let boot = Self.boot, lines.first.map(String.init) == boot else { return nil }
    return lines.dropFirst().compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let group = Int32(words[0]), group > 1, let start = UInt64(words[1])
      else { return nil }
      // The number belongs to another process now. While the group has a member, none gets it.
      if let other = Self.start(of: group), other != start { return nil }
      guard hasMembers(group: group) else { return nil }
      starts[group] = start
      return group
    }
  }

  /// - Parameter groups: `nil`: the link is closed.
  func save(_ groups: [Int32]?) {
    guard groups != saved else { return }
    saved = groups
    guard let groups, let boot = Self.boot else {
      try? removeFile(path)
      return
    }
    var text = boot + "\n"
    for group in groups {
      let start = starts[group] ?? Self.start(of: group) ?? 0
      starts[group] = start
      text += "\(group) \(start)\n"
    }
    // Without room on the disk it is not remembered: the link matters more.
    let options: OpenOptions = [.write, .create, .truncate, .noFollow]
    guard let file = try? Descriptor(opening: path, options, mode: 0o600) else { return }
    try? file.writeAll(Array(text.utf8))
  }

  private static var boot: String? {
    guard let bytes = try? readWhole("/proc/sys/kernel/random/boot_id", atMost: 64) else {
      return nil
    }
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }

  /// When a process started, clock ticks since the boot (proc_pid_stat(5), field 22).
  private static func start(of process: Int32) -> UInt64? {
    guard let bytes = try? readWhole("/proc/\(process)/stat", atMost: 4096) else { return nil }
    // The second field is the name in parentheses, which may contain anything.
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ")
    return fields.count > 20 ? UInt64(fields[20]) : nil
  }
}
