import CaptureStore
import CommandLineSupport
import FieldConsole
import Glibc
import LinuxHost
import SystemCalls
import TrackerCore
import Wording

/// What a tracker's files say when it does not answer.
///
/// They are read in a process of its own, `trackerctl store-facts FILE`: one that reads from a disk
/// that does not answer cannot be ended, nor does it come back.
enum StoreReport {
  static let command = "store-facts"

  /// The question, running.
  static func inquiry(_ path: String) -> BriefProgram? {
    BriefProgram(["/proc/self/exe", command, path])
  }

  /// The hidden command.
  static func run(_ arguments: Arguments) throws -> Int32 {
    try say(facts(of: arguments.operands[0]).message)
  }

  /// Without a device: there is no store, or `storeProblem` says why it cannot be read.
  static func facts(of path: String) -> TrackerFacts {
    do throws(StoreError) {
      return facts(of: try CaptureStore.openAllForReading(path), path)
    } catch {
      var facts = TrackerFacts()
      if error.kind != .missing { facts.store.problem = error.texts }
      return facts
    }
  }

  static func facts(of stores: [CaptureStore], _ path: String) -> TrackerFacts {
    let time = BootClock().machineTime
    var facts = TrackerFacts(of: stores, at: time)
    let orders = stores.last.flatMap { try? $0.settingOrders(at: time) } ?? []
    facts.take(orders) { given in given.at.map { time.now - $0 } }
    facts.identity.lastSignOfLife = ["", "-wal", ".second", ".second-wal"]
      .compactMap { age(of: path + $0) }.min()
    return facts
  }

  /// How long ago a file was written; `nil` also after the machine's date was set
  /// back, and of an empty one: reading a store makes its empty log.
  static func age(of path: String) -> Milliseconds? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
    let milliseconds = Int64(status.st_mtim.tv_nsec) / 1_000_000
    let written = Int64(status.st_mtim.tv_sec) * 1000 + milliseconds
    let age = BootClock.date - UTC(milliseconds: written)
    return age >= 0 ? age : nil
  }
}
