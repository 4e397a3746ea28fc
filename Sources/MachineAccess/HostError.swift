/// Why a program cannot do something: one line that says what, where and what to do.
public struct HostError: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String
  public init(_ description: String) { self.description = description }
}
