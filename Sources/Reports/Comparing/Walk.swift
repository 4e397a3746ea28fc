import Courses
public import Statistics

/// A session from a file, to be compared with another one.
public struct Walk: Sendable {
  /// Its team; empty: not known.
  public var team: String
  public var points: [TrackPoint]

  /// Bytes of a file at most.
  public static let largestFile = CaptureImport.largestFile

  public init(team: String, points: [TrackPoint]) {
    self.team = team
    self.points = points
  }

  /// The last session in an export of one tracker, or a GPX track.
  ///
  /// - Throws: an error of one line, without the file's name.
  public init(in bytes: [UInt8]) throws {
    if GPXFile.isGPX(Array(bytes.prefix(65_536))) {
      self.init(team: "", points: try TrackPoint.points(inGPX: bytes))
      return
    }
    let captures = try CaptureImport.captures(in: bytes)
    guard let last = captures.last, captures.allSatisfy({ $0.device == last.device }) else {
      throw FilePlace().error("it has several trackers; give an export of one")
    }
    let session = Sessions.split(captures.map(\.capture)).last ?? []
    self.init(team: last.team, points: session.map(TrackPoint.init))
  }
}
