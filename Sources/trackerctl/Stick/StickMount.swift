import CommandLineSupport
import Glibc
import SystemCalls
import Wording

/// A mounted stick: unmounted again at the end, whatever happens in between.
struct StickMount: ~Copyable {
  let folder: String
  /// Whether it was mounted here, and not before by somebody else.
  private var isOurs: Bool

  /// What sticks are formatted with, the most frequent first.
  private static let kinds = ["vfat", "exfat", "ext4", "ntfs3", "ext3", "ext2", "btrfs", "f2fs"]

  /// - Throws: why it cannot be mounted, and what to do.
  init(_ stick: Stick) throws {
    isOurs = stick.mountPoint == nil
    folder = try stick.mountPoint ?? Self.mounted(stick)
  }

  /// - Returns: the folder where it is now.
  private static func mounted(_ stick: Stick) throws -> String {
    let folder = try made()
    let flags = UInt(MS_NOSUID | MS_NODEV | MS_NOEXEC)
    var last = EINVAL
    for kind in kinds {
      if mount(stick.device, folder, kind, flags, nil) == 0 { return folder }
      // Another kind of file system, or one that this kernel does not have.
      if errno != EINVAL && errno != ENODEV { last = errno }
      if [EPERM, EACCES, ENOENT, ENOMEDIUM].contains(errno) { break }
    }
    rmdir(folder)
    throw UsageError(why(last, stick))
  }

  private static func made() throws -> String {
    for place in ["/run", "/tmp"] {
      var name = Array("\(place)/trackerctl-XXXXXX".utf8CString)
      if mkdtemp(&name) != nil {
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    throw UsageError(CommandPhrase.noFolder.texts(SystemReason.texts(of: errno)))
  }

  private static func why(_ code: Int32, _ stick: Stick) -> String {
    switch code {
    case EPERM, EACCES:
      "\(stick.device): cannot be mounted: \(reason(of: code)); run it with sudo"
    case EINVAL:
      "\(stick.device): has no file system that this kernel knows; format it as FAT (vfat)"
    default:
      "\(stick.device): cannot be mounted: \(reason(of: code)); pull it out, plug it in again"
    }
  }

  /// Everything on the stick, and the stick free to be pulled out.
  ///
  /// - Throws: that it is not.
  mutating func finish() throws {
    guard isOurs else { return sync() }
    guard umount2(folder, 0) == 0 else {
      throw UsageError(
        "everything is on the stick, but it is still in use: \(reason(of: errno)); wait, then "
          + "umount \(folder)")
    }
    isOurs = false
    rmdir(folder)
  }

  deinit {
    guard isOurs else { return }
    umount2(folder, Int32(MNT_DETACH))
    rmdir(folder)
  }
}
