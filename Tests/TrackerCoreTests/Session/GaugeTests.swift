import Testing

@testable import TrackerCore

/// Battery gauge, and texts.
@Suite struct GaugeTests {
  static let charges: [(millivolts: Int32, percent: UInt8)] = [
    (9480, 100), (9479, 99), (8400, 90), (7500, 50), (7499, 49), (6600, 10),
    (6005, 0), (6000, 0), (0, 0), (-1, 0), (.min, 0), (.max, 100),
  ]

  @Test(arguments: charges)
  func `The charge is read from the curve`(_ millivolts: Int32, _ percent: UInt8) {
    #expect(Board.bench.battery.percent(atMillivolts: millivolts) == percent, again(Self.self))
  }

  @Test func `The charge never falls as the voltage rises`() {
    var last: UInt8 = 0
    for millivolts in Int32(5900)...9600 {
      let percent = Board.bench.battery.percent(atMillivolts: millivolts)
      #expect(percent >= last && percent <= 100, again(Self.self, "\(millivolts) mV;"))
      last = percent
    }
    #expect(last == 100, again(Self.self))
  }

  @Test func `A gauge that was never read knows nothing`() {
    var gauge = BatteryGauge(Board.bench.battery)
    #expect(gauge.percent == nil && gauge.millivolts == nil, again(Self.self))
    gauge.measure(BatteryReading(millivolts: -5), at: .start)
    #expect(gauge.percent == 0 && gauge.millivolts == -5, again(Self.self))
  }

  @Test func `A fuel gauge is believed before the voltage, up to 100 %`() {
    var gauge = BatteryGauge(Board.bench.battery)
    for (percent, expected) in [(37, 37), (0, 0), (100, 100), (255, 100)] as [(UInt8, UInt8)] {
      gauge.measure(BatteryReading(millivolts: 9480, percent: percent), at: .start)
      #expect(gauge.percent == expected && gauge.millivolts == 9480, again(Self.self))
    }
  }

  @Test func `A lost battery has no figures, and its reserve is the last one`() {
    var gauge = BatteryGauge(Board.bench.battery)
    gauge.lose()
    #expect(!gauge.isInReserve(ofPercent: 10), again(Self.self))
    gauge.measure(BatteryReading(millivolts: 7500), at: .start)
    gauge.lose()
    #expect(gauge.percent == nil && gauge.millivolts == nil, again(Self.self))
    #expect(!gauge.isInReserve(ofPercent: 10), again(Self.self))
    gauge.measure(BatteryReading(millivolts: 6600), at: .start + .minutes(10))
    gauge.lose()
    #expect(gauge.percent == nil && gauge.isInReserve(ofPercent: 10), again(Self.self))
    gauge.measure(BatteryReading(millivolts: 7500), at: .start + .minutes(20))
    #expect(gauge.percent == 50 && !gauge.isInReserve(ofPercent: 10), again(Self.self))
  }

  /// Six cells of 1000 to 1580 mV.
  static let plausible: [(millivolts: Int32, isPlausible: Bool)] = [
    (2999, false), (3000, true), (9480, true), (11_376, true), (11_377, false), (0, false),
    (.min, false), (.max, false),
  ]

  @Test(arguments: plausible)
  func `A voltage that the cells cannot have is implausible`(
    _ millivolts: Int32, _ isPlausible: Bool
  ) {
    #expect(
      Board.bench.battery.isPlausible(millivolts: millivolts) == isPlausible, again(Self.self))
  }

  @Test func `Absurd cells have plausible voltages without a trap`() {
    for number in [Int32.min, -1, 0, 1, .max] {
      for cell in [Int32.min, 0, .max] {
        var battery = Board.bench.battery
        battery.cellsInSeries = number
        battery.cellMillivolts = InlineArray(repeating: cell)
        _ = battery.isPlausible(millivolts: number)
      }
    }
  }

  static let hours: [(hours: Int64, count: Int64)] = [
    (1, 3_600_000), (.max, .max), (.min, .min), (9_300_000_000_000, .max),
  ]

  @Test(arguments: hours)
  func `A count of hours that is too large stands for the longest time`(
    _ hours: Int64, _ count: Int64
  ) {
    #expect(Milliseconds.hours(hours).count == count, again(Self.self))
  }

  @Test(arguments: [
    ("", ""), ("abc", "abc"), ("12345678", "12345678"), ("123456789", "12345678"),
    ("1234567é", "1234567"), ("123456é", "123456é"), ("12345😀", "12345"), ("1234😀", "1234😀"),
    ("ééééé", "éééé"),
  ])
  func `A text keeps what fits, and cuts no character`(_ text: String, _ expected: String) {
    let inline = InlineText<8>(Array(text.utf8).span)
    let kept = (0..<inline.count).map { inline[$0] }
    #expect(String(decoding: kept, as: UTF8.self) == expected, again(Self.self, text))
    #expect(inline.isEmpty == expected.isEmpty, again(Self.self))
    #expect(inline[8] == 0, "beyond the end there is nothing")
  }

  @Test func `Texts are equal by their bytes in use`() {
    #expect(InlineText<8>("abc") == InlineText<8>(Array("abc".utf8).span), again(Self.self))
    #expect(InlineText<8>("abc") != InlineText<8>("abd"), again(Self.self))
    #expect(InlineText<8>("abc") != InlineText<8>("ab"), again(Self.self))
    #expect(InlineText<8>([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80].span).isEmpty)
  }
}
