import Foundation
import TestSupport
import Testing

/// `trackerctl setup` where a disk or a card does not go along.
@Suite(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
struct SetupDiskTests {
  /// A stock system whose boot partition is a disk of its own.
  private static func tree(kilobytes: Int) throws -> (SetupTree, SmallDisk) {
    let tree = try SetupTree()
    let disk = try SmallDisk(kilobytes: kilobytes)
    for name in ["cmdline.txt", "config.txt"] {
      try tree.text(SetupTree.boot + name)
        .write(toFile: "\(disk.folder)/\(name)", atomically: false, encoding: .utf8)
    }
    try FileManager.default.removeItem(atPath: tree.folder + "/boot/firmware")
    try FileManager.default.createDirectory(
      atPath: tree.folder + "/boot/firmware", withIntermediateDirectories: true)
    guard
      mount(disk.folder, tree.folder + "/boot/firmware", nil, UInt(MS_BIND), nil) == 0
    else { throw Problem("cannot mount") }
    return (tree, disk)
  }

  private func finish(_ tree: SetupTree) {
    umount2(tree.folder + "/boot/firmware", Int32(MNT_DETACH))
  }

  @Test func `A full boot partition keeps its files, and a second run completes it`() throws {
    let (tree, disk) = try Self.tree(kilobytes: 256)
    defer { finish(tree) }
    try disk.leave(4096)
    let run = try tree.setup()
    #expect(run.code == 2)
    #expect(run.errors.contains("boot/firmware") && run.errors.contains("no space left"))
    #expect(run.errors.contains("run setup again"))
    // Whole, the old one or the new one; and no tracker starts on half of a set-up.
    #expect(tree.text("boot/firmware/config.txt") == SetupTree.firmware)
    #expect(tree.text(SetupTree.configuration).isEmpty)
    try disk.empty()
    #expect(try tree.setup().code == 0)
    #expect(tree.text("boot/firmware/config.txt").contains("enable_uart=1"))
    #expect(try tree.checked().code == 0)
  }

  @Test func `A boot partition that is read-only is named`() throws {
    let (tree, disk) = try Self.tree(kilobytes: 256)
    defer { finish(tree) }
    // A bind mount is made read-only on its own.
    #expect(
      mount(nil, tree.folder + "/boot/firmware", nil, UInt(MS_REMOUNT | MS_BIND | MS_RDONLY), nil)
        == 0)
    let run = try tree.setup()
    #expect(run.code == 2)
    #expect(run.errors.contains("boot/firmware/cmdline.txt"))
    #expect(tree.text(SetupTree.configuration).isEmpty)
    _ = disk
  }
}

/// `trackerctl setup` killed in the middle.
@Suite(.enabled(if: SharedLibrary.isPossible, "there is no C compiler"))
struct SetupKillTests {
  /// Fails at the Nth rename as a power cut would: nothing of the program is left to tidy up.
  private static func library(_ scratch: ScratchFolder) throws -> String {
    try SharedLibrary.make(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <signal.h>
      #include <stdlib.h>
      #include <unistd.h>
      static int count;
      int rename(const char *old, const char *new) {
        int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
        if (++count == atoi(getenv("KILL_AT"))) kill(getpid(), SIGKILL);
        return real(old, new);
      }
      """, at: scratch.path("killer"))
  }

  @Test func `Killed at any file, each is whole, and the next run completes it`() throws {
    let scratch = try ScratchFolder()
    let library = try Self.library(scratch)
    let whole = try SetupTree()
    #expect(try whole.setup().code == 0)
    let wanted = try whole.snapshot().filter { !$0.key.hasSuffix(".old") }
    for number in 1...8 {
      let tree = try SetupTree()
      let old = try tree.snapshot()
      let run = try tree.setup(
        environment: ["LD_PRELOAD": library, "KILL_AT": "\(number)"])
      if run.code == 0 {
        #expect(number > 3, "three files at least are renamed")
        return
      }
      for (name, text) in try tree.snapshot() where wanted[name] != nil {
        #expect(text == wanted[name] || text == old[name], "\(name) is neither old nor new")
      }
      #expect(try tree.setup().code == 0)
      #expect(try tree.snapshot().filter { !$0.key.hasSuffix(".old") } == wanted)
    }
    Issue.record("never got through")
  }
}
