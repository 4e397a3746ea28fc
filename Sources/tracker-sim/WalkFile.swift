import CommandLineSupport
import Courses
import NMEA
import Reports
import Simulation
import Statistics
import TrackerCore

/// The walks in a file, whatever its format.
enum WalkFile {
  /// One walk, or of an export one for each tracker, with its team's name.
  ///
  /// - Throws: an error of one line that says what, where and what to do.
  static func tracks(in path: String) throws -> [(name: String, points: [TrackPoint])] {
    var file = try TraceFile(path: path)
    let beginning = try file.read(upTo: 65_536)
    if beginning.isEmpty { throw TraceError(path: path, reason: .empty) }
    if GPXFile.isGPX(beginning) {
      let bytes = try rest(of: &file, after: beginning, atMost: 64 << 20)
      do throws(CourseProblem) {
        return [("", try TrackPoint.points(inGPX: bytes))]
      } catch {
        throw UsageError("\(path): \(error)")
      }
    }
    if CaptureImport.isExport(beginning) {
      let bytes = try rest(of: &file, after: beginning, atMost: CaptureImport.largestFile)
      do throws(ImportError) {
        return CaptureImport.tracks(of: try CaptureImport.captures(in: bytes))
      } catch {
        throw UsageError("\(path): \(error)")
      }
    }
    return [("", try points(of: &file, after: beginning))]
  }

  /// The last session of a file with one tracker.
  static func walk(in path: String) throws -> Walk {
    var file = try TraceFile(path: path)
    let beginning = try file.read(upTo: 65_536)
    guard GPXFile.isGPX(beginning) || CaptureImport.isExport(beginning) else {
      return Walk(team: "", points: try points(of: &file, after: beginning))
    }
    let bytes = try rest(of: &file, after: beginning, atMost: Walk.largestFile)
    do { return try Walk(in: bytes) } catch { throw UsageError("\(path): \(error)") }
  }

  /// The course in a file; says on standard error what of it is not taken.
  static func course(in path: String) throws -> MappedCourse {
    let bytes = try InputFile.regularBytes(of: path, atMost: 64 << 20)
    let course: MappedCourse
    do throws(CourseProblem) { course = try MappedCourse(bytes) } catch {
      throw UsageError("\(path): \(error)")
    }
    for doubt in course.doubts.prefix(20) { complain("\(path): \(doubt)") }
    return course
  }

  /// Bytes. All sentences of a receiver at 10 Hz are 7 kB/s: 20 hours.
  private static let largestLog: Int64 = 512 << 20
  /// Bytes. A receiver at the wrong speed sends no more than this before it is found out.
  private static let mostWithoutSentence: Int64 = 4 << 20

  private static func rest(
    of file: inout TraceFile, after beginning: [UInt8], atMost limit: Int
  ) throws -> [UInt8] {
    var bytes = beginning
    while true {
      let more = try file.read(upTo: 1 << 20)
      if more.isEmpty { return bytes }
      bytes += more
      guard bytes.count <= limit else {
        throw UsageError("\(file.path): larger than \(limit >> 20) MiB: use a smaller file")
      }
    }
  }

  private static func points(
    of file: inout TraceFile, after beginning: [UInt8]
  ) throws -> [TrackPoint] {
    var decoder = Decoder()
    var points: [TrackPoint] = []
    var bytes = beginning
    func hasSentence() -> Bool { decoder.counts.accepted > 0 || decoder.counts.ignored > 0 }
    while !bytes.isEmpty {
      var position = 0
      while let epoch = decoder.next(in: bytes.span, from: &position) { add(epoch, to: &points) }
      // Neither a device nor a pipe need ever end.
      if file.bytesRead >= Self.mostWithoutSentence, !hasSentence() { break }
      guard file.bytesRead <= Self.largestLog else {
        throw UsageError(
          "\(file.path): larger than \(Self.largestLog >> 20) MiB: use a smaller file")
      }
      bytes = try file.read(upTo: 65_536)
    }
    while let epoch = decoder.finish() { add(epoch, to: &points) }
    guard hasSentence() else { throw TraceError(path: file.path, reason: .noSentence) }
    return points
  }

  /// A report without a position is no point.
  private static func add(_ epoch: Epoch, to points: inout [TrackPoint]) {
    guard epoch.hasPosition, let latitude = epoch.latitude, let longitude = epoch.longitude else {
      return
    }
    var point = TrackPoint(
      Coordinate(latitude: latitude, longitude: longitude),
      utc: epoch.utcMilliseconds.map { UTC(milliseconds: $0) },
      altitudeMillimetres: epoch.altitudeMillimetres)
    point.speedMillimetresPerSecond = epoch.speedMillimetresPerSecond
    point.accuracyMetres = FixFilter.accuracyMetres(hdopHundredths: epoch.hdopHundredths)
    points.append(point)
  }
}
