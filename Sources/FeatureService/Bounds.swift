/// Every bound of the services, with its reason.
enum Bounds {
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
  /// Features in one edit; the bound on a request's body comes first for all but the emptiest.
  static let featuresInEdit = 100_000
  /// Tokens that are valid at the same time. The oldest goes when there are more.
  static let tokens = 4096
  /// The life of a token that nobody asked to be shorter (Esri: 60 minutes).
  static let tokenSeconds = 3600
  /// How long a fault of the command line may hold up an answer.
  static let lateMilliseconds = 600_000
}
