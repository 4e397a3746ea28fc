import Glibc

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "decode": exit(Decode.run(path: words.count > 1 ? words[1] : "-"))
case "synth": exit(synth(Array(words.dropFirst())))
case "bench": print(Bench.report(Bench.measureDecoder()))
default: exit(Simulate.run(words))
}
