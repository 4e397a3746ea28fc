import Glibc
import Synchronization
import SystemCalls

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
  func read(atMost limit: Int) throws(HostProblem) -> String? {
    do {
      // O_NONBLOCK, or opening a pipe without a writer would block.
      let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard try file.status().st_mode & S_IFMT == S_IFREG else {
        throw HostProblem("it is not a file")
      }
      return String(decoding: try file.readAll(atMost: limit), as: UTF8.self)
    } catch let problem as SystemError {
      if problem.code == ENOENT { return nil }
      throw HostProblem(problem.reason)
    } catch let problem as HostProblem {
      throw problem
    } catch {
      throw HostProblem("it is too large, or cannot be read")
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
    let work = Unmanaged.passRetained(Work(file: self, text: text))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Its frames are small; the default of 8 MB would count as mapped memory.
    pthread_attr_setstacksize(&attributes, 256 * 1024)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        work.file.write(work.text)
        return nil
      }, work.toOpaque())
    guard code != 0 else { return true }
    work.release()
    state.withLock { $0 = State(isWriting: false, problem: SystemError(code: code)) }
    return false
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
      usleep(10_000)
    }
  }

  private func write(_ text: String, isSynchronised: Bool = true) {
    let new = path + ".new"
    var problem: SystemError?
    do throws(SystemError) {
      // If something else has that name by now, it is neither followed nor written to.
      unlink(new)
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
      let file = try Descriptor(opening: new, flags, mode: 0o640)
      try file.writeAll(Array(text.utf8))
      if isSynchronised { try file.synchronise() }
      try file.closeChecked()
      guard rename(new, path) == 0 else { throw .last }
      if isSynchronised { try synchroniseDirectory(directory(of: path)) }
    } catch {
      unlink(new)
      problem = error
    }
    state.withLock { $0 = State(isWriting: false, problem: problem) }
  }

  private final class Work: Sendable {
    let file: EventFile
    let text: String

    init(file: EventFile, text: String) {
      self.file = file
      self.text = text
    }
  }
}
