import TrackerCore

/// The content of a synthetic trace. Moments are counted from the beginning of the trace.
public struct SynthOptions: Sendable, Equatable {
  /// Title of the trace, for its header.
  public var name = "synth"
  /// A remark for the header.
  public var comment: String?
  public var seed: UInt64 = 1

  /// A GeoJSON file, or `nil` for `Course.olotToTheSea`.
  public var courseFile: String?
  /// The part of the course that is walked, in kilometres from its start.
  public var fromKilometres = 0.0
  public var toKilometres: Double?

  public var start = UTC(milliseconds: 1_776_499_200_000)
  /// Length of the trace; `nil`: until ten minutes after the arrival.
  public var duration: Milliseconds?
  /// Speed of a fresh team by day on the flat, in km/h.
  public var paceKilometresPerHour = 5.4
  /// The rest at each checkpoint, in minutes.
  public var checkpointRestMinutes = 10...40
  /// The night in UTC, in minutes of the day; `nil`: none.
  public var night: Night? = Night(fromMinute: 19 * 60, toMinute: 5 * 60)

  public var sentences: [SynthSentence] = [.rmc, .gga]
  public var constellations = Constellations.gps
  /// Time between two reports. A multiple of 10 ms, because times in sentences have hundredths.
  public var interval: Milliseconds = 1000
  /// Horizontal error in metres, one standard deviation on each axis at HDOP 1.
  public var noiseMetres = 2.5

  public var coldStart: Milliseconds = 0
  public var rests: [TimeSpan] = []
  public var dropouts: [TimeSpan] = []
  public var tunnels: [TimeSpan] = []
  public var canyons: [TimeSpan] = []
  public var garbage: [TimeSpan] = []
  /// Percentage of sentences that are damaged while there is garbage on the line.
  public var garbagePercent = 20
  /// When the receiver's dates begin to be 1024 weeks early.
  public var weekRollover: Milliseconds?

  public init() {}

  public struct Night: Sendable, Equatable {
    public var fromMinute: Int
    public var toMinute: Int

    public init(fromMinute: Int, toMinute: Int) {
      self.fromMinute = fromMinute
      self.toMinute = toMinute
    }

    func contains(minute: Int) -> Bool {
      fromMinute <= toMinute
        ? fromMinute <= minute && minute < toMinute : minute >= fromMinute || minute < toMinute
    }
  }
}

/// The sentences that can be written, by their NMEA 0183 names.
public enum SynthSentence: String, Sendable, Equatable, CaseIterable {
  case rmc, vtg, gga, gsa, gsv, gll, gns, zda
}

/// The systems that the receiver uses, which determine its talker.
public enum Constellations: String, Sendable, Equatable {
  /// Only GPS, talker GP.
  case gps = "gp"
  /// GPS and GLONASS, talker GN; GSV as GP and GL.
  case gpsAndGLONASS = "gn"
}
