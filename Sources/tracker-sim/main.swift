import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "decode" where arguments.count == 2:
  exit(Decode.run(path: arguments[1]))
case "bench" where arguments.count == 1:
  print(Bench.report(Bench.measureDecoder()), terminator: "")
default:
  complain("usage: tracker-sim decode FILE|-   or   tracker-sim bench")
  exit(2)
}
