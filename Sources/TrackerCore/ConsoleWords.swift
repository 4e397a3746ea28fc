/// What a controller's console says as the field console does, which has it in the other
/// languages, too. `{1}` to `{6}` stand for values.
public enum ConsoleWords {
  // The verdict.
  public static var capturesSetAside: StaticString { "captures set aside" }
  public static var neverReached: StaticString { "no server reached since the start" }
  public static var firstContact: StaticString { "waiting for the first contact" }
  public static var emergency: StaticString { "EMERGENCY" }

  // Captures by what has become of them: how many.
  public static var waiting: StaticString { "{1} waiting" }
  public static var delivered: StaticString { "{1} delivered" }
  public static var setAside: StaticString { "{1} set aside" }

  // The proof that none is missing.
  public static var proofHead: StaticString { "All captures of this tracker, by its store:" }
  /// The tracker, its first and last number, how many there are, by what has become of them, and
  /// how many are missing.
  public static var proofDevice: StaticString {
    "{1}: {2} to {3}; captured {4}: {5}; gaps {6}"
  }
  public static var proofComplete: StaticString { "complete: none is missing" }
  public static var proofMissing: StaticString { "INCOMPLETE: {1} missing" }
}
