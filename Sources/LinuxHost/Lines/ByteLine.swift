public import TrackerCore

public protocol ByteLine: AnyObject {
  var descriptor: Int32? { get }
  var wantsWrite: Bool { get }
  var wakeAt: Instant? { get }
  func tend(at now: Instant)
  func ready(_ revents: Int16, at now: Instant, into buffer: inout MutableSpan<UInt8>) -> Int
  func send(_ bytes: [UInt8], at now: Instant) -> Bool
  func takeNews() -> [LineNews]
}
public enum LineNews: Sendable, Equatable {
  case opened(name: String, baud: Int)
  case lost(name: String, LineProblem)
  case unavailable(LineProblem)
  case baudFound(Int)
}
public struct LineProblem: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String
}
