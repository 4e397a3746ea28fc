import Testing

@testable import FirstSetup

/// The files on the boot partition, as Raspberry Pi OS bookworm has them.
@Suite struct BootTextTests {
  private static let serial = ["serial0", "ttyAMA0", "ttyS0"]
  private static let rest =
    "root=PARTUUID=4c2a-02 rootfstype=ext4 fsck.repair=yes rootwait cfg80211.ieee80211_regdom=ES"

  @Test(arguments: [
    ("console=serial0,115200 console=tty1 \(rest)\n", "console=tty1 \(rest)\n"),
    ("console=tty1 console=ttyAMA0,115200n8 \(rest)", "console=tty1 \(rest)"),
    ("console=tty1 \(rest) console=ttyS0", "console=tty1 \(rest)"),
    ("console=serial0,115200", ""),
    ("  console=serial0  console=tty1\r\n", "  console=tty1\r\n"),
    ("console=ttyAMA1 \(rest)\n", "console=ttyAMA1 \(rest)\n"),
    ("xconsole=ttyS0 init=/a/console=ttyS0\n", "xconsole=ttyS0 init=/a/console=ttyS0\n"),
    ("", ""), ("\n", "\n"),
  ])
  func `The kernel's console leaves the receiver's port, and nothing else changes`(
    _ old: String, _ new: String
  ) {
    #expect(KernelCommandLine.freeing(Self.serial, in: old) == new)
    #expect(KernelCommandLine.freeing(Self.serial, in: new) == new)
  }

  private static let stock = """
    # For more options see http://rptl.io/configtxt
    dtparam=audio=on
    camera_auto_detect=1
    dtoverlay=vc4-kms-v3d
    arm_64bit=1

    [cm4]
    otg_mode=1

    [cm5]
    dtoverlay=dwc2,dr_mode=host

    [all]

    """
  private static let wanted = ["enable_uart=1", "dtoverlay=disable-bt"]

  @Test func `A stock file gets the board's lines once, at its end`() {
    let new = FirmwareConfiguration.adding(Self.wanted, to: Self.stock)
    #expect(
      new == Self.stock + """
        # For trailtracker (trackerctl setup).
        enable_uart=1
        dtoverlay=disable-bt

        """)
    #expect(FirmwareConfiguration.adding(Self.wanted, to: new) == new)
  }

  @Test(arguments: [
    // In a section of another model.
    ("[pi4]\nenable_uart=1\n[all]\n", "enable_uart=1\n"),
    ("[pi4]\nenable_uart=1\n", "[all]\n"),
    // Taken back further down, or for one model.
    ("enable_uart=1\nenable_uart=0\n", "enable_uart=1\n"),
    ("enable_uart=1\n[pi3]\nenable_uart=0\n", "[all]\n"),
    // A comment does not count.
    ("#enable_uart=1\n", "enable_uart=1\n"),
  ])
  func `A line that is not in force for all models is added`(_ old: String, _ part: String) {
    let new = FirmwareConfiguration.adding(["enable_uart=1"], to: old)
    #expect(new.hasPrefix(old))
    #expect(new.dropFirst(old.count).contains(part))
    #expect(new.hasSuffix("enable_uart=1\n"))
    #expect(FirmwareConfiguration.adding(["enable_uart=1"], to: new) == new)
  }

  @Test(arguments: [
    "enable_uart=1\n", "enable_uart=0\nenable_uart=1", "[pi4]\n[all]\n  enable_uart=1  \r\n",
    "enable_uart=1\n[none]\nenable_uart=0\n",
  ])
  func `A line that is in force is not added again`(_ old: String) {
    #expect(FirmwareConfiguration.adding(["enable_uart=1"], to: old) == old)
  }

  @Test func `Windows line ends stay, and a last line without an end gets one`() {
    #expect(
      FirmwareConfiguration.adding(["enable_uart=1"], to: "a=1\r\nb=2")
        == "a=1\r\nb=2\r\n# For trailtracker (trackerctl setup).\r\nenable_uart=1\r\n")
    #expect(
      FirmwareConfiguration.adding(["enable_uart=1"], to: "")
        == "# For trailtracker (trackerctl setup).\nenable_uart=1\n")
  }

  @Test func `A parameter of the board's does not become one of the last overlay`() {
    let new = FirmwareConfiguration.adding(
      ["dtoverlay=disable-bt", "dtparam=i2c_arm=on"], to: "dtoverlay=vc4-kms-v3d\n")
    #expect(new.hasSuffix("\ndtoverlay=\ndtparam=i2c_arm=on\ndtoverlay=disable-bt\n"))
  }
}

@Suite struct SecretsTextTests {
  @Test func `A secret is exchanged or added, others stay`() {
    let old = "# ours\npin = 1234\npassword=old\n"
    #expect(
      SecretsText.setting("password", to: "a = b # c", in: old)
        == "# ours\npin = 1234\npassword = a = b # c\n")
    #expect(SecretsText.setting("token", to: "x", in: "pin = 1") == "pin = 1\ntoken = x\n")
  }

  @Test(arguments: ["", " a", "a ", "a\nb", "a\u{0}b", "a\u{2028}b"])
  func `A value that the file cannot hold is refused`(_ value: String) {
    #expect(SecretsText.setting("password", to: value, in: "") == nil)
  }
}
