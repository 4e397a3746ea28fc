public import Courier
public import ModemDialogues
public import TrackerCore
public import Uplink

/// Everything that a `LinuxWorld` is made of.
public struct LinuxParts {
  public var log = Log()
  public var signals: SignalWatch
  public var courier: Courier<AnyDialogue>
  public var network = HTTPClientConfiguration()
  public var receiver: any ByteLine
  /// `nil`: there is no modem to talk to.
  public var modem: (any ByteLine)?
  /// The words for the modem, and for the receiver.
  public var commandFormatter = ModemCommandFormatter(family: .generic, accessPoint: nil)
  public var dialect = ReceiverDialect.none
  /// Requests go by the modem's own commands; `nil`: by the operating system.
  public var modemHTTP: ModemHTTP?
  /// Where short messages go.
  public var textTo: PhoneNumber?
  /// The SIM's PIN, and what remembers that it was tried.
  public var pin: Secret?
  public var pinMemory: PINMemory?
  /// The interface that carries the data; `nil`: whatever way the system has.
  public var link: LinkWatch?
  public var linkCommands = BearerControl.Commands()
  public var linkProcesses = LinkProcesses()
  /// The link comes and goes by itself, as Wi-Fi does.
  public var isLinkAlwaysWanted = false
  public var battery: (any BatteryMeter)?
  public var pins: (any PinBank)?
  public var control: ControlSocket?
  /// Where the flight recorder writes; `nil`: nothing is recorded.
  public var recording: TraceFileSink?
  /// Ends the run when a new start would mend the store.
  public var storeWatch: StoreWatch?
  /// By the configuration.
  public var team = InlineText<64>()
  public var configuration = Configuration()
  /// What was remembered when the tracker started.
  public var memory = Memory()
  public var language = Language.english
  /// Reads the settings anew.
  public var reload: () throws -> Reloaded

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

/// What may change while a tracker runs.
public struct Reloaded {
  public var configuration: Configuration
  public var team: InlineText<64>
  public var dialogue: AnyDialogue
  /// How long the server may still act after our patience has ended.
  public var mayActFor: Milliseconds
  public var network: HTTPClientConfiguration
  /// What has changed and needs a new start, by key.
  public var needsRestart: [String]

  public init(
    configuration: Configuration, team: InlineText<64>, dialogue: AnyDialogue,
    mayActFor: Milliseconds = CourierBounds.mayActFor, network: HTTPClientConfiguration,
    needsRestart: [String] = []
  ) {
    self.configuration = configuration
    self.team = team
    self.dialogue = dialogue
    self.mayActFor = mayActFor
    self.network = network
    self.needsRestart = needsRestart
  }
}
