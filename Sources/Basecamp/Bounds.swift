/// Every bound of the receiver, with its reason; those of the services stand with them.
enum Bounds {
  /// A request's body: 48 hours of captures every ten seconds, in one request, are half of it.
  static let bodyBytes = 16 << 20
  /// A request's line and headers. QGIS asks for a hundred objects by their numbers.
  static let headerBytes = 128 << 10
  /// Connections at once, a thread each; forty trackers and those who watch them.
  static let connections: UInt32 = 128
  /// Silence on a connection before it is closed.
  static let idleSeconds: UInt32 = 60
  /// A chain of a few certificates has some 10 kB.
  static let certificateBytes = 1 << 20
  /// A course file; the race's own is 200 kB.
  static let courseBytes = 16 << 20
}
