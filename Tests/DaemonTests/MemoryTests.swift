import Foundation
import ModemEmulator
import Testing

/// Little memory: what the daemon gives back must be what it can have again.
@Suite(.serialized) struct MemoryTests {
  @Test(.enabled(if: SwapRig.isPossible, SwapRig.reason))
  func `Swapped out and trimmed at the end of each contact, it goes on`() throws {
    let folder = try ScratchFolder()
    let rig = try SwapRig(folder.url)
    let camp = try Camp(folder: folder.url)
    let modem = try ModemEmulator(try Dialogue(named: "sim7600"), speed: 20)
    defer { modem.stop() }
    for _ in 0..<5 {
      let run = try DaemonRun(["--speed", "20"])
      run.wrapper = rig.wrapper
      run.server =
        "http://127.0.0.1:\(camp.port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
      run.settings["bearer"] = "'interface'"
      run.settings["network"] = "{ interface: 'lo' }"
      run.settings["modemPort"] = "'\(modem.path)'"
      run.settings["capture"] = "{ policy: 'standard', interval: '30 s' }"
      run.settings["transmit"] = "{ interval: '1 min' }"
      run.settings["reconnectFloor"] = "'0 s'"
      run.line.walk(speed: 20)
      try run.startAndWait()
      for contact in 1...2 {
        rig.squeeze()
        #expect(try rig.swapped(run.process.processIdentifier) > 0, "\(run.command)")
        // Its link is closed, and its memory trimmed, before the next one is delivered.
        try run.wait("upload finished outcome=\"answered", times: contact)
      }
      try run.wait("modem phase=off", times: 2)
      try run.wait("captured sequence=", times: run.announced.count + 1)
      run.end(SIGTERM)
      #expect(run.process.terminationStatus == 0, "\(run.command)\n\(run.logText)")
    }
  }
}
