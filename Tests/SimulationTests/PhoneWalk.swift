@testable import Simulation
@testable import tracker_sim

/// The walk on which the race's organisers tried a phone in 2013: 280 minutes on foot and by metro.
///
/// What is known of it: its length, that it was on foot and by metro, and that walking took 7 min
/// for 500 m. It is not known how long and how often they rode, nor that they rested. So this has
/// three walks of 80 min at that pace, straight and level, without a rest, and between them two
/// rides of 20 min. On these they come 9 km further: 27 km/h, with stops, is an assumption. The
/// receiver has no fix in the tunnel.
///
/// It was written before the first capture on it was counted, and not changed since.
enum PhoneWalk {
  static let minutes = 280
  private static let start = 8 * 60
  private static let walk = 80
  private static let ride = 20
  /// 500 m in 7 min.
  private static let kilometresPerHour = 4.3
  private static let kilometresByMetro = 9.0
  /// Somewhere in Barcelona, walking east.
  private static let latitude = 41.4
  private static let longitude = 2.0
  /// Of a degree of longitude at that latitude.
  private static let kilometresPerDegree = 83.5

  /// The trace, with a report each second.
  static func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var minute = 0
    var kilometres = 0.0
    for leg in 0..<5 {
      let isRide = leg % 2 == 1
      let length = isRide ? ride : walk
      bytes += try part(
        at: kilometres, from: minute, length: length,
        isRide ? "--tunnel 0s-\(length)min" : "", seed: leg + 1)
      minute += length
      kilometres +=
        isRide ? kilometresByMetro : kilometresPerHour * Double(length) / 60
    }
    return bytes
  }

  /// One walk or ride, by `tracker-sim synth` with these options.
  private static func part(
    at kilometres: Double, from minute: Int, length: Int, _ more: String, seed: Int
  ) throws -> [UInt8] {
    let (hour, rest) = ((start + minute) / 60, (start + minute) % 60)
    let time = "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest):00"
    let synth = try readSynth(
      "--start 2026-04-18T\(time)Z --duration \(length)min --pace \(kilometresPerHour) "
        + "--checkpoint-rest 0-0 --night none --seed \(seed) \(more)")
    let west = longitude + kilometres / kilometresPerDegree
    let street = [west, west + 0.12].map {
      Course.Point(latitude: latitude, longitude: $0, altitude: 20)
    }
    var trace = try Synthesizer(
      options: synth.options, course: Course(name: "street", points: street),
      command: synth.command)
    var bytes: [UInt8] = []
    while let chunk = trace.nextChunk() { bytes += chunk }
    return bytes
  }
}
