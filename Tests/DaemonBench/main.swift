import Foundation

// What trackerd costs beside gpsd: the same receiver's sentences go to both at once, over a
// pseudo-terminal each, 1 Hz and seven sentences, one by one as a serial line brings them.
//
//     swift run -c release daemon-bench [SECONDS] [GATHERING...]
//
// GATHERING are values of the setting of that name, '250 ms', one tracker for each.
//
//     swift run -c release daemon-bench status [CAPTURES]
//
// How long a status takes with so many captures in the store.

let words = CommandLine.arguments.dropFirst()
let seconds = words.first.flatMap { Int($0) } ?? 120
let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  .deletingLastPathComponent()
let program = beside.appendingPathComponent("trackerd").path
if words.first == "status" {
  do {
    try StatusBench.run(words.dropFirst().first.flatMap { UInt32($0) } ?? 100_000, beside)
    exit(0)
  } catch {
    FileHandle.standardError.write(Data("daemon-bench: \(error)\n".utf8))
    exit(2)
  }
}
let gatherings = words.dropFirst().isEmpty ? [nil] : words.dropFirst().map(Optional.some)

do {
  let rivals = try gatherings.map { try Rival.tracker(program, $0) } + [Rival.gpsd()]
  // What a start costs is counted apart from what it costs to run.
  Thread.sleep(forTimeInterval: 5)
  let before = try rivals.map { try $0.usage() }
  for second in 0..<seconds {
    for sentence in Sentences.at(second) {
      for rival in rivals { rival.feed(sentence) }
      Thread.sleep(forTimeInterval: 0.07)
    }
    Thread.sleep(forTimeInterval: 0.51)
  }
  for (rival, before) in zip(rivals, before) {
    print(try rival.report(since: before, seconds: Double(seconds)))
  }
} catch {
  FileHandle.standardError.write(Data("daemon-bench: \(error)\n".utf8))
  exit(2)
}
