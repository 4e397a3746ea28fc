import CaptureStore
import TrackerCore
import Wording

/// Who is killed: appends as fast as it can and announces each number that is on disk. Now and then
/// it sends, acknowledges and prunes, so that death finds those transactions too.
enum Victim {
  /// - Parameter most: after how many captures it closes the store.
  static func live(_ path: String, most: Int) throws(StoreError) {
    var now = UTC(milliseconds: 1_349_517_600_000)
    let store = try CaptureStore.open(.file(path), at: now)
    // Nothing is really sent: what was in flight at its death did not arrive.
    try store.release(at: now)
    announce("open \(store.nextSequence) \(store.device.lowercaseText) \(store.opening)")
    for _ in 0..<most {
      now = now + Milliseconds(1000)
      let sequence = store.nextSequence
      var capture = Capture(
        sequence: sequence, utc: now, isTimeTrusted: true,
        position: Coordinate(latitude: Int32(bitPattern: sequence), longitude: 21_000_000),
        team: InlineText("Els Senglars"), trigger: .interval)
      capture.batteryMillivolts = 3700
      try store.append(capture, at: now)
      announce("\(sequence)")
      guard sequence % 8 == 0 else { continue }
      let sent = try store.select(.oldest(limit: 6), at: now)
      try store.acknowledge(sent.map(\.key), at: now)
      if let last = sent.last { announce("acknowledged \(last.capture.sequence)") }
    }
  }

  private static func announce(_ line: String) { print(line + "\n", to: 1) }
}
