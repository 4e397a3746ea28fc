/// Every bound of the receiver, with its reason.
enum Bounds {
  /// A request's body: 48 hours of captures every ten seconds, in one request, are half of it.
  static let bodyBytes = 16 << 20
  /// A request's line and headers. QGIS asks for a hundred objects by their numbers.
  static let headerBytes = 128 << 10
  /// Connections at once, a thread each; forty trackers and those who watch them.
  static let connections: UInt32 = 128
  /// Silence on a connection before it is closed.
  static let idleSeconds: UInt32 = 60
  /// A where clause: 1500 GlobalIDs in a list.
  static let whereBytes = 64 << 10
  /// Parentheses and NOTs in one another in a where clause: the parser calls itself for each.
  static let whereDepth = 64
  /// Comparisons in a where clause: SQLite takes expressions 1000 deep.
  static let whereTerms = 900
  /// Values in a where clause: SQLite binds 32 766.
  static let whereValues = 16_000
  /// Objects asked for by their numbers.
  static let objectIDs = 100_000
  /// Features in one edit; the body's bound comes first for all but the emptiest.
  static let featuresInEdit = 100_000
  /// Tokens that are valid at the same time. The oldest goes when there are more.
  static let tokens = 4096
  /// The life of a token that nobody asked to be shorter (Esri: 60 minutes).
  static let tokenSeconds = 3600
  /// A chain of a few certificates has some 10 kB.
  static let certificateBytes = 1 << 20
  /// A course file; the race's own is 200 kB.
  static let courseBytes = 16 << 20
  /// How long a fault may hold up an answer.
  static let delayMilliseconds = 600_000
}
