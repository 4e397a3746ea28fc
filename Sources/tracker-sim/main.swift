import Glibc

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "replay": exit(Replay.run(Array(words.dropFirst())))
case "decode": exit(Decode.run(Array(words.dropFirst())))
case "synth": exit(synth(Array(words.dropFirst())))
case "stats": exit(Stats.run(Array(words.dropFirst())))
case "compare": exit(Compare.run(Array(words.dropFirst())))
case "plan": exit(Plan.run(Array(words.dropFirst())))
case "board": exit(BoardCommand.run(Array(words.dropFirst())))
case "passages": exit(PassagesCommand.run(Array(words.dropFirst())))
case "bench": exit(Bench.run(Array(words.dropFirst())))
default: exit(Simulate.run(words))
}
