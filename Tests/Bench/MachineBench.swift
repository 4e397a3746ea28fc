import BareLoops
import BoardSupport
import CommandLineSupport
import NMEA

/// `bench`: measures the decoder, the closed loop, the recorder and the capture store,
/// as ratios to bare loops in C where there is one.
enum MachineBench {
  private static let hours = 32

  static func run() throws {
    try printOut(report(measureDecoder()))
    let log = BenchData(seconds: hours * 3600).bytes
    let short = Array(log.prefix(log.count / 8))
    let bareLoop = measureBareLoop(log)
    let whole = try ClosedLoopBench.measure(log, runs: 5)
    let eighth = try ClosedLoopBench.measure(short, runs: 1)
    try printOut(
      report(whole, eighth, bareLoopSeconds: bareLoop, sentences: 7 * hours * 3600) + "\n")
    let recorded = try ClosedLoopBench.measure(log, runs: 5, isRecording: true)
    try printOut(report(recorded, without: whole, logBytes: log.count))
    try printOut(
      "\ndurable queue, on the disk of \(temporaryDirectory)\n"
        + StoreBench.measure(in: temporaryDirectory).report)
  }

  private static func measureBareLoop(_ log: [UInt8]) -> Double {
    median(
      (0..<5).map { _ in
        let start = now()
        _ = log.withUnsafeBufferPointer { bare_loop_count_good_lines($0.baseAddress, $0.count) }
        return now() - start
      })
  }

  private static func report(
    _ whole: ClosedLoopBench, _ eighth: ClosedLoopBench, bareLoopSeconds: Double, sentences: Int
  ) -> String {
    func megabytes(_ kilobytes: Int) -> String { fixed(Double(kilobytes) * 1024 / 1e6) }
    let realTime = Int(Double(hours * 3600) / whole.seconds)
    return """

      closed loop: tracker-sim --trace on the same log, in a separate process
      time       \(fixed(whole.seconds)) s for \(hours) h: \(realTime) x real time, \
      \(Int(Double(sentences) / whole.seconds)) sentences/s
      ratio      \(fixed(whole.seconds / bareLoopSeconds)) x the bare loop's time (target: 8)
      memory     \(megabytes(whole.peakKilobytes)) MB at the peak, \
      \(megabytes(eighth.peakKilobytes)) MB on an eighth of the log (limit: 32 MB)
      """
  }

  private static func report(
    _ recorded: ClosedLoopBench, without: ClosedLoopBench, logBytes: Int
  ) -> String {
    let hourly = Double(recorded.recordedBytes) / Double(hours) / 1e6
    let cost = (recorded.seconds - without.seconds) / Double(hours) * 1000
    return """

      flight recorder, in the same closed loop
      size       \(fixed(hourly)) MB per hour, \
      \(fixed(Double(recorded.recordedBytes) / Double(logBytes))) x the log
      time       \(fixed(recorded.seconds / without.seconds)) x without it: \
      \(fixed(cost)) ms per hour

      """
  }

  /// The decoder's figures for a log of 32 hours at one report per second.
  struct DecoderResult {
    var bytes: Int
    var sentences: Int
    var epochs: Int
    var decoderSeconds: Double
    var bareLoopSeconds: Double

    /// The decoder's speed relative to the bare loop's; it should be at least half.
    ///
    /// The median of the ratios of each run: other load on the machine slows both down.
    var ratio: Double
  }

  /// Runs the bare loop and the decoder over the log in turn.
  ///
  /// - Parameter runs: how many runs of each; the result has their medians.
  static func measureDecoder(seconds: Int = 32 * 3600, runs: Int = 9) -> DecoderResult {
    let log = BenchData(seconds: seconds).bytes
    var result = DecoderResult(
      bytes: log.count, sentences: 0, epochs: 0, decoderSeconds: 0, bareLoopSeconds: 0,
      ratio: 0)
    var decoderTimes: [Double] = []
    var bareLoopTimes: [Double] = []
    for _ in 0..<runs {
      let start = now()
      let good = log.withUnsafeBufferPointer {
        bare_loop_count_good_lines($0.baseAddress, $0.count)
      }
      let middle = now()
      var decoder = Decoder()
      var position = 0
      var epochs = 0
      while decoder.next(in: log.span, from: &position) != nil { epochs += 1 }
      while decoder.finish() != nil { epochs += 1 }
      let end = now()
      bareLoopTimes.append(middle - start)
      decoderTimes.append(end - middle)
      result.sentences = Int(decoder.counts.accepted)
      result.epochs = epochs
      // Both must have processed every line.
      precondition(Int(good) == result.sentences, "the loops count different numbers of lines")
      precondition(epochs == seconds, "the decoder must find one epoch per second")
    }
    result.decoderSeconds = median(decoderTimes)
    result.bareLoopSeconds = median(bareLoopTimes)
    result.ratio = median(zip(bareLoopTimes, decoderTimes).map { $0 / $1 })
    return result
  }

  static func report(_ result: DecoderResult) -> String {
    let megabytes = Double(result.bytes) / 1e6
    func line(_ name: String, _ seconds: Double) -> String {
      let sentences = Double(result.sentences) / seconds / 1e6
      return "\(name)  \(Int(megabytes / seconds)) MB/s  \(fixed(sentences)) million sentences/s"
    }
    return """
      log        \(fixed(megabytes)) MB, \(result.sentences) sentences, \(result.epochs) epochs
      \(line("bare loop", result.bareLoopSeconds))
      \(line("decoder  ", result.decoderSeconds))
      ratio      \(fixed(result.ratio)) of the bare loop's speed (target: 0.5)

      """
  }

  static func board() throws -> BoardDescription {
    try BoardDescription.load(named: "pi-zero-2w-sim7600")
  }

  /// Two decimals.
  static func fixed(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }

  private static let start = ContinuousClock.now

  /// Seconds.
  static func now() -> Double { start.duration(to: .now) / .seconds(1) }
}
