import Foundation
import TestSupport

/// The files of a stock Raspberry Pi OS bookworm with the package installed, in a folder.
final class SetupTree {
  let scratch = try! ScratchFolder()
  var folder: String { scratch.url.path }

  static let commandLine =
    "console=serial0,115200 console=tty1 root=PARTUUID=4c2a-02 rootfstype=ext4 fsck.repair=yes "
    + "rootwait\n"
  static let firmware = """
    # For more options and information see
    # http://rptl.io/configtxt
    dtparam=audio=on
    dtoverlay=vc4-kms-v3d
    arm_64bit=1

    [cm4]
    otg_mode=1

    [all]

    """
  static let server = "https://host/arcgis/rest/services/Walk/FeatureServer/0"

  /// All that a script has to give.
  static let options = [
    "--board", "pi-zero-2w-sim7600", "--team", "Els Senglars", "--server", server,
    "--finish", "2099-04-18T14:00", "--language", "ca",
  ]

  static let boot = "boot/firmware/"
  static let configuration = "etc/trailtracker/trackerd.json5"
  static let defaults = "etc/default/trackerd"
  static let secrets = "etc/trailtracker/secrets"

  /// - Parameter boot: where the firmware's files are: `boot/` before bookworm.
  init(boot: String = SetupTree.boot) throws {
    try write(boot + "cmdline.txt", Self.commandLine)
    try write(boot + "config.txt", Self.firmware)
    try write("proc/device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0\0")
    try write("etc/timezone", "Europe/Madrid\n")
    try write("etc/passwd", "root:x:0:0::/root:/bin/sh\ntrailtracker:x:4711:4712::/:/bin/false\n")
    let packaged = Built.repository.appendingPathComponent(".ci/debian/trackerd.default")
    try write(Self.defaults, try String(contentsOf: packaged, encoding: .utf8))
    try FileManager.default.createDirectory(
      atPath: folder + "/etc/trailtracker", withIntermediateDirectories: true)
  }

  func write(_ name: String, _ text: String) throws {
    let url = scratch.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// The content of a file; empty: there is none.
  func text(_ name: String) -> String {
    (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
  }

  /// Each file with its content, links by where they lead.
  func snapshot() throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let path = "\(folder)/\(name)"
      if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
        files[name] = "-> " + target
      } else if let data = FileManager.default.contents(atPath: path) {
        files[name] = String(decoding: data, as: UTF8.self)
      }
    }
    return files
  }

  /// Runs setup on these files, without a terminal.
  func setup(
    _ words: [String] = SetupTree.options, environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try ProgramResult(
      "trackerctl", ["setup", "--root", folder] + words, environment: environment)
  }

  /// What trackerd says of the result.
  func checked() throws -> ProgramResult {
    let board = text(Self.defaults).split(separator: "\n").first { $0.hasPrefix("BOARD=") }
    return try ProgramResult(
      "trackerd",
      [
        "--board", String(board?.dropFirst(6) ?? ""), "--config",
        "\(folder)/\(Self.configuration)", "--check",
      ])
  }
}
