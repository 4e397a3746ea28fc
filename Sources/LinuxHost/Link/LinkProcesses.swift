import Glibc
import SystemCalls
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
    var id: pid_t
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
  /// `DaemonBounds.linkCommandEnd` except in tests.
  private let limit: Int64

  public init() { limit = DaemonBounds.linkCommandEnd }

  init(limitMilliseconds: Int64) { limit = limitMilliseconds }

  deinit { tellOpeners() }

  /// Keeps descriptors that this program has inherited itself from its commands, which may outlive
  /// it. Call it at the start; what is opened later has close-on-exec anyway.
  public static func keepInheritedDescriptors() {
    for number in names(inFolder: "/proc/self/fd").compactMap({ Int32($0) })
    where number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
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
  /// It blocks, for not much longer than `DaemonBounds.linkExit`.
  public func finish() {
    next = nil
    tellOpeners()
    let killAt = now + min(limit, DaemonBounds.linkExit)
    while !children.isEmpty && now < killAt + DaemonBounds.linkExit {
      if now >= killAt { killAll() }
      _ = tend()
      usleep(10_000)
    }
  }

  // MARK: Time

  private var now: Int64 { milliseconds(of: CLOCK_MONOTONIC) }

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
    Glibc.kill(-children[index].id, SIGTERM)
    children[index].tellAt = nil
    children[index].killAt = now + limit
  }

  private func tellOpeners() {
    for index in children.indices where children[index].role == .up { tell(index) }
  }

  private func kill(_ index: Int) {
    Glibc.kill(-children[index].id, SIGKILL)
    children[index].wasKilled = true
    // A process that hangs in the kernel ends later, or never.
    children[index].killAt = now + limit
  }

  private func killAll() {
    for index in children.indices where !children[index].wasKilled { kill(index) }
  }

  private func run(_ words: [String], _ role: LinkReport.Role) {
    guard let program = words.first else { return }
    guard children.count < DaemonBounds.linkCommands else {
      reports.append(LinkReport(role: role, end: .othersRun(program: program)))
      return
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    // The daemon ignores SIGPIPE, and a program that it starts would inherit that: one that writes
    // to a pipe without a reader would never end.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // A blocked SIGTERM would be inherited, too.
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var id: pid_t = 0
    let code = posix_spawnp(&id, program, nil, &attributes, &arguments, environ)
    guard code == 0 else {
      reports.append(LinkReport(role: role, end: .notRun(program: program, code: code)))
      return
    }
    let tellAt = role == .down ? now + limit : nil
    children.append(Child(id: id, role: role, tellAt: tellAt))
  }

  private func reap(_ child: Child) {
    guard let index = children.firstIndex(where: { $0.id == child.id }) else { return }
    if !child.hasEnded {
      var status: Int32 = 0
      guard retryingOnInterrupt({ waitpid(child.id, &status, WNOHANG) }) == child.id else { return }
      children[index].hasEnded = true
      // WIFEXITED, WEXITSTATUS and WTERMSIG (bits/waitstatus.h), macros that Swift does not import.
      let signal = status & 0x7F
      reports.append(
        LinkReport(
          role: child.role, end: signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal),
          wasTold: child.wasTold, wasOverdue: child.wasOverdue))
    }
    // What a `down` leaves running is its own affair, unless it did not end in time.
    if child.role == .down && !child.wasTold || isGone(children[index]) {
      children.remove(at: index)
    }
  }

  /// Whether nothing of its group is left. Zombies that nobody reaps count until they were killed.
  private func isGone(_ child: Child) -> Bool {
    Glibc.kill(-child.id, 0) != 0 && errno == ESRCH || child.hasEnded && child.wasKilled
  }

  private func remember() {
    let groups = children.filter { $0.role == .up }.map(\.id)
    memory?.save(isOpen || !groups.isEmpty ? groups : nil)
  }
}
