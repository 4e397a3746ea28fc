import Foundation
import TestSupport
import Testing

/// `trackerctl setup` by options, on the files of a stock system.
@Suite struct SetupTests {
  private static let new =
    "console=tty1 root=PARTUUID=4c2a-02 rootfstype=ext4 fsck.repair=yes rootwait\n"
  /// What the usual board's parts need: the sensor's bus and driver, the receiver's port.
  private static let bootLines = [
    "dtparam=i2c_arm=on", "dtoverlay=ads1115,cha_enable,cha_cfg=4,cha_gain=1", "enable_uart=1",
    "dtoverlay=disable-bt",
  ]

  @Test func `A stock system becomes a tracker that trackerd accepts`() throws {
    let tree = try SetupTree()
    let run = try tree.setup(SetupTree.options + ["--apn", "internet"])
    #expect(run.code == 0, "\(run.errors) \(run.command)")
    #expect(tree.text("boot/firmware/cmdline.txt") == Self.new)
    #expect(
      tree.text("boot/firmware/config.txt")
        == SetupTree.firmware
        + "# For trailtracker (trackerctl setup).\ndtoverlay=\n"
        + Self.bootLines.map { $0 + "\n" }.joined())
    #expect(tree.text("boot/firmware/cmdline.txt.old") == SetupTree.commandLine)
    #expect(tree.text("boot/firmware/config.txt.old") == SetupTree.firmware)
    let check = try tree.checked()
    #expect(check.code == 0, "\(check.errors)")
    let text = tree.text(SetupTree.configuration)
    #expect(text.contains(#"timeZone: "Europe/Madrid""#), "the computer's own")
    #expect(text.contains(#"apn: "internet""#))
  }

  @Test func `A second run changes nothing and says so`() throws {
    let tree = try SetupTree()
    _ = try tree.setup()
    let before = try tree.snapshot()
    for words in [[], SetupTree.options] {
      let run = try tree.setup(words)
      #expect(run.code == 0)
      #expect(run.output == "Everything is as it should be; nothing is changed.\n")
      #expect(try tree.snapshot() == before)
    }
  }

  @Test func `A rehearsal shows what would change and changes nothing`() throws {
    let tree = try SetupTree()
    let before = try tree.snapshot()
    let run = try tree.setup(SetupTree.options + ["--dry-run"])
    #expect(run.code == 0)
    #expect(run.output.contains("+ enable_uart=1"))
    #expect(try tree.snapshot() == before)
  }

  @Test func `Without a terminal all that is missing is named in one line`() throws {
    let tree = try SetupTree()
    let run = try tree.setup(["--team", "a", "--user", "t7"])
    #expect(run.code == 2)
    #expect(run.isOneLineOfComplaint)
    #expect(run.errors.contains("--board, --server, --finish, --secret-file missing"))
  }

  @Test(arguments: [
    (["--team", "a\nb"], "--team"), (["--server", "not a URL"], "not a URL"),
    (["--server", "ftp://host/"], "ftp"), (["--board", "nothing"], "nothing"),
    (["--board", "pi-zero-w+sim5320+neo-6m+li-ion-3p"], "simulator"),
    (["--finish", "tomorrow"], "tomorrow"), (["--finish", "2020-01-01T12:00"], "past"),
    (["--finish", "2027-03-28T02:30", "--time-zone", "Europe/Madrid"], "02:30"),
    (["--time-zone", "../../etc/passwd"], "time zone"), (["--kind", "gopher"], "gopher"),
    (["--receiver", "ttyS0"], "ttyS0"), (["--bearer", "pigeon"], "pigeon"),
    (["--bearer", "modem"], "modemAuthority"),
    (["--secret", "hunter2"], "command line"), (["--team", "a", "--team", "b"], "twice"),
    (["--apn", "a b"], "a b"), (["--language", "de"], "de"), (["--root"], "--root"),
    (["--interface", "a-name-that-is-too-long"], "15"), (["--board", "pi-4b\nX=1"], "pi-4b"),
  ])
  func `A bad answer is one line, and nothing changes`(_ words: [String], _ part: String) throws {
    let tree = try SetupTree()
    let before = try tree.snapshot()
    let others = stride(from: 0, to: SetupTree.options.count, by: 2)
      .map { Array(SetupTree.options[$0...($0 + 1)]) }.filter { !words.contains($0[0]) }
    let run = try tree.setup(others.flatMap(\.self) + words)
    #expect(run.code == 2)
    #expect(run.isOneLineOfComplaint, "\(run.output) \(run.errors)")
    #expect(run.errors.contains(part), "\(run.errors)")
    #expect(try tree.snapshot() == before)
  }

  @Test(arguments: [
    #"Els "Senglars""#, "l'Àliga 🦅 $(reboot) `x`", #"x", startsBySelf: false, y: ""#,
    "\\", "--yes", "a#b;c",
  ])
  func `A team may be called anything, and is called so`(_ name: String) throws {
    let tree = try SetupTree()
    #expect(try tree.setup().code == 0)
    let run = try tree.setup(["--team=\(name)", "--number=\(name)"])
    #expect(run.code == 0, "\(run.errors)")
    let check = try tree.checked()
    #expect(check.code == 0, "\(check.errors)")
    #expect(!tree.text(SetupTree.configuration).contains("startsBySelf: false, y: \"\","))
    #expect(tree.text(SetupTree.defaults).contains("BOARD=pi-zero-2w-sim7600\n"))
  }

  @Test func `A secret goes to a file of trackerd's alone and is never shown`() throws {
    let tree = try SetupTree()
    try tree.write(SetupTree.secrets, "pin = 1234\npassword = old\n")
    let file = try tree.scratch.write("given", "hunter2\r\n")
    let run = try tree.setup(SetupTree.options + ["--user", "t7", "--secret-file", file])
    #expect(run.code == 0, "\(run.errors)")
    #expect(!run.output.contains("hunter2"))
    #expect(tree.text(SetupTree.secrets) == "pin = 1234\npassword = hunter2\n")
    #expect(tree.text(SetupTree.configuration).contains(#"secrets: "/etc/trailtracker/secrets""#))
    let old = tree.folder + "/" + SetupTree.secrets + ".old"
    #expect(!FileManager.default.fileExists(atPath: old), "an old secret must not lie about")
    var status = stat()
    #expect(stat("\(tree.folder)/\(SetupTree.secrets)", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    if geteuid() == 0 { #expect(status.st_uid == 4711 && status.st_gid == 4712) }
    // And it stays when nobody gives one.
    #expect(try tree.setup(["--team", "Altres"]).code == 0)
    #expect(tree.text(SetupTree.secrets) == "pin = 1234\npassword = hunter2\n")
  }

  @Test func `A secret that others may read becomes trackerd's alone again`() throws {
    let tree = try SetupTree()
    let file = try tree.scratch.write("given", "hunter2\n")
    let words = SetupTree.options + ["--user", "t7", "--secret-file", file]
    #expect(try tree.setup(words).code == 0)
    let path = "\(tree.folder)/\(SetupTree.secrets)"
    for again in [[], words] {
      chmod(path, 0o644)
      if geteuid() == 0 { chown(path, 0, 0) }
      #expect(try tree.setup(again).code == 0)
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      if geteuid() == 0 { #expect(status.st_uid == 4711) }
      #expect(tree.text(SetupTree.secrets) == "password = hunter2\n")
    }
  }

  @Test func `Credentials for an address in the clear are refused with the address`() throws {
    let tree = try SetupTree()
    let file = try tree.scratch.write("given", "hunter2\n")
    var words = SetupTree.options
    words[5] = "http://host/arcgis/rest/services/Walk/FeatureServer/0"
    let run = try tree.setup(words + ["--user", "t7", "--secret-file", file])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)")
    #expect(run.errors.contains("--server 'http://host/"), "\(run.errors)")
    #expect(try tree.setup(words).code == 0)
    let later = try tree.setup(["--user", "t7", "--secret-file", file])
    #expect(later.errors.contains("--user 't7'"), "\(later.errors)")
  }

  @Test(arguments: [("intervall: 3,", "intervall"), ("server: 3,", "server")])
  func `A mistake in the old settings is reported with its place, and blamed on no answer`(
    _ line: String, _ key: String
  ) throws {
    let tree = try SetupTree()
    try tree.write(
      SetupTree.configuration,
      "{\n  store: \"/a\", control: \"/b\",\n  finish: \"32 h\",\n  \(line)\n}\n")
    let run = try tree.setup()
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)")
    #expect(run.errors.contains("trackerd.json5:") && run.errors.contains(key), "\(run.errors)")
    #expect(!run.errors.contains("--"), "\(run.errors)")
  }

  @Test(arguments: ["/../evil", "mine", "../../../evil"])
  func `A secrets file that the settings place outside of the image is refused`(
    _ path: String
  ) throws {
    let tree = try SetupTree()
    _ = try tree.setup()
    let old = tree.text(SetupTree.configuration)
    try tree.write(
      SetupTree.configuration,
      old.replacing("team:", with: "secrets: \"\(path)\",\n  team:"))
    let file = try tree.scratch.write("given", "hunter2\n")
    let before = try tree.snapshot()
    let run = try tree.setup(["--user", "t7", "--secret-file", file])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)")
    #expect(try tree.snapshot() == before)
  }

  @Test func `Nothing is made through a folder that is a link out of the image`() throws {
    let tree = try SetupTree()
    let outside = try ScratchFolder()
    try FileManager.default.removeItem(atPath: tree.folder + "/etc/trailtracker")
    try FileManager.default.createSymbolicLink(
      atPath: tree.folder + "/etc/trailtracker", withDestinationPath: outside.url.path)
    let run = try tree.setup()
    #expect(run.code == 2, "\(run.errors)")
    #expect(try outside.names() == [])
  }

  @Test func `Last year's settings stay, but not last year's finish`() throws {
    let tree = try SetupTree()
    _ = try tree.setup()
    let old = tree.text(SetupTree.configuration).replacing("2099-", with: "2024-")
      .replacing("capture:", with: "console: \"readOnly\", // as agreed\n  capture:")
    try tree.write(SetupTree.configuration, old)
    let refused = try tree.setup(["--team", "Nous"])
    #expect(refused.code == 2)
    #expect(refused.errors.contains("trackerd.json5") && refused.errors.contains("past"))
    #expect(tree.text(SetupTree.configuration) == old)
    #expect(try tree.setup(["--team", "Nous", "--finish", "30 h"]).code == 0)
    let new = tree.text(SetupTree.configuration)
    #expect(new.contains("console: \"readOnly\", // as agreed"))
    #expect(new.contains("finishAfter: \"30 h\"") && !new.contains("finish:"))
    #expect(tree.text(SetupTree.configuration + ".old") == old)
  }

  @Test func `The files before bookworm are in boot`() throws {
    let tree = try SetupTree(boot: "boot/")
    #expect(try tree.setup().code == 0)
    #expect(tree.text("boot/cmdline.txt") == Self.new)
    #expect(tree.text("boot/config.txt").hasSuffix("dtoverlay=disable-bt\n"))
  }

  @Test func `Without the firmware's files it says which lines are missing where`() throws {
    let tree = try SetupTree()
    try FileManager.default.removeItem(atPath: tree.folder + "/boot")
    let run = try tree.setup()
    #expect(run.code == 0)
    let lines = Self.bootLines.joined(separator: ", ")
    #expect(run.output.contains("add yourself: \(lines)"))
    #expect(!FileManager.default.fileExists(atPath: tree.folder + "/boot"))
  }

  @Test func `Without cmdline txt the rest is done`() throws {
    let tree = try SetupTree()
    try FileManager.default.removeItem(atPath: tree.folder + "/boot/firmware/cmdline.txt")
    #expect(try tree.setup().code == 0)
    #expect(!FileManager.default.fileExists(atPath: tree.folder + "/boot/firmware/cmdline.txt"))
    #expect(tree.text("boot/firmware/config.txt").contains("enable_uart=1"))
  }

  @Test func `A receiver that is elsewhere leaves its port to the login`() throws {
    let tree = try SetupTree()
    #expect(try tree.setup(SetupTree.options + ["--receiver", "gpsd://127.0.0.1:2947"]).code == 0)
    #expect(tree.text("boot/firmware/cmdline.txt") == SetupTree.commandLine)
    #expect(tree.text(SetupTree.configuration).contains("gpsd://127.0.0.1:2947"))
    // And back again.
    #expect(try tree.setup(["--receiver", "board"]).code == 0)
    #expect(tree.text("boot/firmware/cmdline.txt") == Self.new)
    #expect(!tree.text(SetupTree.configuration).contains("receiverPort"))
  }

  @Test func `On a free UART the technician's console begins instead of a login`() throws {
    let tree = try SetupTree()
    let board = "pi-5+waveshare-sim7600+neo-6m+li-ion-3p"
    let run = try tree.setup(["--board", board] + SetupTree.options.dropFirst(2))
    #expect(run.code == 0, "\(run.errors)")
    let folder = "etc/systemd/system/"
    let units = try tree.snapshot().keys.filter { $0.hasPrefix(folder + "serial-getty@") }.sorted()
    let name = try #require(units.first { $0.hasSuffix("trailtracker.conf") })
    let packaged = Built.repository.appendingPathComponent(".ci/debian/serial-getty.conf")
    let lines = { (text: String) in text.split(separator: "\n").filter { !$0.hasPrefix("#") } }
    #expect(
      lines(tree.text(name)) == lines(try String(contentsOf: packaged, encoding: .utf8)))
    #expect(
      try tree.snapshot().contains {
        $0.key.hasPrefix(folder + "getty.target.wants/serial-getty@")
          && $0.value == "-> /lib/systemd/system/serial-getty@.service"
      })
  }

  @Test func `ModemManager is kept away from a modem that trackerd commands, once`() throws {
    let tree = try SetupTree()
    let usb = "sys/devices/usb1/1-1/"
    for (name, text) in [
      ("proc/811/comm", "ModemManager\n"), ("dev/ttyUSB2", ""), (usb + "idVendor", "2c7c\n"),
      (usb + "idProduct", "0125\n"), (usb + "1-1:1.2/bInterfaceNumber", "02\n"),
      (usb + "1-1:1.2/ttyUSB2/port_number", "0\n"),
    ] {
      try tree.write(name, text)
    }
    let tty = "\(tree.folder)/sys/class/tty/ttyUSB2"
    try FileManager.default.createDirectory(atPath: tty, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: tty + "/device", withDestinationPath: "../../../devices/usb1/1-1/1-1:1.2/ttyUSB2")
    let rules = "etc/udev/rules.d/99-trailtracker.rules"
    // NetworkManager's modem is left to it.
    #expect(try tree.setup(SetupTree.options + ["--bearer", "none"]).code == 0)
    #expect(tree.text(rules).isEmpty)
    try tree.write(rules, "# ours")
    for _ in 1...2 {
      #expect(try tree.setup(["--bearer", "interface", "--interface", "wwan0"]).code == 0)
      #expect(
        tree.text(rules) == """
          # ours
          ATTRS{idVendor}=="2c7c", ATTRS{idProduct}=="0125", ENV{ID_MM_DEVICE_IGNORE}="1"

          """)
    }
  }

  @Test func `A link is followed, and stays`() throws {
    let tree = try SetupTree()
    let path = "\(tree.folder)/\(SetupTree.defaults)"
    try tree.write("etc/shared", "BOARD=x\n")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../shared")
    #expect(try tree.setup().code == 0)
    #expect(tree.text("etc/shared") == "BOARD=pi-zero-2w-sim7600\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "../shared")
  }

  @Test(arguments: [SetupTree.defaults, SetupTree.secrets, "boot/firmware/config.txt"])
  func `A link out of the image is refused, and what it leads to stays`(_ name: String) throws {
    let tree = try SetupTree()
    let other = try ScratchFolder()
    let target = try other.write("own", "own\n")
    try? FileManager.default.removeItem(atPath: "\(tree.folder)/\(name)")
    try FileManager.default.createSymbolicLink(
      atPath: "\(tree.folder)/\(name)", withDestinationPath: target)
    let secret = try tree.scratch.write("given", "x")
    let before = try tree.snapshot()
    let run = try tree.setup(SetupTree.options + ["--secret-file", secret])
    #expect(run.code == 2)
    #expect(run.isOneLineOfComplaint)
    #expect(try tree.snapshot() == before)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "own\n")
  }

  @Test func `Without root rights nothing is touched`() throws {
    let setpriv = try #require(Tool.url("setpriv"), "util-linux has it")
    try #require(geteuid() == 0, "only root can give up its rights")
    let run = try ProgramResult(
      executable: setpriv,
      ["--reuid", "65534", "--clear-groups", Built.program("trackerctl").path, "setup"])
    #expect(run.code == 2)
    #expect(run.errors.hasSuffix("type: sudo trackerctl setup\n"), "\(run.errors)")
  }
}
