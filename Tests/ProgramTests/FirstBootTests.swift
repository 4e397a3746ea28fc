import Foundation
import TestSupport
import Testing

/// `trackerctl first-boot` on a tree like that of a Pi, with the power cut at each of its steps.
@Suite struct FirstBootTests {
  private let pi: BootRig

  init() throws { pi = try BootRig() }

  @Test func `A card's settings move to etc, and its secrets leave the card`() throws {
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    let run = try pi.boot()
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("for the team \"Els Senglars\""))
    #expect(try pi.text("etc/trailtracker/secrets") == "password = boar-secret\n")
    #expect(try pi.text("etc/trailtracker/trackerd.json5").contains("Els Senglars"))
    let defaults = try pi.text("etc/default/trackerd")
    #expect(defaults == "# by hand\nBOARD=\(BootRig.board)\nOPTIONS=--speed 1\n")
    #expect(pi.names("boot/firmware") == ["config.txt", "trailtracker.done"])
    #expect(pi.names("boot/firmware/trailtracker.done") == ["board", "trackerd.json5"])
    #expect(pi.names("etc/trailtracker") == ["secrets", "trackerd.json5"])
    #expect(try pi.mode("etc/trailtracker/secrets") == 0o600)
    #expect(try pi.mode("etc/trailtracker/trackerd.json5") == 0o644)
    if geteuid() == 0 { #expect(try pi.owner("etc/trailtracker/secrets") == BootRig.user) }
  }

  @Test func `The bytes of the secrets are overwritten, not only unlinked`() throws {
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    let text = try pi.text("boot/firmware/trailtracker/secrets")
    try pi.link("boot/firmware/trailtracker/secrets", as: "second-name")
    #expect(try pi.boot().code == 0)
    #expect(try pi.text("second-name") == String(repeating: "\0", count: text.utf8.count))
  }

  @Test func `A second start changes nothing`() throws {
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    #expect(try pi.boot().code == 0)
    try pi.write("etc/trailtracker/trackerd.json5", "// by hand\n")
    let before = try pi.everything()
    let run = try pi.boot()
    #expect(run.code == 0 && run.output.isEmpty && run.errors.isEmpty)
    #expect(try pi.everything() == before)
  }

  @Test func `Another team's folder replaces the first one's`() throws {
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    #expect(try pi.boot().code == 0)
    try pi.putCard(team: "Les Aligues", secret: "eagle-secret")
    #expect(try pi.boot().code == 0)
    #expect(try pi.identity() == .whole("Les Aligues"))
    #expect(!pi.cardHas("eagle-secret"))
  }

  @Test func `What somebody has dropped into the used folder goes, with its secrets`() throws {
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    #expect(try pi.boot().code == 0)
    try pi.write("boot/firmware/trailtracker.done/trailtracker/secrets", "password = lost-secret\n")
    #expect(try pi.boot().code == 0)
    #expect(!pi.cardHas("lost-secret"))
    try pi.putCard(team: "Les Aligues", secret: "eagle-secret")
    let run = try pi.boot()
    #expect(run.code == 0, "\(run.errors)")
    #expect(try pi.identity() == .whole("Les Aligues"))
    #expect(!pi.cardHas("eagle-secret"))
    #expect(pi.names("boot/firmware") == ["config.txt", "trailtracker.done"])
  }

  @Test func `What Windows makes of the files is understood`() throws {
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    for name in ["trackerd.json5", "secrets", "board"] {
      let text = try pi.text("boot/firmware/trailtracker/\(name)")
      try pi.write(
        "boot/firmware/trailtracker/\(name)",
        "\u{FEFF}" + text.replacingOccurrences(of: "\n", with: "\r\n"))
    }
    let run = try pi.boot()
    #expect(run.code == 0, "\(run.errors)")
    #expect(try pi.identity() == .whole("Els Senglars"))
  }

  @Test(arguments: [
    ("trackerd.json5", nil, "has no file trackerd.json5"),
    ("trackerd.json5", "{ team: ", "trackerd.json5:1"),
    ("trackerd.json5", "\0\0\0\0", "is not text"),
    ("secrets", nil, "the file secrets is missing"),
    ("secrets", "\0\0\0\0\0", "is not text"),
    ("secrets", "", "needs the secret \"password\""),
    ("board", "pi-nothing\n", "board:1: "),
    ("board", "pi-4b\" x=\"\n", "is not the name of a board"),
    ("board", "", "no board was named"),
  ])
  func `A bad folder stays as it is, and says why on the card`(
    _ name: String, _ text: String?, _ complaint: String
  ) throws {
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    #expect(try pi.boot().code == 0)
    try pi.putCard(team: "Les Aligues", secret: "eagle-secret")
    try pi.write("boot/firmware/trailtracker/\(name)", text)
    let before = try pi.everything()
    let run = try pi.boot()
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)")
    #expect(run.errors.contains(complaint), "\(run.errors)")
    var after = try pi.everything()
    let told = after.removeValue(forKey: "boot/firmware/trailtracker/ERROR.txt")
    #expect(told.map { run.errors.hasSuffix($0) } == true, "\(told ?? "nothing")")
    #expect(after == before)
    #expect(told?.contains("eagle-secret") == false)
    // Mended, it is taken, and the complaint goes.
    try pi.putCard(team: "Les Aligues", secret: "eagle-secret")
    #expect(try pi.boot().code == 0)
    #expect(try pi.identity() == .whole("Les Aligues"))
    #expect(pi.names("boot/firmware/trailtracker.done") == ["board", "trackerd.json5"])
  }

  @Test func `Without the package's user nothing is taken`() throws {
    guard geteuid() == 0 else { return }
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    try pi.write("etc/passwd", "root:x:0:0::/root:/bin/sh\n")
    let run = try pi.boot()
    #expect(run.code == 2 && run.errors.contains("install the package"), "\(run.errors)")
    #expect(pi.names("etc/trailtracker") == [])
    #expect(pi.cardHas("boar-secret"))
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `A card that cannot be written keeps its settings to itself`() throws {
    let disk = try SmallDisk(kilobytes: 64)
    let pi = try BootRig()
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    try pi.moveCard(to: disk.folder)
    #expect(disk.remount(readOnly: true))
    let run = try pi.boot()
    #expect(run.code == 2 && run.errors.contains("mount it for writing"), "\(run.errors)")
    #expect(pi.names("etc/trailtracker") == [])
    #expect(disk.remount(readOnly: false))
    #expect(try pi.boot().code == 0)
    #expect(try pi.identity() == .whole("Els Senglars"))
  }

  @Test(.enabled(if: FATPartition.canMount, "no FAT can be mounted: mkfs.vfat, loop, root, vfat"))
  func `On a real FAT partition no byte of the secret stays`() throws {
    let partition = try FATPartition()
    let pi = try BootRig()
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    try pi.moveCard(to: partition.folder)
    sync()
    #expect(try partition.bytes().range(of: Data("boar-secret".utf8)) != nil)
    let run = try pi.boot()
    #expect(run.code == 0, "\(run.errors)")
    #expect(try pi.identity() == .whole("Els Senglars"))
    sync()
    #expect(try partition.bytes().range(of: Data("boar-secret".utf8)) == nil)
    #expect(try partition.bytes().range(of: Data("Els Senglars".utf8)) != nil)
  }

  @Test(.enabled(if: BootRig.canCut, "a C compiler is missing, to cut the power in the middle"))
  func `A power cut at any step loses no secret and mixes no identities`() throws {
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    #expect(try pi.boot().code == 0)
    let settled = try pi.everything()
    var cuts = 0
    for step in 1...200 {
      try pi.restore(settled)
      try pi.putCard(team: "Les Aligues", secret: "eagle-secret")
      let run = try pi.boot(cutAt: step)
      if run.code == 0 { break }
      cuts += 1
      #expect(run.code == 137, "step \(step): \(run.errors)")
      let after = try pi.identity()
      let old = BootRig.Identity.whole("Els Senglars")
      let new = BootRig.Identity.whole("Les Aligues")
      #expect([old, new, .unfinished].contains(after), "step \(step): \(after)")
      // The secret is on the card until it is in etc.
      #expect(
        pi.cardHas("eagle-secret") || pi.etcHas("eagle-secret"), "step \(step): it is lost")
      // Cut again in the same place, and then whole.
      _ = try pi.boot(cutAt: step)
      #expect([old, new, .unfinished].contains(try pi.identity()), "step \(step), again")
      #expect(try pi.boot().code == 0, "step \(step)")
      #expect(try pi.identity() == new, "step \(step)")
      #expect(!pi.cardHas("eagle-secret"), "step \(step): it is still on the card")
      #expect(pi.names("etc/trailtracker") == ["secrets", "trackerd.json5"], "step \(step)")
    }
    #expect(cuts > 15, "only \(cuts) steps were cut")
  }

  @Test(.enabled(if: BootRig.canCut, "a C compiler is missing, to cut the power in the middle"))
  func `After the cut the card may be gone, and the tracker is one or the other`() throws {
    try pi.putCard(team: "Els Senglars", secret: "boar-secret")
    #expect(try pi.boot().code == 0)
    let settled = try pi.everything()
    for step in 1...200 {
      try pi.restore(settled)
      try pi.putCard(team: "Les Aligues", secret: "eagle-secret")
      if try pi.boot(cutAt: step).code == 0 { break }
      try pi.removeCard()
      #expect(try pi.boot().code == 0)
      let after = try pi.identity()
      #expect(after != .unfinished && after != .mixed, "step \(step): \(after)")
    }
  }
}
