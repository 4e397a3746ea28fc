import Foundation
import TestSupport

/// A tree like a Pi's, with a boot partition and a former configuration in etc, on which
/// `trackerctl first-boot` runs.
final class BootRig {
  /// What trackerd would be if it started now.
  enum Identity: Equatable {
    case whole(String)
    /// It does not start before first-boot has finished (trackerd.service).
    case unfinished
    case none, mixed
  }

  /// The user and group in the tree's passwd.
  static let user = 4242
  /// Of the cards.
  static let board = "pi-4b+waveshare-sim7600+ina219"
  private static let compiler = Tool.url("cc") ?? Tool.url("clang")
  static var canCut: Bool { compiler != nil }

  private let scratch: ScratchFolder
  private var root: String { scratch.url.appendingPathComponent("root").path }
  private var cutter: String?
  private let card = "boot/firmware/trailtracker"

  init() throws {
    scratch = try ScratchFolder()
    for folder in ["etc/trailtracker", "etc/default", "boot/firmware"] {
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
    try write("etc/passwd", "root:x:0:0::/:/bin/sh\ntrailtracker:x:\(Self.user):\(Self.user)::/:\n")
    try write("etc/default/trackerd", "# by hand\nBOARD=pi-zero-2w-sim7600\nOPTIONS=--speed 1\n")
    try write("boot/firmware/config.txt", "[all]\n")
  }

  // MARK: Files

  /// - Parameter text: `nil`: the file goes.
  func write(_ name: String, _ text: String?) throws {
    let url = URL(fileURLWithPath: "\(root)/\(name)")
    guard let text else { return try FileManager.default.removeItem(at: url) }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8)
  }

  func names(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)").sorted()) ?? []
  }

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")[.posixPermissions] as? Int
  }

  func owner(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")[.ownerAccountID] as? Int
  }

  /// Gives a file a second name, under which its bytes can be seen when the first one is gone.
  func link(_ name: String, as second: String) throws {
    try FileManager.default.linkItem(atPath: "\(root)/\(name)", toPath: "\(root)/\(second)")
  }

  /// Every file's text.
  func everything() throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
      guard let data = FileManager.default.contents(atPath: "\(root)/\(name)") else { continue }
      files[name] = String(decoding: data, as: UTF8.self)
    }
    return files
  }

  func restore(_ files: [String: String]) throws {
    try FileManager.default.removeItem(atPath: root)
    for (name, text) in files { try write(name, text) }
  }

  // MARK: The card

  /// Copies a team's folder to the card, as an organiser does.
  func putCard(team: String, secret: String) throws {
    try write(
      "\(card)/trackerd.json5",
      """
      {
        team: "\(team)", store: "/var/lib/trailtracker/captures.db",
        secrets: "/etc/trailtracker/secrets",
        server: {
          address: "https://example.org/arcgis/rest/services/W/FeatureServer/0", user: "\(team)",
        },
      }

      """)
    try write("\(card)/secrets", "password = \(secret)\n")
    try write("\(card)/board", "\(Self.board)\n")
  }

  func removeCard() throws {
    for name in names("boot/firmware") where name.hasPrefix("trailtracker") {
      try FileManager.default.removeItem(atPath: "\(root)/boot/firmware/\(name)")
    }
  }

  /// Makes another file system the boot partition.
  func moveCard(to folder: String) throws {
    try FileManager.default.moveItem(atPath: "\(root)/\(card)", toPath: folder + "/trailtracker")
    try FileManager.default.removeItem(atPath: "\(root)/boot/firmware")
    try FileManager.default.createSymbolicLink(
      atPath: "\(root)/boot/firmware", withDestinationPath: folder)
  }

  func cardHas(_ secret: String) -> Bool { has(secret, below: "boot") }
  func etcHas(_ secret: String) -> Bool { has(secret, below: "etc") }

  private func has(_ secret: String, below folder: String) -> Bool {
    guard let files = try? everything() else { return false }
    return files.contains { $0.key.hasPrefix(folder) && $0.value.contains(secret) }
  }

  /// Reads what trackerd would.
  func identity() throws -> Identity {
    let files = try everything()
    if names("etc/trailtracker").contains("first-boot") { return .unfinished }
    guard let configuration = files["etc/trailtracker/trackerd.json5"] else { return .none }
    let teams = [
      ("Els Senglars", "password = boar-secret"), ("Les Aligues", "password = eagle-secret"),
    ]
    for (team, secret) in teams
    where configuration.contains("team: \"\(team)\"") && configuration.hasSuffix("}\n")
      || configuration.contains("team: \"\(team)\"") && configuration.hasSuffix("}\r\n")
    {
      let secrets = files["etc/trailtracker/secrets"] ?? ""
      let board = files["etc/default/trackerd"] ?? ""
      let isWhole = secrets.contains(secret) && board.contains("BOARD=\(Self.board)\n")
      return isWhole ? .whole(team) : .mixed
    }
    return .mixed
  }

  // MARK: Starts

  /// - Parameter step: of the calls that change the disk, before which the power is cut; what was
  ///   written and not synchronised is lost then.
  func boot(cutAt step: Int? = nil) throws -> ProgramResult {
    var environment: [String: String] = [:]
    if let step {
      environment = [
        "LD_PRELOAD": try library(), "CUT_AT": "\(step)", "SWIFT_BACKTRACE": "enable=no",
      ]
    }
    return try ProgramResult(
      executable: Built.program("trackerctl"), ["first-boot", "--root", root],
      environment: environment, folder: Built.repository)
  }

  private func library() throws -> String {
    if let cutter { return cutter }
    guard let compiler = Self.compiler else { throw Problem("there is no C compiler") }
    let source = try scratch.write("cut.c", Self.source)
    let library = scratch.path("cut.so")
    let made = try ProgramResult(
      executable: compiler, ["-shared", "-fPIC", "-o", library, source, "-ldl"])
    guard made.code == 0 else { throw Problem(made.errors) }
    cutter = library
    return library
  }

  /// Ends the process at the given call, after emptying all files that were written and not
  /// synchronised; removals and names that were not synchronised count as done, which is the worse
  /// case for a secret that is deleted.
  private static let source = #"""
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/stat.h>
    #include <unistd.h>
    static int count, dirty[1024];
    static char kept[1024][512];
    static void step(void) {
      const char *at = getenv("CUT_AT");
      if (!at || ++count != atoi(at)) return;
      for (int i = 0; i < 1024; i++)
        if (dirty[i]) truncate(kept[i], 0);
      _exit(137);
    }
    #define NEXT(name, type) ((type)dlsym(RTLD_NEXT, name))
    static void note(int fd) {
      char link[64];
      if (fd < 3 || fd >= 1024) return;
      snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
      ssize_t size = readlink(link, kept[fd], 511);
      kept[fd][size < 0 ? 0 : size] = 0;
      dirty[fd] = 1;
    }
    ssize_t write(int fd, const void *bytes, size_t size) {
      if (fd > 2) step();
      ssize_t done = NEXT("write", ssize_t (*)(int, const void *, size_t))(fd, bytes, size);
      if (done > 0) note(fd);
      return done;
    }
    int fsync(int fd) {
      step();
      if (fd >= 0 && fd < 1024) dirty[fd] = 0;
      return NEXT("fsync", int (*)(int))(fd);
    }
    int rename(const char *from, const char *to) {
      step();
      return NEXT("rename", int (*)(const char *, const char *))(from, to);
    }
    int unlink(const char *path) {
      step();
      return NEXT("unlink", int (*)(const char *))(path);
    }
    int mkdir(const char *path, mode_t mode) {
      step();
      return NEXT("mkdir", int (*)(const char *, mode_t))(path, mode);
    }
    int rmdir(const char *path) {
      step();
      return NEXT("rmdir", int (*)(const char *))(path);
    }
    int chown(const char *path, uid_t user, gid_t group) {
      step();
      return NEXT("chown", int (*)(const char *, uid_t, gid_t))(path, user, group);
    }
    """#
}
