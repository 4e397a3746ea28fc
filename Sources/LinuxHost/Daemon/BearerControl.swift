import TrackerCore

/// Opens and closes the connection to the network, and reports its state.
public struct BearerControl: ~Copyable {
  /// Commands to run, as program and arguments without a shell; empty: none.
  public struct Commands: Sendable, Equatable {
    /// Brings the interface up: `["pppd", "call", "movistar", "nodetach"]`.
    public var up: [String] = []
    /// Takes it down. Without one, the command that brought it up is terminated if it is still
    /// running.
    public var down: [String] = []
    public init() {}
  }

  /// The interface to watch; `nil`: the link counts as up as soon as it is wanted.
  private let watch: LinkWatch?
  private let commands: Commands
  /// Whether it comes and goes by itself, like Wi-Fi, and is not opened here.
  private let isAlwaysWanted: Bool
  private var isWanted: Bool
  private var isUp: Bool
  /// The state last reported to the core.
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

  /// The next run opens the link again.
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

  /// The event for the core now, if any.
  mutating func news() -> Event? {
    // Without notifications from the kernel it is polled whenever there is something to do.
    if let watch, watch.descriptor == nil { isUp = watch.isUp }
    let isOpen = isWanted && isUp
    guard isOpen != told else { return nil }
    told = isOpen
    return .linkChanged(isUp: isOpen)
  }

  /// The core wants the bearer, or no longer wants it.
  mutating func set(isUp wanted: Bool) {
    // Report the state again for each request.
    if wanted { told = false }
    guard !isAlwaysWanted, wanted != isWanted else { return }
    isWanted = wanted
    // Going down on request is not reported.
    if wanted {
      processes.open(commands.up)
    } else {
      told = false
      processes.close(commands.down)
    }
  }

  /// The reports on commands since the last call.
  mutating func reports() -> [LinkProcesses.Report] { processes.tend() }

  /// The longest wait before `reports` has something to do; `nil`: none is due.
  var timeoutMilliseconds: Int64? { processes.timeoutMilliseconds }
}
