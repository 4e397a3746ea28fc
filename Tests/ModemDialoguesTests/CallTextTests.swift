import Testing
import TrackerCore

@testable import ModemDialogues

/// A team's call for help, read from its text message.
@Suite struct CallTextTests {
  @Test func `What a tracker writes is read`() throws {
    for (latitude, longitude) in [(421_822_000, 24_890_000), (-5_000, -1_000), (0, 1_799_999_900)] {
      for team in ["Els Corbs", "", "12", "42.1 km", "Team 1.00000"] {
        var capture = Capture(
          sequence: 7, utc: UTC(milliseconds: 1_777_730_580_000), isTimeTrusted: true,
          position: Coordinate(latitude: Int32(latitude), longitude: Int32(longitude)),
          team: InlineText(Array(team.utf8).span), trigger: .emergency)
        capture.batteryPercent = 76
        let text = try #require(PositionText.text(of: capture, isEmergency: true))
        let call = try #require(CallText(text), "\(text)")
        #expect(call.team == team && call.position == capture.position, "\(text)")
        #expect(call.taken == UTC(milliseconds: 1_777_730_580_000), "\(text)")
        #expect(call.batteryPercent == 76 && !call.isOver, "\(text)")
        capture.trigger = .emergencyOver
        let over = try #require(PositionText.text(of: capture).flatMap { CallText($0) })
        #expect(over.isOver && over.team == team, modemAgain)
      }
    }
    let lost = PositionText.text(of: nil, team: InlineText("Els Corbs"), isEmergency: true)
    let call = try #require(lost.flatMap { CallText($0) })
    #expect(call.team == "Els Corbs" && call.position == nil && call.taken == nil, modemAgain)
  }

  @Test func `A person who writes SOS calls, too, and nothing else does`() {
    #expect(CallText("sos we are lost")?.team == "we are lost", modemAgain)
    #expect(CallText("SOS") != nil, modemAgain)
    for text in ["", "OK", "SOSA", "Els Corbs 42.18220 2.48900", "no SOS"] {
      #expect(CallText(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    "SOS x 99999999999.00000 2.00000", "SOS x 91.00000 2.00000", "SOS x 42.00000 -180.00001",
    "SOS x 42.0000 2.00000 2026-13-40 99:99 UTC", "SOS x 42.-0001 2.00000",
    "SOS x -.00000 -.00000", "SOS over:", "SOS no position", "SOS x 42.00000",
  ])
  func `Absurd figures are no position, and do not trap`(_ text: String) {
    let call = CallText(text)
    #expect(call != nil && call?.position == nil, modemAgain)
  }
}
