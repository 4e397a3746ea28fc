/// Every bound of the services, with its reason.
enum Bounds {
  /// A where clause: 1500 GlobalIDs in a list.
  static let whereBytes = 64 << 10
  /// Nesting of parentheses and NOTs in a where clause: the parser recurses for each.
  static let whereDepth = 64
  /// Comparisons in a where clause: SQLite allows expressions 1000 deep.
  static let whereTerms = 900
  /// Values in a where clause: SQLite binds 32 766.
  static let whereValues = 16_000
  /// Objects requested by number.
  static let objectIDs = 100_000
  /// Features in one edit; the bound on a request's body is usually reached first.
  static let featuresInEdit = 100_000
  /// Tokens valid at the same time. If there are more the oldest is dropped.
  static let tokens = 4096
  /// The lifetime of a token unless a client asks for a shorter one (Esri: 60 minutes).
  static let tokenSeconds = 3600
  /// How long a fault given on the command line may delay an answer.
  static let lateMilliseconds = 600_000
}
