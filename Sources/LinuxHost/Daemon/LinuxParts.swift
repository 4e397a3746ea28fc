public import BoardSupport
public import Courier
public import Courses
public import FieldConsole
public import HTTPTransfer
public import MachineAccess
public import ModemDialogues
public import TrackerCore
public import Uplink
public import Wording

/// The parts of a `LinuxWorld`.
public struct LinuxParts {
  public var log = Log()
  var signals: SignalWatch
  var courier: Courier<AnyDialogue>
  public var network = HTTPClientConfiguration()
  var receiver: any ByteLine
  /// `nil`: there is no modem.
  public var modem: (any ByteLine)?
  /// The commands for the modem and for the receiver.
  public var commandFormatter = ModemCommandFormatter(family: .generic, accessPoint: nil)
  public var dialect = ReceiverDialect.none
  /// Sends requests by the modem's own commands; `nil`: the operating system does.
  public var modemHTTP: ModemHTTP?
  /// The recipient of short messages.
  public var textTo: PhoneNumber?
  /// The SIM's PIN, and the memory of whether it was tried.
  public var pin: Secret?
  public var pinMemory: PINMemory?
  /// The interface that carries the data; `nil`: any.
  public var link: LinkWatch?
  public var linkCommands = BearerControl.Commands()
  public var linkRunner: any LinkRunner = LinkProcesses()
  /// Whether the link comes and goes by itself, like Wi-Fi.
  public var isLinkAlwaysWanted = false
  /// What the modem takes while it sends; 0: not known.
  public var modemMilliwatts = 0
  public var battery = BatteryWatch(.none, of: Board.none.battery)
  public var pins: (any PinBank)?
  /// Why there are none although the board has some.
  public var pinProblem: Texts?
  public var clockKeeper = ClockKeeper(.leave)
  /// `nil`: nothing starts the machine once it is halted.
  public var halt: HaltParts?
  public var control: ControlSocket?
  /// `nil`: nobody has started this program as a service.
  public var service: ServiceManager?
  public var consoleLock = ConsoleLock()
  /// The recording; `nil`: nothing is recorded.
  public var recording: TraceFileSink?
  /// Ends the run when a restart would repair the store.
  public var storeWatch: StoreWatch?
  /// Keeps recent events across a restart; `nil`: nothing does.
  public var eventFile: String?
  /// The tracker's name on the server.
  public var number: String?
  public var version = ""
  /// What the tracker follows; `nil`: nothing.
  public var course: MappedCourse?
  /// Why the one in the settings is not followed.
  public var courseProblem: Texts?
  /// In which the finish is given (IANA).
  public var timeZone: String?
  /// The configured name.
  public var team = InlineText<64>()
  public var configuration = Configuration()
  /// What was remembered when the tracker started.
  public var memory = Memory()
  /// The settings that people can change.
  public var settings = SettingsInForce()
  /// Reloads the settings.
  var reload: () throws -> Reloaded

  public init(
    signals: SignalWatch, courier: Courier<AnyDialogue>, receiver: any ByteLine,
    reload: @escaping () throws -> Reloaded
  ) {
    self.signals = signals
    self.courier = courier
    self.receiver = receiver
    self.reload = reload
  }
}

/// Reloaded settings.
public struct Reloaded {
  /// Without what people have ordered.
  var file: SettingsFile
  var team: InlineText<64>
  var dialogue: AnyDialogue
  /// How long the server may still apply a request that was given up.
  var mayActFor: Milliseconds
  var network: HTTPClientConfiguration
  var linkTarget: LinkTarget
  var consoleLock: ConsoleLock
  /// The keys of changed settings that need a restart.
  var needsRestart: [String]
  /// Why the course in the settings cannot be followed.
  public var courseProblem: Texts?

  public init(
    file: SettingsFile, team: InlineText<64>, dialogue: AnyDialogue,
    mayActFor: Milliseconds = CourierBounds.mayActFor, network: HTTPClientConfiguration,
    linkTarget: LinkTarget, consoleLock: ConsoleLock = ConsoleLock(),
    needsRestart: [String] = []
  ) {
    self.file = file
    self.team = team
    self.dialogue = dialogue
    self.mayActFor = mayActFor
    self.network = network
    self.linkTarget = linkTarget
    self.consoleLock = consoleLock
    self.needsRestart = needsRestart
  }
}

/// Why a run of the loop ends.
public enum Ending: Sendable, Equatable {
  /// A signal requested it.
  case told
  /// A restart would repair the store.
  case storeCanBeMended(StoreWatch.Finding)
}
