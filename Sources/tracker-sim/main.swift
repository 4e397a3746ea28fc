import Glibc

let words = Array(CommandLine.arguments.dropFirst())
// A closed pipe (`| head`) is then an error of the next write and does not kill the process.
signal(SIGPIPE, SIG_IGN)
switch words.first {
case "replay": exit(Replay.run(Array(words.dropFirst())))
case "decode": exit(Decode.run(Array(words.dropFirst())))
case "synth": exit(synth(Array(words.dropFirst())))
case "bench": exit(Bench.run(Array(words.dropFirst())))
default: exit(Simulate.run(words))
}
