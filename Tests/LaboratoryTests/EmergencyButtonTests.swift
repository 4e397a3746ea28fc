import Foundation
import ModemTerminal
import Simulation
import TestSupport
import Testing

extension LaboratoryTests {
  /// From a team's finger to a person in the control room, and back to the team's eye: trackerd
  /// with a button and a light on the kernel's simulated lines, basecamp, and a browser. Between
  /// them is the modem, on this machine: it is at the other end of the guest's serial line, and
  /// sends what it is told to send. Nothing here is in virtual time.
  @Suite(
    .enabled(
      if: DrivenBrowser.isPossible, "needs chromium and libjs-leaflet; .ci/readers installs them"))
  struct EmergencyButtonTests {
    private static let again = "repeat with: .ci/lab test EmergencyButtonTests"

    @Test func `A call by the button sounds in the room, and the light says who knows of it`()
      throws
    {
      let camp = try CampServer(ScratchFolder())
      let modem = try ModemTerminal(try ModemScript(named: "sim7600"), speed: 10)
      defer { modem.stop() }
      modem.set("noNetwork")
      let guest = try guest(modem, camp)
      try guest.start()
      let browser = try DrivenBrowser(guest.folder)
      try browser.enterRoom(of: camp, as: "Marta")

      // Where there is no network yet, the light alone tells that the call was understood.
      try guest.wait(for: "the light of a call that nobody has") {
        SeenLight(guest).code.contains("sssLLL")
      }
      #expect(try browser.siren().isEmpty, "\(Self.again)")
      modem.set("noNetwork", false)
      try guest.wait(for: "the siren") { try browser.siren() == "sounds" }
      #expect(try browser.text("#siren").contains("EMERGENCY: Els Caminants"), "\(Self.again)")
      try guest.wait(for: "the light of a call that nobody has read") {
        SeenLight(guest).code.hasSuffix("ww")
      }
      #expect(!guest.text("log").contains("stage=read"), "nobody has; \(Self.again)")
      try browser.readEmergency()
      try guest.finish()

      let (log, status) = (guest.text("log"), guest.text("status"))
      #expect(status.contains("EMERGENCY") && status.contains("read by Marta"), "\(status)\n\(log)")
      #expect(try browser.siren().isEmpty, "\(Self.again)")
      // Had the press of one second called, the next would have taken that back.
      let stages = log.split(separator: "\n").compactMap { line in
        line.split(separator: "stage=").dropFirst().first.map(String.init)
      }
      #expect(stages == ["raised", "stored", "delivered", "read"], "\(log); \(Self.again)")
      // No code has a blink so long; then the tracker ended.
      let light = SeenLight(guest)
      #expect(light.blinks.last ?? 0 > 2500, "\(light.blinks); \(Self.again)")
    }

    private func guest(_ modem: ModemTerminal, _ camp: CampServer) throws -> Guest {
      let guest = try Guest("emergency.sh", limit: 180)
      try guest.connect(modem.path)
      try guest.writeBoard(
        ["pi-zero-2w", "waveshare-sim7600", "neo-6m", "li-ion-3p"],
        """
        pins: {
          emergency: { value: 21, active: "high", source: "test" },
          statusLight: { value: 20, active: "high", source: "test" },
        }
        """)
      // The modem's power key is not connected: it stays on.
      try guest.configure([
        "modemPort": "'usb:1e0e:9001'", "bearer": "'modem'", "apn": "'internet'",
        "server": "{ address: '\(camp.layer)' }",
        "capture": "{ policy: 'standard', interval: '10 min' }",
        "transmit": "{ interval: '10 min', betweenUploads: 'attached' }",
      ])
      return guest
    }
  }
}
