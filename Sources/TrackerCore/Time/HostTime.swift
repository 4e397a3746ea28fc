/// What the clocks of a host show.
public struct HostTime: Sendable, Equatable {
  /// The date, as far as the machine knows it. It may step.
  public var utc: UTC
  /// On a clock that goes on evenly while the machine runs, also through a restart of the program.
  public var uptime: Milliseconds

  public init(utc: UTC, uptime: Milliseconds) {
    self.utc = utc
    self.uptime = uptime
  }
}
