import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "decode" where arguments.count == 2:
  exit(Decode.run(path: arguments[1]))
default:
  complain("usage: tracker-sim decode FILE|-")
  exit(2)
}
