import CaptureStore
import Foundation
import TestSupport
import Testing

@testable import trackerctl

/// A USB stick at a checkpoint.
@Suite(.blocking) struct StickTests {
  private let again: Comment = "repeat with: swift test --filter StickTests"

  /// A tree like /sys/block with these disks, and /proc/self/mountinfo.
  private func tree(
    _ disks: [(name: String, parts: [String], isRemovable: Bool, bus: String)], mounted: String = ""
  ) throws -> ScratchFolder {
    let folder = try ScratchFolder()
    func write(_ path: String, _ text: String) throws {
      let file = folder.url.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try write("proc/self/mountinfo", mounted)
    for (index, disk) in disks.enumerated() {
      let real = "sys/devices/\(disk.bus)/\(disk.name)"
      try write("\(real)/removable", disk.isRemovable ? "1\n" : "0\n")
      try write("\(real)/size", "61440\n")
      try write("\(real)/dev", "8:\(16 * index)\n")
      for (number, part) in disk.parts.enumerated() {
        try write("\(real)/\(part)/partition", "\(number + 1)\n")
        try write("\(real)/\(part)/size", "61440\n")
        try write("\(real)/\(part)/dev", "8:\(16 * index + number + 1)\n")
      }
      let block = folder.url.appendingPathComponent("sys/block")
      try FileManager.default.createDirectory(at: block, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: block.appendingPathComponent(disk.name).path,
        withDestinationPath: folder.path(real))
    }
    return folder
  }

  @Test func `A stick with a partition, and one without, are found`() throws {
    let parted = try tree([
      ("mmcblk0", ["mmcblk0p1"], false, "mmc"), ("sda", ["sda1"], true, "usb1"),
    ])
    #expect(StickFinder(root: parted.url.path).sticks().map(\.device) == ["/dev/sda1"], again)
    let whole = try tree([("sdb", [], false, "pci/usb2/2-1")])
    #expect(StickFinder(root: whole.url.path).sticks().map(\.device) == ["/dev/sdb"], again)
  }

  @Test func `The disk that the system runs from is none, even on USB`() throws {
    let folder = try tree(
      [("sda", ["sda1", "sda2", "sda3"], false, "usb1"), ("sdc", ["sdc1"], true, "usb2")],
      mounted: """
        22 1 8:2 / / rw - ext4 /dev/sda2 rw
        25 1 8:2 /log /mnt/log rw - ext4 /dev/sda2 rw
        23 1 8:1 / /boot/firmware rw - vfat /dev/sda1 rw
        24 1 8:17 / /media/pi/MY\\040STICK rw - vfat /dev/sdc1 rw
        """)
    let sticks = StickFinder(root: folder.url.path).sticks()
    #expect(sticks == [Stick(device: "/dev/sdc1", mountPoint: "/media/pi/MY STICK")], again)
  }

  @Test func `Without a stick, and with two, a person is told what to do`() throws {
    let none = try tree([("sda", ["sda1"], false, "ata1")])
    #expect(throws: (any Error).self, again) {
      try StickFinder(root: none.url.path).stick()
    }
    let two = try tree([("sda", ["sda1"], true, "usb1"), ("sdb", ["sdb1"], true, "usb1")])
    do {
      _ = try StickFinder(root: two.url.path).stick()
      Issue.record(again)
    } catch {
      #expect("\(error)".contains("/dev/sda1, /dev/sdb1"), again)
    }
  }

  private static let loop = LoopDevice.reason

  @Test(.enabled(if: loop == nil, "\(loop ?? "")"))
  func `Everything is on the stick, and the stick is free to be pulled out`() throws {
    let folder = try ScratchFolder()
    let path = try folder.store(20)
    let stick = try LoopDevice(in: folder)
    let run = try controlRun(["export", "--stick", "--store", path, "--device", stick.device])
    #expect(run.code == 0 && run.output.contains("20 captures are on"), "\(run.errors); \(again)")
    let mounts = try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    #expect(!mounts.contains(stick.device), again)
    let files = try stick.files()
    #expect(
      files == [
        "captures.csv", "captures.geojson", "captures.gpx", "captures.kml", "notes.csv",
        "report.txt",
      ],
      "\(files); \(again)")
  }

  @Test func `A device that is none is refused in one line, and leaves no folder behind`() throws {
    let folder = try ScratchFolder()
    let path = try folder.store(2)
    let run = try controlRun(["export", "--stick", "--store", path, "--device", "/dev/null"])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors); \(again)")
    // Those of other tests go, too.
    try eventually("no folder is left; \(again)") {
      ["/run", "/tmp"].allSatisfy { place in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return !names.contains { $0.hasPrefix("trackerctl-") }
      }
    }
  }
}

/// A file that acts as a disk, formatted with ext4.
private final class LoopDevice {
  let device: String
  private let folder: ScratchFolder

  /// Why there can be none here; `nil`: there can.
  static let reason: String? = {
    if geteuid() != 0 { return "only root may make a loop device" }
    do {
      let folder = try ScratchFolder()
      _ = try LoopDevice(in: folder).files()
      return nil
    } catch {
      return "no loop device can be made here: \(error)"
    }
  }()

  init(in folder: ScratchFolder) throws {
    self.folder = folder
    let image = folder.path("stick.img")
    try Data(count: 16 << 20).write(to: URL(fileURLWithPath: image))
    try Self.run(["mkfs.ext4", "-q", image])
    device = try Self.run(["losetup", "-f", "--show", image])
  }

  deinit { _ = try? Self.run(["losetup", "-d", device]) }

  /// The names of the files in its only folder.
  func files() throws -> [String] {
    let place = folder.path("mounted")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Self.run(["mount", device, place])
    defer { _ = try? Self.run(["umount", place]) }
    let folders = try FileManager.default.contentsOfDirectory(atPath: place)
      .filter { $0.hasPrefix("trailtracker-") }
    guard let first = folders.first else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: "\(place)/\(first)").sorted()
  }

  @discardableResult
  private static func run(_ words: [String]) throws -> String {
    let run = try ProgramResult(
      running: words, environment: ["PATH": "/usr/sbin:/sbin:/usr/bin:/bin"], errors: .none)
    guard run.code == 0 else { throw Problem("\(words.joined(separator: " "))") }
    return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
