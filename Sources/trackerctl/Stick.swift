import CaptureStore
import CommandLineSupport
import FieldConsole
import Glibc
import MachineAccess
import Reports
import SystemCalls
import TrackerCore
import Wording

/// Writes everything to a stick that is plugged in: the captures in each format, and a report.
struct StickExport {
  /// `nil`: the stick that is found.
  var device: String?

  /// `trackerctl export --stick`.
  ///
  /// - Returns: the exit code.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = try ConsoleOptions(arguments)
    let stick = StickExport(device: arguments.text(.device))
    var console = Console(
      LinuxBackend(try TrackerPlace(options)), language: options.language,
      fallback: Language.ofEnvironment ?? .english)
    return try say(try stick.export(&console).page.text())
  }

  /// - Throws: why it cannot, and what to do.
  func export(_ console: inout Console<LinuxBackend>) throws -> Answer {
    let stores = try console.backend.stores()
    guard let first = stores.first, case .file(let path) = first.place else { return Answer() }
    let stick = try device.map { Stick(device: $0, mountPoint: nil) } ?? StickFinder().stick()
    let number = String(first.device.lowercaseText.prefix(CaptureName.shownDigits))
    // A stick that stays mounted cannot be pulled out.
    let before = [SIGINT, SIGTERM, SIGHUP].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in before { signal(number, action) } }
    var mounted = try StickMount(stick)
    let folder = mounted.folder + "/trailtracker-\(number)-\(Self.stamp)"
    do throws(SystemError) { try makeFolder(folder, mode: 0o755) } catch {
      throw UsageError(
        "\(stick.device): cannot be written: \(error.reason); is it locked or full?")
    }
    _ = try Export(path, nil, to: "\(folder)/notes.csv").run()
    for format in ExportFormat.allCases {
      _ = try Export(path, format, to: "\(folder)/captures.\(format.rawValue)").run()
    }
    let report = console.answer(.report("\(folder)/report.txt"))
    try writeNewFile(report.page.text(width: .max), to: "\(folder)/report.txt")
    try mounted.finish()
    return console.exported(
      stores.reduce(0) { $0 + $1.tally.rows }, to: stick.device, isFree: stick.mountPoint == nil)
  }

  /// `20261123-0731`, UTC by the machine's date; FAT takes no colons.
  private static var stamp: String {
    CalendarText.text(BootClock.date).filter { $0.isNumber || $0 == " " }
      .exchanging(" ", for: "-").prefix(13).description
  }
}

/// A file system on something that can be pulled out.
struct Stick: Equatable {
  /// `/dev/sda1`
  var device: String
  /// Where it is already mounted, for example by a desktop.
  var mountPoint: String?
}

/// Finds the stick that somebody has plugged in.
struct StickFinder {
  /// Instead of the root folder, for tests.
  var root = ""

  /// - Throws: if there is none, or more than one.
  func stick() throws -> Stick {
    let found = sticks()
    guard let first = found.first else {
      throw UsageError(CommandPhrase.noStick.texts)
    }
    guard found.count == 1 else {
      let names = found.map(\.device).joined(separator: ", ")
      throw UsageError(CommandPhrase.severalSticks.texts(names))
    }
    return first
  }

  func sticks() -> [Stick] {
    let mounted = mountPoints()
    let disks = names(in: "/sys/block").filter { isRemovable($0) }
    return disks.flatMap { (disk: String) -> [Stick] in
      let parts = names(in: "/sys/block/\(disk)").filter { name in
        name.hasPrefix(disk) && isThere("/sys/block/\(disk)/\(name)/partition")
      }
      // A stick without a partition table is one file system.
      let folders = parts.isEmpty ? [disk] : parts.map { "\(disk)/\($0)" }
      let points = folders.map { mounted[text("/sys/block/\($0)/dev")] ?? [] }
      // The system's own disk is not a stick, even on USB.
      if points.joined().contains(where: { isOfSystem($0) }) { return [] }
      return zip(folders, points).compactMap { folder, points in
        guard (Int64(text("/sys/block/\(folder)/size")) ?? 0) > 0 else { return nil }
        let name = folder.split(separator: "/").last.map(String.init) ?? folder
        return Stick(device: "/dev/\(name)", mountPoint: points.first)
      }
    }
  }

  private func isOfSystem(_ point: String) -> Bool {
    point == "/"
      || ["/boot", "/usr", "/var", "/home", "/etc", "/opt", "/srv", "/root"].contains {
        point == $0 || point.hasPrefix($0 + "/")
      }
  }

  /// Card readers and USB sticks say that they are removable; USB disks do not, and are on USB.
  private func isRemovable(_ disk: String) -> Bool {
    guard !["loop", "ram", "zram", "dm-", "md", "mmcblk"].contains(where: { disk.hasPrefix($0) })
    else { return false }
    if text("/sys/block/\(disk)/removable") == "1" { return true }
    // The name is a link to the device in the tree of buses.
    return (try? resolved(root + "/sys/block/\(disk)"))?.has("/usb") == true
  }

  /// By `major:minor` (proc_pid_mountinfo(5)); a file system may be mounted in several places.
  private func mountPoints() -> [String: [String]] {
    var points: [String: [String]] = [:]
    for line in text("/proc/self/mountinfo").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 4 else { continue }
      points[String(words[2]), default: []].append(String(words[4]).exchanging("\\040", for: " "))
    }
    return points
  }

  private func names(in folder: String) -> [String] {
    SystemCalls.names(inFolder: root + folder).sorted()
  }

  private func isThere(_ path: String) -> Bool { may(.exist, root + path) }

  /// Without the end of its last line.
  private func text(_ path: String) -> String {
    let bytes = (try? readWhole(root + path, atMost: 1 << 20)) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    return text.last?.isNewline == true ? String(text.dropLast()) : text
  }
}

/// A mounted stick, which is unmounted again whatever happens in between.
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

  /// Writes everything to the disk, and unmounts it so that it can be pulled out.
  ///
  /// - Throws: if that fails.
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
