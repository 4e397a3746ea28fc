import Foundation
import ModemTerminal
import TestSupport
import Testing

/// The real daemon with a modem on USB, whose ports get other names after a reset. It sees sysfs
/// and device files that are laid out for it, in a mount namespace of its own.
@Suite(.serialized, .blocking, .enabled(if: LinkRig.isPossible, "it takes namespaces: unshare"))
struct PortMoveTests {
  private func plug(_ tree: DeviceTree, _ name: String, _ interface: String, to device: String)
    throws
  {
    try tree.plug(name, vendor: "1e0e", product: "9001", interface: interface, to: device)
  }

  /// The words that start a program where the tree is its sysfs, and the tree's devices its /dev.
  private func wrapper(_ tree: DeviceTree) -> [String] {
    let script = """
      set -e
      dev='\(tree.devices)'
      mkdir "$dev/pts"
      mount --rbind /dev/pts "$dev/pts"
      for name in null zero full random urandom tty ptmx; do
        : > "$dev/$name"
        mount --bind "/dev/$name" "$dev/$name"
      done
      mount --rbind "$dev" /dev
      mount --bind '\(tree.system)/class/tty' /sys/class/tty
      exec "$@"
      """
    return [Tool.url("unshare")?.path ?? "", "-rm", "sh", "-c", script, "sh"]
  }

  @Test func `A modem whose port moves in a contact is found, and its radio is not left on`() throws
  {
    let speed = 20
    let rig = try ModemRig("sim7600", speed: speed)
    defer { rig.stop() }
    let (camp, modem, run) = (rig.camp, rig.modem, rig.run)
    let tree = try DeviceTree(in: run.folder)
    try plug(tree, "ttyUSB1", "01", to: "/dev/null")
    try plug(tree, "ttyUSB2", "02", to: modem.path)
    run.wrapper = wrapper(tree)
    run.settings["modemPort"] = "'/dev/ttyUSB2'"
    run.settings["transmit"] = "{ interval: '3 min' }"
    try run.startAndWait()
    try run.wait("outcome=\"answered")
    let contacts = run.logText.components(separatedBy: "phase=searching").count - 1
    try run.wait("phase=searching", times: contacts + 1)
    #expect(modem.isRadioOn, "\(run.command)")
    let (before, began) = (modem.radioOnMilliseconds, ContinuousClock.now)
    for name in ["ttyUSB1", "ttyUSB2"] { try tree.unplug(name) }
    modem.unplug()
    try run.wait("line lost")
    try modem.plug()
    // Everything is one further: its old name is the NMEA port's now.
    try plug(tree, "ttyUSB2", "01", to: "/dev/null")
    try plug(tree, "ttyUSB3", "02", to: modem.path)
    let answers = run.logText.components(separatedBy: "outcome=\"answered").count - 1
    try run.wait("outcome=\"answered", times: answers + 4, seconds: 120)
    try eventually("its radio off; \(run.command)") { !modem.isRadioOn }
    let radio = (modem.radioOnMilliseconds - before) / 1000
    let all = Int64((ContinuousClock.now - began) / .seconds(1) * Double(speed))
    #expect(run.logText.contains("/dev/ttyUSB3"), "\(run.logText); \(run.command)")
    // Four contacts of some 15 s, in nine minutes and more.
    #expect(radio <= 150 && radio * 3 <= all, "\(radio) of \(all) s; \(run.command)")
    run.end(SIGTERM)
    try run.expectOnce(camp.identifiers())
  }
}
