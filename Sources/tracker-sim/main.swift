import Glibc

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "synth": exit(synth(Array(arguments.dropFirst())))
default:
  printError("tracker-sim: give a command: tracker-sim synth --help")
  exit(2)
}
