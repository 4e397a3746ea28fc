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
  private let processes: LinkProcesses

  public init(
    watch: LinkWatch?, commands: Commands = Commands(), processes: LinkProcesses,
    isAlwaysWanted: Bool = false
  ) {
    self.watch = watch
    self.commands = commands
    self.processes = processes
    self.isAlwaysWanted = isAlwaysWanted
    isWanted = isAlwaysWanted
    isUp = watch?.isUp ?? true
  }

  /// The next run opens the way anew.
  deinit {
    if isWanted && !isAlwaysWanted { processes.close(commands.down) }
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
    // A kernel that does not tell is asked whenever there is something to do.
    if let watch, watch.descriptor == nil { isUp = watch.isUp }
    let isOpen = isWanted && isUp
    guard isOpen != told else { return nil }
    told = isOpen
    return .linkChanged(isUp: isOpen)
  }

  /// The core wants the bearer, or does not any more.
  mutating func set(isUp wanted: Bool) {
    // Whoever wants it is told how it stands.
    if wanted { told = false }
    guard !isAlwaysWanted, wanted != isWanted else { return }
    isWanted = wanted
    // That it goes down when told to is not news.
    if wanted {
      processes.open(commands.up)
    } else {
      told = false
      processes.close(commands.down)
    }
  }

  /// What became of commands since the last call.
  mutating func reports() -> [LinkProcesses.Report] { processes.tend() }

  /// The longest wait before `reports` has something to do; `nil`: none is due.
  var timeoutMilliseconds: Int64? { processes.timeoutMilliseconds }
}
