public import TrackerCore

/// How a client reaches servers. Verifying certificates is not configurable: they always are
/// verified.
public struct HTTPClientConfiguration: Sendable, Equatable {
  /// A file of CA certificates (PEM) to trust instead of the system's.
  public var authoritiesFile: String?
  /// The network interface to use, for example `wwan0`; `nil`: according to the routes. Names are
  /// still resolved by the system's resolver, whatever interface that uses.
  public var interface: String?
  /// A proxy as `http://host:port`, without user name and password. `nil`: none; environment
  /// variables are not read.
  public var proxy: String?
  public var userAgent = "trailtracker"
  /// For name lookup, connection and TLS. A 3G link that has just come up takes 2 to 10 s.
  public var connectTimeout: Milliseconds = .seconds(30)
  /// For a whole request with its answer.
  public var totalTimeout: Milliseconds = .minutes(3)
  /// A transfer that is slower than this for `slowPeriod` is given up, bytes per second.
  public var slowestBytesPerSecond: Int32 = 10
  /// In whole seconds. Also limits how long a server may take before it answers.
  public var slowPeriod: Milliseconds = .seconds(60)

  public init() {}
}
