import BareLoops
import CaptureStore
import SystemCalls
import TrackerCore

/// The capture store's write speed, as a ratio to a bare loop over SQLite in C.
///
/// Both run in turn on the same disk, with the same settings and rows, one transaction per row.
struct StoreBench {
  /// The store's speed relative to the bare loop's: the median of the turns' ratios. It should be
  /// at least 0.9.
  var ratio: Double
  var storePerSecond: Double
  var barePerSecond: Double
  /// Bytes passed to write calls, per capture; `nil` if the kernel does not count them.
  var bytesPerCapture: Double?
  /// A backlog of 48 h at 10 s, selected and acknowledged in batches of 100.
  var backlogCaptures: Int
  var backlogSeconds: Double

  /// - Parameters:
  ///   - folder: a folder on the disk to measure; the files created in it are removed.
  ///   - rows: captures per turn.
  ///   - turns: turns of each; the result has their medians.
  static func measure(
    in folder: String, rows: Int = 3000, turns: Int = 9
  ) throws(StoreError) -> StoreBench {
    var store: [Double] = []
    var bare: [Double] = []
    var bytes: Double?
    for turn in 0..<turns {
      // The order alternates, so that changes in the disk's speed affect both equally.
      if turn % 2 == 0 { bare.append(try bareSeconds(folder, rows)) }
      let before = bytesWritten()
      store.append(try storeSeconds(folder, rows))
      if let before, let after = bytesWritten() { bytes = Double(after - before) / Double(rows) }
      if turn % 2 == 1 { bare.append(try bareSeconds(folder, rows)) }
    }
    let (count, seconds) = try backlog(folder)
    return StoreBench(
      ratio: median(zip(bare, store).map { $0 / $1 }),
      storePerSecond: Double(rows) / median(store), barePerSecond: Double(rows) / median(bare),
      bytesPerCapture: bytes, backlogCaptures: count, backlogSeconds: seconds)
  }

  var report: String {
    """
    store      \(Int(storePerSecond)) captures/s on disk, one transaction each
    bare loop  \(Int(barePerSecond)) rows/s, SQLite from C with the same settings
    ratio      \(Int((ratio * 100).rounded())) % of the bare loop's speed (target: 90 %)
    written    \(bytesPerCapture.map { "\(Int($0)) bytes per capture" } ?? "not counted here")
    backlog    \(backlogCaptures) selected and acknowledged in batches of 100 in \
    \(Int(backlogSeconds * 1000)) ms

    """
  }

  private static let start = UTC(milliseconds: 1_349_517_600_000)

  private static func capture(_ sequence: UInt32) -> Capture {
    var capture = Capture(
      sequence: sequence, utc: start + Milliseconds(Int64(sequence) * 1000), isTimeTrusted: true,
      position: Coordinate(latitude: 418_000_000 + Int32(sequence % 1000), longitude: 21_000_000),
      team: InlineText("Els Senglars"), trigger: .interval)
    capture.altitudeMillimetres = 712_300
    capture.speedMillimetresPerSecond = 1400
    capture.courseMillidegrees = 271_500
    capture.accuracyMetres = 5
    capture.satellites = 9
    capture.batteryPercent = 77
    capture.batteryMillivolts = 3812
    return capture
  }

  private static func storeSeconds(_ folder: String, _ rows: Int) throws(StoreError) -> Double {
    let path = folder + "/bench.store"
    defer { remove(path) }
    let store = try CaptureStore.open(.file(path), at: start)
    let begin = MachineBench.now()
    for sequence in 1...UInt32(rows) {
      try store.append(capture(sequence), at: start + Milliseconds(Int64(sequence) * 1000))
    }
    return MachineBench.now() - begin
  }

  private static func bareSeconds(_ folder: String, _ rows: Int) throws(StoreError) -> Double {
    let path = folder + "/bench.bare"
    remove(path)
    defer { remove(path) }
    let seconds = bare_store_append(path, Int32(rows))
    guard seconds > 0 else { throw StoreError(.inputOutput, path: path, detail: "bare loop") }
    return seconds
  }

  private static func backlog(_ folder: String) throws(StoreError) -> (Int, Double) {
    let path = folder + "/bench.store"
    defer { remove(path) }
    let count = 48 * 360
    let store = try CaptureStore.open(.file(path), at: start)
    for sequence in 1...UInt32(count) { try store.append(capture(sequence), at: start) }
    let begin = MachineBench.now()
    var isFresh = true
    while store.counts.pending > 0 {
      // As the core sends: the newest first, then the oldest.
      let batch = try store.select(isFresh ? .freshest(limit: 100) : .oldest(limit: 100), at: start)
      isFresh = false
      try store.acknowledge(batch.map(\.key), at: start)
    }
    return (count, MachineBench.now() - begin)
  }

  private static func remove(_ path: String) {
    for tail in ["", "-wal", "-shm", ".lock"] { try? removeFile(path + tail) }
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// `wchar` of /proc/self/io: bytes passed to write calls.
  private static func bytesWritten() -> Int? {
    let file = try? Descriptor(opening: "/proc/self/io", .read)
    guard let bytes = try? file?.firstBytes(atMost: 1024) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("wchar:") {
      return Int(line.dropFirst(6).drop { $0 == " " })
    }
    return nil
  }
}
