import Foundation
import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// What a failing test says to do.
func again(_ suite: String) -> Comment { "repeat with: swift test --filter \(suite)" }

let start = UTC(milliseconds: 1_349_517_600_000)

func capture(_ sequence: UInt32, team: InlineText<64> = InlineText("Els Senglars")) -> Capture {
  var capture = Capture(
    sequence: sequence, utc: start + Milliseconds(Int64(sequence) * 1000), isTimeTrusted: true,
    position: Coordinate(latitude: 418_000_000 + Int32(sequence % 1000), longitude: 21_000_000),
    team: team, trigger: .interval)
  capture.altitudeMillimetres = 712_300
  capture.speedMillimetresPerSecond = 1400
  capture.courseMillidegrees = 271_500
  capture.accuracyMetres = 5
  capture.satellites = 9
  capture.batteryPercent = 77
  capture.batteryMillivolts = 3812
  return capture
}

/// A directory of its own, removed with the object.
final class Scratch {
  let folder: String
  private let isOwn: Bool
  /// A folder that somebody else removes.
  init(_ folder: String) {
    self.folder = folder
    isOwn = false
  }
  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("capture-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = url.path
    isOwn = true
  }
  deinit { if isOwn { try? FileManager.default.removeItem(atPath: folder) } }
  var path: String { folder + "/race.store" }
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
  func bytes(_ tail: String = "") -> [UInt8] {
    Array(FileManager.default.contents(atPath: path + tail) ?? Data())
  }
  func write(_ bytes: [UInt8], _ tail: String = "") throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + tail))
  }
  func open(limits: StoreLimits = StoreLimits(), at now: UTC = start) throws(StoreError)
    -> CaptureStore
  {
    try CaptureStore.open(.file(path), limits: limits, at: now)
  }
}

extension Scratch {
  /// Changes a row and lets its checksum fit.
  func change(
    _ table: String, _ change: String, where condition: String, _ columns: String
  ) throws {
    let database = try SQLiteDatabase.store(path: path)
    let rows =
      try database.text("SELECT group_concat(rowid) FROM \(table) WHERE \(condition)") ?? ""
    try database.execute("UPDATE \(table) SET \(change) WHERE rowid IN (\(rows))")
    try database.execute("UPDATE \(table) SET checksum = row_checksum(\(columns))")
  }
}

extension CaptureStore {
  func fill(_ count: Int) throws(StoreError) {
    for _ in 0..<count { try append(capture(nextSequence), at: start) }
  }
  /// Makes room for captures until there is no more to be made, or `most` are gone; a small store
  /// drops one at a time.
  ///
  /// - Returns: how many are gone.
  @discardableResult
  func makeRoom(atMost most: Int = .max) throws(StoreError) -> Int {
    var all = 0
    while all < most {
      let dropped = try dropAcknowledged(atMost: most - all)
      if dropped == 0 { break }
      all += dropped
    }
    return all
  }
  func numbers(_ state: CaptureState? = nil) throws(StoreError) -> [UInt32] {
    try page(limit: .max, state: state).map(\.capture.sequence)
  }
}

/// The error of a store that shall not open; `nil` when it does.
func refusal(_ body: () throws(StoreError) -> CaptureStore) -> StoreError? {
  do throws(StoreError) {
    _ = try body()
    return nil
  } catch { return error }
}

extension MachineTime {
  /// For a store that is not used again after a restart.
  init(now: Instant, date: UTC) { self.init(boot: "", now: now, sinceBoot: 0, date: date) }
}
