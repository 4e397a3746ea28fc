import CaptureStore
import FieldConsole
import MachineAccess
import Synchronization
import SystemCalls
import TrackerCore

/// When recent events are written to their file: soon after the start, then every few minutes if
/// there is news, and at the end.
final class EventKeeper: PollSource {
  private let file: EventFile
  private let device: UniqueID
  private var dueAt: Instant
  /// The revision that was written last.
  private var kept = 0
  /// As last logged.
  private var problem: String?
  private(set) var isFinished = false

  init(path: String, of device: UniqueID, at now: Instant) {
    file = EventFile(path: path)
    self.device = device
    dueAt = now + HostBounds.eventsFirst
  }

  /// What an earlier run kept, or an empty memory.
  func load(at time: MachineTime, _ log: Log) -> EventMemory {
    var memory = EventMemory()
    do {
      guard let text = try file.read(atMost: FieldBounds.eventsBytes) else { return memory }
      try memory.take(text, of: device, at: time)
    } catch {
      log.write(
        .warning, "what happened before the start is not known",
        ["file": file.path, "why": "\(error)"])
    }
    return memory
  }

  /// It wakes nobody: what is due is written in the next pass.
  func tend(_ pass: inout Pass) {
    guard pass.now >= dueAt else { return }
    report(pass.log)
    pass.news.append(.eventsDue)
  }

  /// - Parameter text: makes what is to be written; only called if there is news.
  func keep(_ events: EventMemory, at now: Instant, _ text: () -> String) {
    guard events.revision != kept else { return }
    dueAt = now + HostBounds.eventsInterval
    if file.begin(text()) { kept = events.revision }
  }

  /// At the end of a run.
  func finish(_ text: String) {
    isFinished = true
    file.finish(text)
  }

  /// A problem is logged once.
  private func report(_ log: Log) {
    let news = file.problem
    guard news != problem else { return }
    problem = news
    guard let news else { return }
    log.write(
      .warning, "recent events are not kept across a restart",
      ["file": file.path, "why": news])
  }
}

/// The file beside the store that keeps recent events (`EventMemory`) across a restart and a power
/// cut.
///
/// It is written to a new file, synchronised and renamed, so that a power cut leaves the old one or
/// the new one. A thread does that, because a card may take seconds, and a capture must not wait
/// for it. Without room, without permission or on a disk that hangs, only this memory is lost.
final class EventFile: Sendable {
  private struct State {
    var isWriting = false
    /// Why the last writing failed; `nil`: it went well.
    var problem: SystemError?
  }

  let path: String
  private let state = Mutex(State())

  init(path: String) { self.path = path }

  /// - Returns: `nil` if there is no such file.
  /// - Throws: a reason for people.
  func read(atMost limit: Int) throws(HostError) -> String? {
    do {
      // O_NONBLOCK, or opening a pipe without a writer would block.
      let file = try Descriptor(opening: path, [.read, .noFollow, .nonBlocking])
      guard try file.status().kind == .file else {
        throw HostError("it is not a file")
      }
      return String(decoding: try file.readAll(atMost: limit), as: UTF8.self)
    } catch let problem as SystemError {
      if problem.code == Errno.noSuchFile { return nil }
      throw HostError(problem.reason)
    } catch let problem as HostError {
      throw problem
    } catch ReadError.system(let problem) {
      throw HostError(problem.reason)
    } catch {
      throw HostError("it has more than \(limit) bytes")
    }
  }

  /// The reason why the last writing failed.
  var problem: String? { state.withLock { $0.problem?.reason } }

  /// Begins to write; does nothing while an earlier one is still being written.
  ///
  /// - Returns: whether it was begun.
  func begin(_ text: String) -> Bool {
    let isFree = state.withLock { state in
      defer { state.isWriting = true }
      return !state.isWriting
    }
    guard isFree else { return false }
    do throws(SystemError) {
      try SmallThread(isDetached: true) { self.write(text) }
      return true
    } catch {
      state.withLock { [error] in $0 = State(isWriting: false, problem: error) }
      return false
    }
  }

  /// Writes now, at the end of a run, which may take 3 s: it is not synchronised, as the machine
  /// does that itself when it is shut down. An earlier writing that hangs is left alone.
  func finish(_ text: String) {
    for _ in 0..<300 {
      let isFree = state.withLock { state in
        defer { state.isWriting = true }
        return !state.isWriting
      }
      if isFree { return write(text, isSynchronised: false) }
      pause(milliseconds: 10)
    }
  }

  private func write(_ text: String, isSynchronised: Bool = true) {
    let new = path + ".new"
    var problem: SystemError?
    do throws(SystemError) {
      // If something else has that name by now, it is neither followed nor written to.
      try? removeFile(new)
      let options: OpenOptions = [.write, .create, .exclusive, .noFollow]
      let file = try Descriptor(opening: new, options, mode: 0o640)
      try file.writeAll(Array(text.utf8))
      if isSynchronised { try file.synchronise() }
      try file.closeChecked()
      try renameFile(new, to: path)
      if isSynchronised { try synchroniseDirectory(directory(of: path)) }
    } catch {
      try? removeFile(new)
      problem = error
    }
    state.withLock { $0 = State(isWriting: false, problem: problem) }
  }
}
