/// The bounds of map tiles, with their reasons.
public enum TileBounds {
  /// Zoom levels: at 24 a tile of 256 pixels is 2.4 m wide at the equator; nobody draws more.
  static let zooms: ClosedRange<Int> = 0...24
  /// Bytes of an image: tiles of 256 pixels have 5 to 60 KB, those of 1024 pixels up to 1 MB.
  static let mostBytes = 1 << 20
  /// Pixels of a side: a viewer needs four bytes for each, whatever the file's size.
  static let longestSide = 1024
  /// Tiles of a picture: 42 fill a picture of 720 by 632 units with tiles of 128 to 256 units.
  static let mostInPicture = 96
  /// Bytes of a picture's tiles; as text in a page a third more. A telephone gets it in the field.
  public static let pictureBytes = 1_500_000
  /// Characters of an attribution: it is a line or two below a map.
  static let attributionLength = 300
  /// Steps of SQLite's virtual machine between two looks at how many there were.
  static let stepsPerLook: Int32 = 100_000
  /// Looks in a question: a second or less. A file whose `tiles` is a view may ask for any amount
  /// of work; one without an index, in which all is searched, may have some 100 000 tiles.
  static let mostLooks = 200
}
