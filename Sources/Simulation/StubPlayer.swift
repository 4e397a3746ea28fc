import TrackerCore
import Glibc
public struct TracePlayer: ~Copyable {
  public var bytesRead: Int64 { 0 }
  public var totalBytes: Int64? { nil }
  var lines: [[UInt8]] = []
  var i = 0
  var t0: Int64? = nil
  var cur: [UInt8] = []
  public init(path: String) throws(TraceError) {
    guard let f = fopen(path, "r") else { throw TraceError(path: path, reason: .missing) }
    var b = [CChar](repeating: 0, count: 2000)
    var acc: [UInt8] = []
    while fgets(&b, 2000, f) != nil {
      let l = b.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      if l.count > 6, l[3] == 82, l[4] == 77, !acc.isEmpty { lines.append(acc); acc = [] }
      acc += l
    }
    lines.append(acc)
    fclose(f)
  }
  var at: Int64 = -1000
  var lastTod: Int64? = nil
  public mutating func nextBurst() throws(TraceError) -> Instant? {
    guard i < lines.count else { return nil }
    cur = lines[i]; i += 1
    var step: Int64 = 1000
    if let k = (0..<max(0, cur.count - 20)).first(where: { cur[$0] == 36 && cur[$0+3] == 82 }) {
      func d(_ n: Int) -> Int64 { Int64(cur[k+n]) - 48 }
      if cur[k+7] != 44 {
      let tod = ((d(7)*10+d(8))*3600 + (d(9)*10+d(10))*60 + d(11)*10+d(12)) * 1000
      if let l = lastTod { step = tod - l; if step < 0 { step += 86_400_000 } }
      lastTod = tod
      }
    }
    at += step
    return Instant(milliseconds: max(0,at))
  }
  public mutating func read(into buffer: inout MutableSpan<UInt8>) -> Int {
    let n = min(cur.count, buffer.count)
    for j in 0..<n { buffer[j] = cur[j] }
    cur.removeFirst(n)
    return n
  }
}
