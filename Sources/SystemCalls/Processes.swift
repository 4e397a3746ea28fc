internal import Glibc

// MARK: This process and others

public var ownProcess: Int32 { getpid() }
/// The user whose rights this process has.
public var effectiveUser: UInt32 { geteuid() }
public var effectiveGroup: UInt32 { getegid() }
/// The user who has started it.
public var realUser: UInt32 { getuid() }

/// Ends this process.
public func endProcess(_ code: Int32) -> Never { exit(code) }

/// Keeps this program's memory out of core dumps.
public func forbidCoreDumps() {
  var limit = rlimit(rlim_cur: 0, rlim_max: 0)
  setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  // The limit does not apply if core_pattern is a pipe; then exclude all memory from the dump
  // (core(5)).
  let filter = try? Descriptor(opening: "/proc/self/coredump_filter", .write)
  try? filter?.writeAll([UInt8(ascii: "0")])
}

/// This machine's name; `nil`: it has none.
public var hostName: String? {
  var bytes = [CChar](repeating: 0, count: 256)
  guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
  return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// How many processors there are.
public var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// The signals that are sent and heard here.
public enum Signal: Sendable {
  case terminate, interrupt, hangUp, quit, kill, childEnded

  var number: Int32 {
    switch self {
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .hangUp: SIGHUP
    case .quit: SIGQUIT
    case .kill: SIGKILL
    case .childEnded: SIGCHLD
    }
  }
}

/// Whether a process exists, whoever owns it.
public func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

/// Whether a process group has a member; zombies count.
public func hasMembers(group: Int32) -> Bool { kill(-group, 0) == 0 || errno != ESRCH }

public func send(_ signal: Signal, toGroup group: Int32) { kill(-group, signal.number) }

// MARK: Programs

/// How a child process ended.
public enum ChildEnd: Sendable, Equatable {
  case code(Int32)
  case signal(Int32)
}

/// Where the standard streams of a program lead.
public enum StreamTarget: Sendable {
  case descriptor(Int32)
  /// A file that is opened for reading, or for writing.
  case input(String)
  case output(String)
}

/// Starts programs.
public struct Spawn: Sendable {
  /// Program and arguments, without a shell.
  var words: [String]
  /// Whether it leads a process group of its own.
  public var hasOwnGroup = false
  /// The streams that are not inherited: number and target.
  public var streams: [(number: Int32, target: StreamTarget)] = []

  public init(_ words: [String]) { self.words = words }

  /// - Returns: the process.
  /// - Throws: why there is none; the path is the program's.
  public func start() throws(SystemError) -> Int32 {
    let program = words.first ?? ""
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    // This program ignores SIGPIPE, and one that it starts would inherit that: it would never end
    // if it wrote to a pipe without a reader.
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
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    if hasOwnGroup {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, target) in streams {
      switch target {
      case .descriptor(let source): posix_spawn_file_actions_adddup2(&actions, source, number)
      case .input(let path):
        posix_spawn_file_actions_addopen(&actions, number, path, O_RDONLY, 0)
      case .output(let path):
        posix_spawn_file_actions_addopen(
          &actions, number, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      }
    }
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw SystemError("posix_spawn", program, code: code) }
    return process
  }
}

/// What has become of a child process.
public enum ChildState: Sendable, Equatable {
  case running
  /// It has ended, and its number may be another process's from now on.
  case ended(ChildEnd)
  /// It is no child of this process, or no longer: it was reaped before, by whomever (ECHILD).
  case unknown
}

/// Asks what has become of a child process, and removes it if it has ended. The corresponding C
/// function is `waitpid`.
///
/// - Parameter isWaiting: whether to wait for its end.
@discardableResult
public func reap(_ process: Int32, isWaiting: Bool = false) -> ChildState {
  var status: Int32 = 0
  // ECHILD is its only other error here: the options are valid, and EINTR is repeated.
  let reaped = try? systemCall("waitpid") { waitpid(process, &status, isWaiting ? 0 : WNOHANG) }
  guard let reaped else { return .unknown }
  guard reaped == process else { return .running }
  // WIFEXITED, WEXITSTATUS and WTERMSIG (bits/waitstatus.h), macros that Swift does not import.
  let signal = status & 0x7F
  return .ended(signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal))
}

/// Keeps descriptors that this program has inherited itself from the programs that it starts.
public func keepInheritedDescriptors() {
  for number in names(inFolder: "/proc/self/fd").compactMap({ Int32($0) })
  where number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
}

// MARK: Users

/// The name of a user; `nil`: it has none.
public func userName(_ user: UInt32) -> String? {
  var entry = passwd()
  var found: UnsafeMutablePointer<passwd>?
  var buffer = [CChar](repeating: 0, count: 4096)
  guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
    return nil
  }
  return entry.pw_name.map { String(cString: $0) }
}

/// The user of that name; `nil`: there is none.
public func user(named name: String) -> UInt32? {
  var entry = passwd()
  var found: UnsafeMutablePointer<passwd>?
  var buffer = [CChar](repeating: 0, count: 4096)
  guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
    return nil
  }
  return entry.pw_uid
}

/// The name of a group; `nil`: it has none.
public func groupName(_ group: UInt32) -> String? {
  var entry = Glibc.group()
  var found: UnsafeMutablePointer<Glibc.group>?
  var buffer = [CChar](repeating: 0, count: 16_384)
  guard getgrgid_r(group, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
    return nil
  }
  return entry.gr_name.map { String(cString: $0) }
}

// MARK: Environment, streams and threads

/// The value of an environment variable; `nil`: there is none.
public func environmentValue(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

public func removeEnvironmentValue(_ name: String) { unsetenv(name) }

/// The numbers of the standard streams, which nobody here owns.
public enum StandardStream {
  public static let input = STDIN_FILENO
  public static let output = STDOUT_FILENO
  public static let error = STDERR_FILENO
}

/// Writes to standard error; what cannot be written is dropped.
public func writeError(_ text: String) { try? writeAll(Array(text.utf8), to: STDERR_FILENO) }

public func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

/// Permits this process so many open files, or as many as the system does.
///
/// - Returns: how many it may have now.
public func raiseFileLimit(to wanted: Int) -> Int {
  let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var limit = rlimit()
  guard getrlimit(resource, &limit) == 0 else { return 0 }
  var raised = limit
  raised.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, rlim_t(wanted)))
  if raised.rlim_cur != limit.rlim_cur, setrlimit(resource, &raised) == 0 { limit = raised }
  return Int(clamping: limit.rlim_cur)
}

/// A thread with a small stack: the default of 8 MB would count as mapped memory.
public struct SmallThread: Sendable {
  private let thread: pthread_t

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// - Parameters:
  ///   - isDetached: nobody waits for its end.
  ///   - stackBytes: the size of its stack.
  @discardableResult
  public init(
    isDetached: Bool, stackBytes: Int = 256 * 1024, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if isDetached { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw SystemError("pthread_create", code: code)
    }
    self.thread = thread
  }

  /// Waits for its end, once.
  public func join() { pthread_join(thread, nil) }

  /// Lets the calling thread run before all ordinary ones, where it has the right to.
  public static func hurry() {
    var parameters = sched_param(sched_priority: 1)
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
  }
}

/// A command of the shell that gets a text on its standard input, such as sendmail.
public struct ShellCommand: Sendable, Equatable {
  let command: String

  public init(_ command: String) { self.command = command }

  /// Starts it, in a process group of its own.
  ///
  /// - Parameter text: longer ones than a pipe holds (pipe(7): 64 kB) are cut.
  /// - Returns: the process, which is to be reaped.
  public func start(_ text: String) throws(SystemError) -> Int32 {
    let pipe = try DescriptorPipe()
    _ = Descriptor.write(pipe.writeEnd.number, Array(text.utf8)[...])
    // The writing end is closed before it starts, so that it reads the text and then the end.
    let input = pipe.takeReadEnd()
    var spawn = Spawn(["/bin/sh", "-c", command])
    spawn.hasOwnGroup = true
    spawn.streams = [(StandardStream.input, .descriptor(input.number))]
    return try spawn.start()
  }
}
