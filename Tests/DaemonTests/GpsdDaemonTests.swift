import Glibc
import TestSupport
import Testing

@Suite(.blocking, .enabled(if: GpsdRig.isInstalled, "gpsd is not installed"))
struct GpsdDaemonTests {
  @Test func `A daemon on gpsd captures, and goes on when gpsd was killed and is back`() throws {
    let rig = try GpsdRig()
    rig.receiver.walk(speed: 10)
    let run = try DaemonRun(["--speed", "10"])
    run.settings["receiverPort"] = "'\(rig.address)'"
    try run.startAndWait()
    try run.wait("captured sequence=2")
    try rig.vanish()
    try run.wait("line lost")
    let before = run.announced.count
    try rig.comeBack()
    try run.wait("line opened", times: 2)
    try run.wait("captured sequence=", times: before + 2)
    run.end(SIGTERM)
    #expect(try run.stored() == run.announced, "\(run.command)")
  }
}
