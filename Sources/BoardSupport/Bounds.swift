import TrackerCore

/// The bounds of boards, settings and scenarios, with their reasons.
public enum FileBounds {
  /// The largest settings file that is read, bytes. The largest of ours has some 8 KiB; a file of
  /// megabytes is a mistake, such as a trace instead of a board.
  public static let bytes = 1 << 20
  /// Of a server's address and of the name of a certificate in the modem, in a controller: what
  /// `FirmwareSettings.Server` has room for, bytes.
  static let controllerAddress = 136
  static let controllerAuthority = 32
  /// The latest time in a scenario: far beyond any race.
  static let latestElapsed = Milliseconds.hours(1000)
}
