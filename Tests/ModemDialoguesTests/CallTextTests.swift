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

  private static let device = UniqueID(high: 0x1234, low: 0x5678)

  @Test func `A call names its device and its emergency, in one message whatever the team's name`()
    throws
  {
    let code = CallCode(device: Self.device, firstSequence: 65_535)
    for team in ["Els Corbs", "", String(repeating: "œ", count: 32), "#0000 #00000000"] {
      var capture = Capture(
        sequence: 7, utc: UTC(milliseconds: 1_777_730_580_000), isTimeTrusted: true,
        position: Coordinate(latitude: -899_999_900, longitude: -1_799_999_900),
        team: InlineText(Array(team.utf8).span), trigger: .emergency)
      (capture.batteryPercent, capture.accuracyMetres) = (100, 65_535)
      let calls = [
        PositionText.text(of: capture, isEmergency: true, code: code),
        PositionText.text(of: nil, team: capture.team, isEmergency: true, code: code),
      ]
      for text in calls.compactMap(\.self) {
        let call = try #require(CallText(text), "\(text)")
        #expect(call.code == code && !call.isOver && text.count <= 160, "\(text)")
        #expect(call.team == PositionText.name(team), "\(text)")
      }
      #expect(CallText(calls[0] ?? "")?.batteryPercent == 100, "\(calls)")
      capture.trigger = .emergencyOver
      let over = try #require(PositionText.text(of: capture, code: code))
      #expect(CallText(over)?.code == code && CallText(over)?.isOver == true, "\(over)")
      capture.trigger = .interval
      #expect(PositionText.text(of: capture, code: code)?.contains("#\(code.device)") == false)
    }
    for text in ["SOS x no position", "SOS #7K3QXM4", "SOS x #7K3QXM4I", "SOS x 7K3QXM4FF"] {
      #expect(CallText(text) != nil && CallText(text)?.code == nil, "\(text)")
    }
  }

  @Test func `A device's letters are those of all its captures, and of no other's`() {
    let mine = CallCode(device: Self.device, firstSequence: 1)
    #expect(mine.device.count == 6 && mine.emergency == "01", modemAgain)
    for sequence: UInt32 in [0, 1, 77, .max] {
      let capture = UniqueID(device: Self.device, sequence: sequence)
      #expect(CallCode.device(of: capture) == mine.device, modemAgain)
      // As far as a room keeps it.
      let kept = UniqueID(high: capture.high, low: capture.low & ~0xFFFF_FFFF)
      #expect(CallCode.device(of: kept) == mine.device, modemAgain)
    }
    let all = (0..<1000).map {
      CallCode(device: UniqueID(high: 0x1234, low: $0), firstSequence: 1).device
    }
    #expect(Set(all).count == 1000, modemAgain)
    // Of another program.
    #expect(CallCode.device(of: UniqueID(high: 0x4000, low: 1 << 63)) == nil, modemAgain)
    let emergencies = (1...1000).map { CallCode(device: Self.device, firstSequence: $0).emergency }
    #expect(Set(emergencies).count == 1000, modemAgain)
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
