import TrackerCore

/// A text that describes how a modem behaves. The scripts of the supported families are built in
/// (`init(family:)`); others are files, such as those in `traces/modems/`.
/// `traces/README.md` describes the format.
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
  /// What it was read from.
  public fileprivate(set) var text = ""
  /// Conditions that hold from the beginning.
  var traits: Set<String> = []
  public var restsWithRadioOff = false
  public var hasKey = true
  /// The SIM's PIN; `nil`: none.
  public var pin: String?

  /// Whether it sends HTTP requests by itself.
  public var hasHTTP: Bool { http != nil }

  init() {}

  /// Reads a script.
  ///
  /// - Parameter name: precedes the line number in errors, like a file name.
  /// - Throws: for the first line that is not valid.
  public init(_ text: String, name: String) throws(ModemScriptError) {
    self = try ModemScriptReader.read(text, name: name)
    self.text = text
  }
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
