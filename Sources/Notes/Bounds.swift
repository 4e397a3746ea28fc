/// The bounds of notes, with their reasons.
public enum NoteBounds {
  /// A text: three text messages of a telephone, as messages to a tracker.
  public static let textScalars = 500
  public static let authorScalars = 100
  public static let categoryScalars = 20
  /// A device's identifier has 36 characters.
  static let writerBytes = 36
  /// Of one writer: far more than anybody writes, and no sum overflows.
  static let versionsOfWriter: UInt32 = 1_000_000
  /// Writers whose versions one has seen: the room, and the boards that a team carried one after
  /// the other.
  static let seenWriters = 8
  /// Versions that one side keeps of a team's notes: 1 MB at most. What others write stops before,
  /// so that it never keeps the team from writing.
  public static let versionsKept = 2000
  public static let versionsTaken = 1500
}
