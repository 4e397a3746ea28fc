import Simulation
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "decode" where arguments.count == 2:
  exit(Decode.run(path: arguments[1]))
case "playtest":
  do {
    var player = try TracePlayer(path: arguments[1])
    var bursts = 0
    var total = 0
    var last = Int64(0)
    var storage = [UInt8](repeating: 0, count: 4096)
    while let instant = try player.nextBurst() {
      bursts += 1
      last = instant.milliseconds
      var span = storage.mutableSpan
      while true {
        let n = player.read(into: &span)
        if n == 0 { break }
        total += n
      }
    }
    print(bursts, total, player.bytesRead, last)
  } catch let e { complain(e.message) }
case "bench" where arguments.count == 1:
  print(Bench.report(Bench.measureDecoder()), terminator: "")
default:
  complain("usage: tracker-sim decode FILE|-   or   tracker-sim bench")
  exit(2)
}
