import CaptureStore
import Glibc
import TrackerCore

// The victim of the kill test: appends as fast as it can and announces each number that is on disk.
// Now and then it sends and acknowledges, so that death finds those transactions too.
//
//     store-hammer FILE

func announce(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

guard CommandLine.arguments.count == 2 else {
  announce("usage: store-hammer FILE")
  exit(2)
}
do throws(StoreError) {
  var now = UTC(milliseconds: 1_349_517_600_000)
  let store = try CaptureStore.open(.file(CommandLine.arguments[1]), at: now)
  // Nothing is really sent: what was in flight at its death did not arrive.
  try store.release(at: now)
  announce("open \(store.nextSequence) \(store.opening)")
  while true {
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
} catch {
  announce("error \(error)")
  exit(1)
}
