import Courses
import TrackerCore

/// A walk by a GPX file: a receiver goes where and when the file says. A file without times is
/// walked like a course of `synth`.
struct GPXWalk {
  private(set) var synthesizer: Synthesizer
  let places: [(name: String?, point: Course.Point)]

  init(_ bytes: [UInt8], path: String) throws(SynthProblem) {
    let file: GPXFile
    do throws(CourseProblem) { file = try GPXFile(bytes) } catch {
      throw SynthProblem(error.description)
    }
    places = file.places.map { ($0.name, $0.point) }
    let points = file.segments.flatMap { $0.map(\.place) }
    var options = SynthOptions()
    options.name = file.name ?? "GPX"
    let diary = try Diary(file)
    let course: Course
    if let diary {
      course = Course(name: options.name, points: points)
      options.start = diary.start
      options.duration = diary.duration + 1000
      options.tunnels = diary.gaps
    } else {
      course = try Course(
        line: points, places: places, name: options.name, source: "")
    }
    synthesizer = try Synthesizer(
      options: options, course: course, command: "tracker-sim --trace \(printable(path))",
      diary: diary)
  }
}
