/// How long to wait after a failed upload, before jitter of ±25 %.
///
///     failures in a row    1     2     3      4      5      6       7       8 and more
///     wait               15 s  30 s  60 s  2 min  5 min  10 min  20 min  30 min
///
/// The short waits are for a server that restarts, the long ones for an outage. Because of the cap
/// a server that is back is used within 38 minutes.
enum Backoff {
  static func delay(failures: Int32) -> Milliseconds {
    switch failures {
    case ...1: .seconds(15)
    case 2: .seconds(30)
    case 3: .seconds(60)
    case 4: .minutes(2)
    case 5: .minutes(5)
    case 6: .minutes(10)
    case 7: .minutes(20)
    default: .minutes(30)
    }
  }
}
