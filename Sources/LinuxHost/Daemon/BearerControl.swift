import Glibc
import SystemCalls
import TrackerCore

/// Opens and closes the way to the network, and says how it stands.
public struct BearerControl: ~Copyable {
  /// What is run, as words of a command line without a shell; empty: nothing.
  public struct Commands: Sendable, Equatable {
    /// Brings the interface up: `["pppd", "call", "movistar", "nodetach"]`.
    public var up: [String] = []
    /// Takes it down. Without one, the command that brought it up and still runs is told to end.
    public var down: [String] = []
    public init() {}
  }

  /// The interface that is looked at; `nil`: the way counts as open as soon as it is wanted.
  private let watch: LinkWatch?
  private let commands: Commands
  /// It comes and goes by itself, as Wi-Fi does: nobody opens it.
  private let isAlwaysWanted: Bool
  private var isWanted: Bool
  private var isUp: Bool
  /// What the core was told last since it wanted to know.
  private var told = false
  private var children: [pid_t] = []
  private var opener: pid_t?

  public init(watch: LinkWatch?, commands: Commands = Commands(), isAlwaysWanted: Bool = false) {
    self.watch = watch
    self.commands = commands
    self.isAlwaysWanted = isAlwaysWanted
    isWanted = isAlwaysWanted
    isUp = watch?.isUp ?? true
  }

  /// Readable when something may have changed.
  var descriptor: Int32? { watch?.descriptor }

  /// Something may have changed.
  mutating func look() {
    guard let watch else { return }
    watch.drain()
    isUp = watch.isUp
  }

  /// What the core is to hear now, if anything.
  mutating func news() -> Event? {
    reap()
    // A kernel that does not tell is asked whenever there is something to do.
    if let watch, watch.descriptor == nil { isUp = watch.isUp }
    let isOpen = isWanted && isUp
    guard isOpen != told else { return nil }
    told = isOpen
    return .linkChanged(isUp: isOpen)
  }

  /// The core wants the bearer, or does not any more.
  ///
  /// - Returns: why a command could not be run; `nil` when all is well.
  mutating func set(isUp wanted: Bool) -> String? {
    // Whoever wants it is told how it stands.
    if wanted { told = false }
    guard !isAlwaysWanted, wanted != isWanted else { return nil }
    isWanted = wanted
    // That it goes down when told to is not news.
    if !wanted { told = false }
    if wanted {
      return run(commands.up, isOpener: true)
    }
    if let opener { kill(opener, SIGTERM) }
    opener = nil
    return run(commands.down, isOpener: false)
  }

  private mutating func run(_ words: [String], isOpener: Bool) -> String? {
    guard let program = words.first else { return nil }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, program, nil, nil, &arguments, environ)
    guard code == 0 else { return "\(program): cannot be run: \(reason(of: code)); check network.up" }
    children.append(child)
    if isOpener { opener = child }
    return nil
  }

  private mutating func reap() {
    for child in children {
      var status: Int32 = 0
      guard waitpid(child, &status, WNOHANG) != 0 else { continue }
      children.removeAll { $0 == child }
      if opener == child { opener = nil }
    }
  }
}
