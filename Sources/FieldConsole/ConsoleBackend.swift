public import CaptureStore
public import TrackerCore
public import Wording

/// What a console looks at: a running tracker behind its socket, one that does not answer, or a
/// simulated one.
public protocol ConsoleBackend {
  /// Returns at once. That a tracker does not answer is part of the facts.
  ///
  /// - Throws: that this person may not ask it.
  mutating func facts() throws(ConsoleProblem) -> TrackerFacts
  /// Gives the tracker one line, as `send` or `set interval 5 min`.
  ///
  /// - Returns: its answer, lines without `ok`.
  /// - Throws: that it refuses or does not answer, in one line.
  mutating func ask(_ line: String) throws(ConsoleProblem) -> String
  /// The tracker's store and, if there is one, the second store that stands in for it, for reading.
  mutating func stores() throws(ConsoleProblem) -> [CaptureStore]
  /// The last lines of its log.
  mutating func log(newest: Int) throws(ConsoleProblem) -> [String]
  /// What a tracker that does not answer has kept from its last hours (`STORE.events`); `nil`:
  /// nothing that can be read.
  mutating func keptEvents() -> (text: String, time: MachineTime)?
  /// The text of its configuration file; `nil`: there is none.
  mutating func configuration() throws(ConsoleProblem) -> String?
  /// Whether the server takes captures, asked over this computer's own network, within seconds.
  mutating func serverFit() -> ServerFit
  /// Which of these captures the server has.
  mutating func known(_ captures: [StoredCapture]) throws(ConsoleProblem) -> Set<CaptureKey>
}

/// What a server itself says about whether it accepts a tracker's captures.
public enum ServerFit: Sendable, Equatable {
  case fit
  /// It does not, with the reason and what to do.
  case unfit(Texts?)
  case unauthorised
  /// It could not be asked; `nil`: by this program.
  case unknown(Texts?)
}

extension ConsoleBackend {
  public mutating func serverFit() -> ServerFit { .unknown(nil) }
  public mutating func keptEvents() -> (text: String, time: MachineTime)? { nil }
  public mutating func configuration() throws(ConsoleProblem) -> String? { nil }
  public mutating func known(
    _ captures: [StoredCapture]
  ) throws(ConsoleProblem) -> Set<CaptureKey> {
    throw ConsoleProblem(ProblemPhrase.noServer.texts)
  }
}

/// Why something could not be done: one line, what, where, what to do.
public struct ConsoleProblem: Error, Sendable, Equatable, Worded {
  public let texts: Texts
  public init(_ texts: Texts) { self.texts = texts }
  /// A problem that something else has put into words.
  public init(_ error: some Worded) { texts = error.texts }
}
