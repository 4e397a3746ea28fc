/// Every bound of the server, with its reason; those of the service are in FeatureService.
enum Bounds {
  /// A request's body: twice the size of 48 hours of captures every ten seconds in one request.
  static let bodyBytes = 16 << 20
  /// A request's line and headers. QGIS requests a hundred objects by number in one address.
  static let headerBytes = 128 << 10
  /// Connections at once, with a thread each: forty trackers and their viewers.
  static let connections: UInt32 = 128
  /// Silence on a connection before it is closed.
  static let idleSeconds: UInt32 = 60
  /// A chain of a few certificates is some 10 kB long.
  static let certificateBytes = 1 << 20
  /// A course file; the race's own is 200 kB.
  static let courseBytes = 16 << 20
}
