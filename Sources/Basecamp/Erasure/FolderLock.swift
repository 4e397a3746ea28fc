import FeatureService
import SystemCalls

/// Keeps a second server, or an erasure, off a folder in which one works: an flock on a file, which
/// ends with the process, however that ends. The file stays.
struct FolderLock: ~Copyable {
  private let file: Descriptor

  init(folder: String) throws(ServiceError) {
    let file: Descriptor
    let isOurs: Bool
    do throws(SystemError) {
      file = try Descriptor(
        opening: folder + "/basecamp.lock", [.readWrite, .create, .noFollow], mode: 0o600)
    } catch {
      throw Self.problem(error)
    }
    do throws(SystemError) { isOurs = try file.lock() } catch { throw Self.problem(error) }
    guard isOurs else {
      throw ServiceError("\(folder): a basecamp is at work in it; stop that one first")
    }
    self.file = file
  }

  private static func problem(_ error: SystemError) -> ServiceError {
    ServiceError("cannot lock \(error.path): \(error.reason); check the directory")
  }
}
