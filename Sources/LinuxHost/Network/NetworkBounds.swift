/// The bounds of what the network may cost, each with its reason.
public enum NetworkBounds {
  /// Real answers have about 1 KiB of headers.
  public static let headerBytes = 64 << 10
  /// One server, and one left over while another of its addresses is tried.
  public static let keptConnections = 4
  /// Requests under way at once. The dialogue with a server has one; a person may add some.
  public static let transfers = 16
  /// A file of secrets holds a handful of lines.
  public static let secretsFileBytes = 64 << 10
}
