import TrackerCore

/// A text that describes how a modem behaves. The scripts of the supported families are built in
/// (`init(family:)`); others are files, such as those in `traces/modems/`.
///
/// A script consists of lines. `#` begins a comment; blank lines and indentation are ignored. Times
/// are written as `300 ms` or `8 s`.
///
///     like sim7600          everything of a built-in family; what follows takes precedence
///     http sim7600          has AT+HTTP… commands as a SIM7600 (or a7670)
///     key on 500 ms off 2500 ms    shortest pulses of PWRKEY that count
///     off takes 2 s         from the order to switch off until it is off
///     search takes 8 s      from ready, radio on or coverage to registered
///     sim pin 0742          the SIM asks for this PIN after each power-on
///     answers take 7 s      each, one after the other
///     is numeric            a condition that holds from the beginning
///     rests with radio off  so it spends the time between contacts (bench); `and without key`:
///                           its key is not wired
///
///     at boot               what it says and does after power-on, each line with its time since
///       200 ms  RDY         then; a second `at boot` is for the second power-on, and so on, the
///       12 s  +CPIN: READY if sim    last for all that follow
///
///     > AT+CREG?            a command, and
///     < +CREG: 0,1          a line of its answer (between CR LF, as modems send it)
///     < OK
///
/// A command may contain one `*`, which matches anything; `$PIN` stands for the SIM's PIN. Of
/// several blocks for a command the first whose condition holds is used (`> AT+CPIN? if locked`, `>
/// AT+CPIN? if not locked`); blocks with the same command and condition are used in turn, the last
/// one repeatedly. Commands without a block are built in: ATE0 and ATE1 (echo), `AT` and AT+CMEE
/// (OK), AT+CPOF (off), AT+CRESET and AT+CFUN=1,1 (reboot), the HTTP commands, and ERROR for the
/// rest.
///
/// Within a block and `at boot`:
///
///     < text                a line (`at boot` without the mark)
///     << text               text without line ends; `\r`, `\n`, `\0` and `\xFF` stand for bytes
///     wait 50 ms            before the rest; other commands wait, too
///     later 3 s RDY         a line or an action after three seconds, independently of others
///     every 2 s RDY         (`at boot` only) a line or an action, again and again
///     ! set name            a condition holds from now on
///     ! clear name          … and no longer holds
///     ! mute                does not answer until it is next switched on
///     ! off                 switches off, as `off takes` says
///     ! reboot              restarts
///     ! baud 9600           from now on speaks and understands this rate only
///     ! text                reads a short message up to Ctrl-Z; Esc ends the block
///     ! forward             sends the prepared request; its answer is discarded
///     ! get, ! post         sends it, and reports its answer as `+HTTPACTION`
///
/// Conditions with a special meaning: `starting` (ignores input), `radioOff` (a power-on ends
/// it), `noNetwork` (no coverage), `noSIM`, `locked` (the SIM requires its PIN), `receiverOff`
/// (the receiver inside the modem), `noRoute` (its own HTTP connects to no server), `chunked`
/// (it reports answers without their length), `continues` (it reports a 100 before the real
/// status), `interrupts` (a report comes between the mark of an answer's data and the data),
/// `tight` (no blank after the colon of an answer), `numeric` and `quiet` (ATV0 or ATQ1 is
/// stored in it). These are derived and cannot be set: `sim` (present and unlocked),
/// `searching` (not registered), `denied` and `noBearer` (from the coverage).
public struct ModemScript: Sendable, Equatable {
  enum Step: Sendable, Equatable {
    case say([UInt8])
    case wait(Milliseconds)
    indirect case later(Milliseconds, Step)
    indirect case every(Milliseconds, Step)
    case set(String)
    case clear(String)
    case mute
    case off
    case reboot
    case baud(Int64)
    case text
    case forward
    case act(HTTPAction)
    // Only used internally: this cannot be written in a script.
    case body(Int)
  }

  struct Condition: Sendable, Equatable {
    var name: String
    var holds: Bool
  }

  /// All the answers to one command under one condition.
  struct Block: Sendable, Equatable {
    var command: String
    var condition: Condition?
    /// Used in turn, the last one repeatedly.
    var answers: [[Step]]
  }

  /// A step after power-on.
  struct Moment: Sendable, Equatable {
    var after: Milliseconds
    var step: Step
    var condition: Condition?
  }

  /// The manual that the HTTP commands follow.
  enum HTTPStyle: String, Sendable {
    case sim7600
    case a7670
  }

  /// The number in `AT+HTTPACTION`.
  enum HTTPAction: Int, Sendable {
    case get
    case post
  }

  var blocks: [Block] = []
  var boots: [[Moment]] = []
  var http: HTTPStyle?
  var keyOn: Milliseconds = 50
  var keyOff: Milliseconds = 500
  var offTime = Milliseconds.seconds(1)
  var searchTime: Milliseconds = 0
  var answerTime: Milliseconds = 0
  /// Conditions that hold from the beginning.
  var traits: Set<String> = []
  public var restsWithRadioOff = false
  public var hasKey = true
  /// The SIM's PIN; `nil`: none.
  public var pin: String?

  /// Whether it sends HTTP requests by itself.
  public var hasHTTP: Bool { http != nil }

  init() {}
}

/// What is wrong with a script.
public struct ModemScriptError: Error, Equatable, CustomStringConvertible {
  public var description: String
}

extension ModemScriptError {
  init(_ name: String, _ line: Int, _ message: String) {
    description = "\(name):\(line): \(message)"
  }
}
