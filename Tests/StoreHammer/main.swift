import CaptureStore
import SystemCalls

//     store-hammer FILE [N]                          lives, and closes the store after N captures
//     store-hammer kills SHIM FOLDER LIVES SEED      kills it so many times, within its writes

func print(_ text: String, to descriptor: Int32) {
  try? writeAll(Array(text.utf8), to: descriptor)
}

let words = CommandLine.arguments
if words.count == 6, words[1] == "kills", let lives = Int(words[4]), let seed = UInt64(words[5]) {
  var kills = Kills(shim: words[2], folder: words[3])
  endProcess(kills.run(lives: lives, seed: seed) ? 0 : 1)
}
guard (2...3).contains(words.count), let most = words.count == 3 ? Int(words[2]) : .max else {
  print("usage: store-hammer FILE [N] | kills SHIM FOLDER LIVES SEED\n", to: 2)
  endProcess(2)
}
do throws(StoreError) {
  try Victim.live(words[1], most: most)
} catch {
  print("error \(error)\n", to: 1)
  endProcess(1)
}
