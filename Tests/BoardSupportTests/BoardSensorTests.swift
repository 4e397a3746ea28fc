import Testing
import TrackerCore

@testable import BoardSupport

@Suite("The battery's sensor in a board file")
struct BoardSensorTests {
  private func board(_ sensor: String) throws -> BoardDescription {
    let text = Fixture.board.replacing(
      "battery: {", with: "battery: {\n sensor: \(sensor),")
    return try BoardDescription.parse(try Fixture.root(text), identifier: "bench")
  }

  @Test("is read, of each kind")
  func kinds() throws {
    let adc = try board(
      """
      { kind: "iio", name: { value: "ads1015", source: "bench" },
        place: { value: "1-0048", source: "bench" },
        channel: { value: 3, source: "bench" }, divider: { value: 2, source: "bench" } }
      """)
    let place = SensorDevice(name: "ads1015", place: "1-0048")
    #expect(adc.batterySensor == .iio(place, channel: 3, divider: Ratio(2)))
    #expect(!adc.board.battery.isMeasuredByModem)
    let keys = adc.figures.map(\.keyPath).filter { $0.hasPrefix("battery.sensor") }
    #expect(
      keys == ["name", "place", "channel", "divider"].map { "battery.sensor.\($0)" })
    let monitor = try board(
      """
      { kind: "hwmon", name: { value: "ina219", source: "bench" },
        discharge: { value: "negative", source: "bench" } }
      """)
    let ina = SensorDevice(name: "ina219")
    #expect(
      monitor.batterySensor == .hwmon(ina, channel: 1, divider: Ratio(1), discharge: .negative))
    #expect(try board("{ kind: 'powerSupply' }").batterySensor == .powerSupply(name: nil))
    let gauge = try board("{ kind: 'powerSupply', name: { value: 'battery', source: 'bench' } }")
    #expect(gauge.batterySensor == .powerSupply(name: "battery"))
    let modem = try board("{ kind: 'modem', source: 'bench: VBAT is the cell' }")
    #expect(modem.batterySensor == .modem && modem.board.battery.isMeasuredByModem)
    #expect(modem.figures.contains { $0.keyPath == "battery.sensor.kind" && $0.text == "modem" })
    let none = try BoardDescription.parse(try Fixture.root(Fixture.board), identifier: "bench")
    #expect(none.batterySensor == nil)
  }

  @Test("may have a thermometer beside it, and only beside it")
  func thermometer() throws {
    let parts = "pi-4b+sim5320+li-ion-3p+ads1115"
    func load(_ name: String) throws -> BoardDescription {
      try BoardDescription.load(named: name)
    }
    let warm = try load(parts + "+tmp102")
    #expect(warm.thermometer == SensorDevice(name: "tmp102", place: "1-0049"))
    #expect(warm.batterySensor == (try load(parts)).batterySensor)
    #expect(try load(parts).thermometer == nil)
    #expect(try load("pi-zero-2w-sim7600+tmp102").thermometer == warm.thermometer)
    #expect(warm.board.loads.boardMicroamps == (try load(parts)).board.loads.boardMicroamps + 10)
    let error = #expect(throws: FileError.self) {
      _ = try load("pi-4b+sim5320+li-ion-3p+tmp102")
    }
    let text = "\(try #require(error))"
    #expect(text.contains("battery.thermometer: is of no use"), "\(text)")
  }

  static let dividers: [(text: String, ratio: Ratio)] = [
    ("1", Ratio(1)), ("5.7", Ratio(5700, 1000)), ("1.001", Ratio(1001, 1000)),
    ("'133/33'", Ratio(133, 33)), ("' 5.7'", Ratio(0)), ("'133 / 33'", Ratio(133, 33)),
    ("1000", Ratio(1000)), ("0.5", Ratio(0)), ("'33/133'", Ratio(0)), ("1001", Ratio(0)),
    ("5.7005", Ratio(0)), ("'1/0'", Ratio(0)), ("'2/1/1'", Ratio(0)), ("'2000000/1'", Ratio(0)),
    ("-2", Ratio(0)), ("1e300", Ratio(0)), ("true", Ratio(0)), ("'4 4/2'", Ratio(0)),
  ]

  @Test("has an exact divider", arguments: dividers.indices)
  func divider(_ index: Int) {
    let (text, ratio) = Self.dividers[index]
    let sensor = """
      { kind: "iio", name: { value: "ads1015", source: "bench" },
        channel: { value: 0, source: "bench" }, divider: { value: \(text), source: "bench" } }
      """
    let read = try? board(sensor)
    if ratio == Ratio(0) {
      #expect(read == nil, "\(text): swift test --filter BoardSupportTests.BoardSensorTests")
    } else {
      let expected = BatterySensor.iio(SensorDevice(name: "ads1015"), channel: 0, divider: ratio)
      #expect(
        read?.batterySensor == expected,
        "\(text): swift test --filter BoardSupportTests.BoardSensorTests")
    }
  }

  static let mistakes: [(sensor: String, error: String)] = [
    ("{}", "battery.sensor.kind: is missing; add for example kind: \"iio\""),
    (
      "{ kind: 'ads1015' }",
      "battery.sensor.kind: \"ads1015\" is not a valid choice; write \"iio\", \"hwmon\", "
        + "\"powerSupply\", \"modem\" or \"adc\""
    ),
    (
      "{ kind: 'adc', reference: { value: '3.3 V', source: 'bench' }, "
        + "divider: { value: 4, source: 'bench' } }",
      "battery.sensor: the kind \"adc\" is the converter of a controller, and this board has no "
        + "firmware; a computer measures by \"iio\", \"hwmon\" or \"powerSupply\""
    ),
    (
      "{ kind: 'iio', channel: { value: 0, source: 'bench' } }",
      "battery.sensor.name: is missing; add for example name: "
        + "{ value: \"ads1015\", source: \"…\" }"
    ),
    (
      "{ kind: 'iio', name: { value: 'ads1015', source: 'bench' } }",
      "battery.sensor.channel: is missing; add for example channel: "
        + "{ value: 1, source: \"…\" }"
    ),
    (
      "{ kind: 'iio', name: 'ads1015' }",
      "battery.sensor.name: is the text \"ads1015\"; a number needs its source: "
        + "{ value: \"ads1015\", source: \"…\" }"
    ),
    (
      "{ kind: 'powerSupply', divider: { value: 2, source: 'bench' } }",
      "battery.sensor.divider: does not belong to a sensor of the kind \"powerSupply\"; remove it"
    ),
    (
      "{ kind: 'modem' }",
      "battery.sensor.source: is missing; add for example source: \"maker, manual, edition\""
    ),
    (
      "{ kind: 'powerSupply', nmae: 1 }",
      "battery.sensor.nmae: is not a known key; did you mean \"name\"?"
    ),
    (
      "{ kind: 'powerSupply', name: { value: '../../etc', source: 'bench' } }",
      "battery.sensor.name: \"../../etc\" is not a name in /sys; write it as there, for example "
        + "\"battery\""
    ),
    (
      "{ kind: 'iio', name: { value: 'ads1015', source: 'bench' }, "
        + "channel: { value: 0, source: 'bench' }, divider: { value: 0, source: 'bench' } }",
      "battery.sensor.divider: is the number 0; write how often the battery's voltage is that at "
        + "the sensor, from 1 to 1000: a number like 5.7, or a fraction like \"133/33\""
    ),
  ]

  @Test("a mistake in it is one line with its place and its cure", arguments: mistakes.indices)
  func told(_ index: Int) {
    let (sensor, error) = Self.mistakes[index]
    let told = Fixture.boardError("battery: {", "battery: { sensor: \(sensor),")
    #expect(
      told == "x.json5:15: " + error,
      "\(told ?? "none"): swift test --filter BoardSupportTests.BoardSensorTests")
  }
}
