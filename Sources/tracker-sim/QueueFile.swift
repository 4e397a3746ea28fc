import CaptureStore
import CommandLineSupport
import Glibc
import TrackerCore

/// The queue of a run: in memory, or in a file that a person can look into afterwards.
struct QueueFile {
  let path: String?

  /// Makes an empty queue.
  ///
  /// - Throws: that there is a file of this name, or none can be made.
  func open(device: UniqueID) throws -> CaptureStore {
    // The board's clock begins in 1970.
    let start = UTC(milliseconds: 0)
    guard let path else { return try CaptureStore.open(.memory, for: .device(device), at: start) }
    guard access(path, F_OK) != 0 else {
      throw UsageError(
        "--store \(path) is there already, and a run begins with an empty queue; "
          + "give a new name")
    }
    return try CaptureStore.open(.file(path), for: .device(device), at: start)
  }

  /// Leaves nothing of a run that did not come about.
  func remove() {
    guard let path else { return }
    for tail in ["", "-wal", "-shm", ".lock"] { unlink(path + tail) }
  }
}
