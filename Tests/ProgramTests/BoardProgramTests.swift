import Foundation
import Testing

/// `tracker-sim board`.
@Suite struct BoardProgramTests {
  @Test func `A combination is shown with its parts, pins, ports and doubtful figures`() throws {
    let run = try ProgramRun(["board", "pi-4b+waveshare-sim7600+neo-6m+ina219"])
    #expect(run.code == 0, "\(run.errors); \(run.command)")
    for line in [
      "board         pi-4b+waveshare-sim7600+neo-6m+ina219",
      "              ina219              battery   Waveshare UPS HAT (INA219)",
      "support       unverified",
      "              dtoverlay=uart4",
      "              6   modemPowerKey",
      "receiver      /dev/serial0 at 9600, u-blox NEO-6M",
      "console       /dev/ttyAMA4 at 115200",
      "battery       Li-ion 18650, 2 in series, 1 in parallel, 3000 mAh",
      "computer      576 mA",
    ] {
      #expect(run.output.contains(line + "\n"), "\(run.command) lacks: \(line)")
    }
    #expect(run.output.contains("\n  loads.modemStarting          no manual gives it"))
  }

  @Test func `A missing place for the cable and a model of energy are said, with code 0`() throws {
    let bare = try ProgramRun(["board", "pi-zero-2w+a7670+neo-6m+li-ion-3p"])
    let warns = bare.output.contains("\nwarning: there is no place")
    #expect(bare.code == 0 && warns, "\(bare.command)")
    let model = try ProgramRun(["board", "arduino-uno-3g"])
    #expect(model.code == 0 && model.output.contains("simulator only"), "\(model.command)")
  }
}
