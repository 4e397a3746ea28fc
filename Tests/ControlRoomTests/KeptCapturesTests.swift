import Testing
import TrackerCore

@testable import ControlRoom

/// What a story keeps its captures in, beside arrays and sets that do the same in more bytes.
struct KeptCapturesTests {
  private static let device = UniqueID(high: 0x5EA5_0001_0000_4000, low: 0xA000_0000_0000_0007)

  /// One of a tracker at work, or with anything that a server may make of it.
  private static func capture(
    _ number: UInt32, _ dice: inout SystemRandomNumberGenerator
  ) -> DeliveredCapture {
    let at = UTC(milliseconds: 1_776_000_000_000 + Int64(number) * 10_000)
    func maybe<Value>(_ value: Value) -> Value? {
      Int.random(in: 0..<20, using: &dice) == 0 ? value : nil
    }
    var capture = DeliveredCapture(
      at: maybe(UTC(milliseconds: 253_402_300_799_999)) ?? at, tracker: "7",
      team: maybe("Team \(number)") ?? "Els Senglars",
      id: maybe(UniqueID(high: .random(in: 0 ... .max, using: &dice), low: UInt64(number)))
        ?? UniqueID(device: device, sequence: number),
      taken: maybe(UTC(milliseconds: at.milliseconds - 31_000_000_000)) ?? at,
      position: Coordinate(latitude: 420_000_000 - Int32(number), longitude: -1_800_000_000))
    capture.accuracyMetres = maybe(100_000) ?? maybe(65_535) ?? 5
    capture.batteryPercent = maybe(33.333333) ?? maybe(100) ?? 87.35
    capture.trigger = maybe(.emergency) ?? .interval
    capture.isEmergency = maybe(true) ?? false
    capture.sequence = maybe(number &+ 1) ?? number
    capture.promise =
      maybe(UTC(milliseconds: at.milliseconds + 31_000_000_000)) ?? (at + .minutes(20))
    capture.silence = maybe(.stoppedByPerson) ?? maybe(.reserve) ?? .none
    capture.refusal = maybe("no such layer")
    capture.isFromPhone = maybe(true) ?? false
    capture.phone = maybe("+34600000000")
    capture.revision = maybe(3) ?? 0
    if maybe(true) != nil {
      (capture.accuracyMetres, capture.batteryPercent, capture.trigger) = (nil, nil, nil)
      (capture.sequence, capture.promise) = (nil, nil)
    }
    return capture
  }

  @Test func `Every capture comes out as it went in, wherever it is put, changed or removed`() {
    var dice = SystemRandomNumberGenerator()
    var kept = KeptCaptures(of: "7")
    var model: [DeliveredCapture] = []
    for number in 1...2000 as ClosedRange<UInt32> {
      let capture = Self.capture(number, &dice)
      let atEnd = Int.random(in: 0..<4, using: &dice) > 0
      let place = atEnd ? model.count : .random(in: 0...model.count, using: &dice)
      kept.insert(capture, at: place)
      model.insert(capture, at: place)
      let index = Int.random(in: model.indices, using: &dice)
      switch Int.random(in: 0..<10, using: &dice) {
      case 0:
        kept.remove(at: index)
        model.remove(at: index)
      case 1:
        kept[index].at = model[index].at + .seconds(1)
        model[index].at = model[index].at + .seconds(1)
      default: break
      }
    }
    #expect(Array(kept) == model)
    #expect(kept.lastTeam == model.last { !$0.team.isEmpty }?.team)
    for capture in model {
      #expect(kept.firstIndex(of: capture.id) == model.firstIndex { $0.id == capture.id })
    }
    #expect(kept.firstIndex(of: UniqueID(high: 1, low: 1)) == nil)
  }

  @Test func `Captures of a second device are told from those of the first`() {
    var kept = KeptCaptures(of: "7")
    let at = UTC(milliseconds: 1_776_000_000_000)
    var capture = DeliveredCapture(
      at: at, tracker: "7", team: "Els Senglars", id: UniqueID(device: Self.device, sequence: 1),
      taken: at, position: Coordinate(latitude: 420_000_000, longitude: -1_800_000_000))
    for number in 1...300 as ClosedRange<UInt32> {
      capture.id = UniqueID(device: Self.device, sequence: number)
      capture.sequence = number
      kept.insert(capture, at: kept.count)
    }
    #expect(kept.areOfOneDevice)
    capture.id = UniqueID(
      device: UniqueID(high: 0x5EA5_0002_0000_4000, low: 0xA000_0000_0000_0008), sequence: 301)
    kept.insert(capture, at: 150)
    #expect(!kept.areOfOneDevice)
  }

  @Test(arguments: [UInt32(0), .max, 0x1234_5678])
  func `A set of identifiers has those that were put in, whichever bits are turned`(turned: UInt32)
  {
    var known = KnownIDs()
    var model: Set<UniqueID> = []
    for _ in 0..<5000 {
      let number = UInt32.random(in: 0...400) ^ turned
      let id = UniqueID(high: 7, low: 0xA000_0001_0000_0000 | UInt64(number))
      if Bool.random() || Bool.random() {
        #expect(known.insert(id) == model.insert(id).inserted)
      } else {
        known.remove(id)
        model.remove(id)
      }
    }
    for number in 0...UInt32(400) {
      let id = UniqueID(high: 7, low: 0xA000_0001_0000_0000 | UInt64(number ^ turned))
      #expect(known.contains(id) == model.contains(id))
    }
    #expect(!known.contains(UniqueID(high: 8, low: 0xA000_0001_0000_0000 | UInt64(turned))))
  }
}
