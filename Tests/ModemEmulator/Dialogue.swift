import Foundation

/// What a modem says and how it behaves, as a data file tells it.
///
/// A file is lines. `#` begins a comment, blank lines mean nothing, indents are free. Times are
/// written `300 ms` or `8 s`; an emulator may play them faster.
///
///     like sim7600          take over all of another file; what follows here comes before it
///     http sim7600          answer AT+HTTP… as a SIM7600 (or a7670) and forward requests
///     key on 500 ms off 2500 ms    shortest pulses of PWRKEY that count
///     off takes 2 s         from the order to switch off until it is off
///
///     at boot               what it says and does by itself after power-on, each line with its
///       200 ms  RDY         time since then; a second `at boot` is for the second power-on, and
///       8 s ! clear searching      so on, the last for all that follow
///
///     > AT+CREG?            a command, and
///     < +CREG: 0,1          a line of its answer (between CR LF, as modems do)
///     < OK
///
/// A command may hold one `*`, which stands for anything. Of several blocks for a command the first
/// whose condition holds is taken (`> AT+CPIN? if locked`, `> AT+CPIN? if not locked`); blocks with
/// the same command and condition are taken one after the other, the last again and again. What no
/// block answers is answered by what is built in: ATE0 and ATE1 (echo), `AT` and AT+CMEE (OK),
/// AT+CPOF (off), AT+CRESET and AT+CFUN=1,1 (reboot), the HTTP commands, and ERROR for the rest.
///
/// Within a block and `at boot`:
///
///     < text                a line
///     << text               text without line ends; `\r`, `\n`, `\0` and `\xFF` stand for bytes
///     wait 50 ms            before what follows; other commands wait as long
///     later 3 s RDY         in three seconds, whatever is said meanwhile; a line or an action
///     ! set name            a condition holds from now on
///     ! clear name          … and does not any more
///     ! mute                answers nothing until it is switched on the next time
///     ! off                 switches off, as it is said in `off takes`
///     ! reboot              starts anew
///     ! text                reads a short message up to Ctrl-Z; Esc ends the block
///     ! forward             sends the request that was prepared; its answer is thrown away
///
/// The condition `noNetwork` makes the built-in HTTP commands fail with 601. While `radioOff` holds
/// the radio counts as off (`ScriptedModem.radioOnMilliseconds`); a start ends both if it holds.
public struct Dialogue: Sendable, Equatable {
  enum Step: Sendable, Equatable {
    case say([UInt8])
    case wait(Int64)
    indirect case later(Int64, Step)
    case set(String)
    case clear(String)
    case mute
    case off
    case reboot
    case text
    case forward
    // Built in: these have no words in a file.
    case body(Int)
    case act(Int)
  }

  struct Condition: Sendable, Hashable {
    var name: String
    var holds: Bool
  }

  /// All the answers to one command under one condition.
  struct Block: Sendable, Equatable {
    var command: String
    var condition: Condition?
    /// One after the other, the last again and again.
    var answers: [[Step]]
  }

  struct Moment: Sendable, Equatable {
    var after: Int64
    var step: Step
  }

  enum HTTPStyle: String, Sendable {
    case sim7600
    case a7670
  }

  var blocks: [Block] = []
  var boots: [[Moment]] = []
  var http: HTTPStyle?
  var keyOnMilliseconds: Int64 = 50
  var keyOffMilliseconds: Int64 = 500
  var offMilliseconds: Int64 = 1000

  init() {}

  /// The dialogues that come with the project.
  public static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Dialogues")

  /// Loads one of the project's own: `sim7600`.
  public init(named name: String) throws {
    try self.init(path: Self.folder.appendingPathComponent("\(name).dialogue").path)
  }

  /// Loads a file; those that it is `like` lie beside it.
  public init(path: String) throws {
    self = try DialogueReader.read(path: path, depth: 0)
  }
}

/// What is wrong with a file of a dialogue.
public struct DialogueProblem: Error, Equatable, CustomStringConvertible {
  public var description: String
  init(_ path: String, _ line: Int, _ message: String) {
    description = "\(path):\(line): \(message)"
  }
}
