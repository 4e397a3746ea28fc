import Foundation
import ModemTerminal
import Simulation

// modem-terminal SCRIPT: the tests' modem as a program of its own. It prints the port that it is
// behind and then each line that it was told, with the time, until it is ended.
// modem-terminal SCRIPT KEY STATUS: a modem that is off, with the pins of a gpio-sim: the file KEY
// has the level of its power key, and the file STATUS gets the pull of its STATUS line.

let words = CommandLine.arguments.dropFirst().map { $0 }
guard let name = words.first, [1, 3].contains(words.count) else {
  print("usage: modem-terminal SCRIPT [KEY STATUS]")
  exit(2)
}
let files = words.dropFirst().map { $0 }
let modem = try ModemTerminal(try ModemScript(named: name), isOn: files.isEmpty)

/// Writes a line at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

func milliseconds() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
}

say(modem.path)
var told = 0
var isPressed = false
var wasOn: Bool?
while true {
  // Seldom without pins: each look costs time where time is virtual.
  Thread.sleep(forTimeInterval: files.isEmpty ? 0.25 : 0.02)
  let heard = modem.heard
  for line in heard.dropFirst(told) { say("\(milliseconds()) \(line)") }
  told = heard.count
  guard files.count == 2 else { continue }
  let level = try String(contentsOfFile: files[0], encoding: .utf8).hasPrefix("1")
  if level != isPressed { modem.setKey(isPressed: level) }
  isPressed = level
  let isOn = modem.isOn
  if isOn != wasOn {
    try (isOn ? "pull-up" : "pull-down").write(toFile: files[1], atomically: false, encoding: .utf8)
  }
  wasOn = isOn
}
