public import TrackerCore

/// How a client reaches servers. That certificates are checked is no part of it: they always are.
public struct HTTPClientConfiguration: Sendable, Equatable {
  /// A file of certificates (PEM) to trust instead of the system's own.
  public var authoritiesFile: String?
  /// The network interface to send by, for example `wwan0`; `nil` leaves it to the routes. Names
  /// are still resolved by the system's resolver, whatever interface that uses.
  public var interface: String?
  /// A proxy as `http://host:port`, without user name and password. `nil` is none: the variables
  /// of the environment are not read.
  public var proxy: String?
  public var userAgent = "trailtracker"
  /// For name, connection and TLS. A 3G link that has just come up takes 2 to 10 s.
  public var connectTimeout: Milliseconds = .seconds(30)
  /// For the whole of a request with its answer.
  public var totalTimeout: Milliseconds = .minutes(3)
  /// A transfer slower than this for `slowPeriod` is given up, bytes per second.
  public var slowestBytesPerSecond: Int32 = 10
  /// In whole seconds. It also bounds how long a server may think before it answers.
  public var slowPeriod: Milliseconds = .seconds(60)

  public init() {}
}
