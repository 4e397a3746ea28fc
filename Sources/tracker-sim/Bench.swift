import CBareLoop
import Glibc
import NMEA

/// `tracker-sim bench`: how fast this machine decodes, as a ratio to the least that must be done.
enum Bench {
  /// What a log of 32 hours at one report per second measured.
  struct DecoderResult {
    var bytes: Int
    var sentences: Int
    var epochs: Int
    var decoderSeconds: Double
    var bareLoopSeconds: Double

    /// The decoder's speed as a part of the bare loop's; the bar is a third.
    ///
    /// The median of the ratios within each run: what else the machine does slows both down.
    var ratio: Double
  }

  /// Decodes the log of 32 hours, and runs the bare loop over the same bytes in turn.
  ///
  /// - Parameter runs: how many of each; the medians count.
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
      // Both must have done their work.
      precondition(Int(good) == result.sentences, "the loops disagree about the good lines")
      precondition(epochs == seconds, "an epoch for each second")
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
      ratio      \(fixed(result.ratio)) of the bare loop's speed (the bar is 0.33)

      """
  }

  /// Two decimals.
  private static func fixed(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
