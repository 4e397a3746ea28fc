import CaptureStore
import CommandLineSupport
import Glibc
import TrackerCore

/// The capture store of a run: in memory, or in a file to be inspected afterwards.
struct QueueFile {
  let path: String?

  /// Creates an empty store.
  ///
  /// - Throws: if the file exists or cannot be created.
  func open(device: UniqueID) throws -> CaptureStore {
    // The simulated board's clock begins in 1970.
    let start = UTC(milliseconds: 0)
    guard let path else { return try CaptureStore.open(.memory, for: .device(device), at: start) }
    guard access(path, F_OK) != 0 else {
      throw UsageError(SimPhrase.exists.texts("--store", path))
    }
    return try CaptureStore.open(.file(path), for: .device(device), at: start)
  }

  /// Removes the files of a run that failed.
  func remove() {
    guard let path else { return }
    for tail in ["", "-wal", "-shm", ".lock"] { unlink(path + tail) }
  }
}
