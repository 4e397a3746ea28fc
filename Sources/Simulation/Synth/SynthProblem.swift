/// Why a trace cannot be made, in one line: what is wrong, where, and what to do.
public struct SynthProblem: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}
