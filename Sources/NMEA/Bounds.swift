/// The bounds of the decoder, with their reasons. The tracker's own are in
/// TrackerCore/Bounds.swift.
public enum NMEABounds {
  /// Longest line kept while waiting for its end. NMEA 0183 allows 82 characters; receivers exceed
  /// it (GGA with eight decimals, GNS, proprietary ones up to about 250), and a TAG block adds up
  /// to 80. A longer line is counted as `tooLong` and discarded up to its end.
  public static let lineBytes = 512

  /// Buffer for such a line; its size is `lineBytes`.
  typealias LineBuffer = InlineArray<512, UInt8>
}
