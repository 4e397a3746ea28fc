import Testing
import TrackerCore
import Wording

@testable import BoardSupport

@Suite("A configuration file")
struct ConfigurationTests {
  private func read(_ text: String) throws -> ConfigurationFile {
    try ConfigurationFile(try Fixture.root(text))
  }

  @Test("that says nothing keeps every default of the core")
  func defaults() throws {
    #expect(try read("{}") == ConfigurationFile())
    #expect(try read("{ capture: { policy: 'standard' } }") == ConfigurationFile())
  }

  @Test("that says everything arrives whole")
  func everything() throws {
    let file = try read(
      """
      { capture: { policy: "standard", interval: "5 min", minimumDistance: "50 m",
                   heartbeat: "40 min" },
        accuracy: "100 m", maximumSpeed: "36 km/h",
        offCourse: "300 m", backwards: "1 km",
        transmit: { interval: "20 min", betweenUploads: "attached" },
        reconnectFloor: "15 min", receiver: "dutyCycle", finishAfter: "24 h", reserve: "15 %",
        confidence: "80 %",
        startsBySelf: false, notBefore: "2024-02-29", team: "Els Caminants d'Olot",
        bearer: "modem", apn: "internet.movistar.es", textAfter: "6 h", textTo: "+34600000000",
        device: "00112233-4455-6677-8899-aabbccddeeff" }
      """)
    var expected = ConfigurationFile()
    expected.configuration.capture = .standard(
      interval: .minutes(5), minimumDistanceMetres: 50, heartbeat: .minutes(40))
    expected.configuration.accuracyMetres = 100
    expected.configuration.maximumSpeedMetresPerSecond = 10
    expected.courseLimits = CourseLimits(offCourseMetres: 300, backwardsMetres: 1000)
    expected.configuration.transmitInterval = .minutes(20)
    expected.configuration.betweenUploads = .attached
    expected.configuration.reconnectFloor = .minutes(15)
    expected.receiverUse = .dutyCycle
    expected.configuration.receiverUse = .dutyCycle
    expected.configuration.finish = .after(.hours(24))
    expected.configuration.reservePercent = 15
    expected.configuration.confidencePercent = 80
    expected.configuration.startsBySelf = false
    expected.configuration.notBefore = UTC(milliseconds: 1_709_164_800_000)
    expected.configuration.bearer = .modem
    expected.configuration.accessPoint = AccessPointName(Array("internet.movistar.es".utf8).span)
    expected.configuration.textAfter = .hours(6)
    expected.configuration.textTo = PhoneNumber(Array("+34600000000".utf8).span)
    expected.team = InlineText("Els Caminants d'Olot")
    expected.device = UniqueID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
    #expect(file == expected)
  }

  @Test("chooses any of the five policies")
  func policies() throws {
    let policy = { (text: String) in
      try read("{ capture: { policy: \(text) } }").configuration.capture
    }
    #expect(try policy("'significant'") == .significant)
    #expect(try policy("'proximity'") == .proximity)
    #expect(try policy("'route', every: '1 km'") == .route(everyMetres: 1000))
    #expect(try policy("'adaptive'") == .adaptive(interval: .minutes(10)))
    #expect(try policy("'adaptive', interval: '90 s'") == .adaptive(interval: .seconds(90)))
    // The default heartbeat of 30 minutes gives way.
    #expect(
      try policy("'standard', interval: '2 h'")
        == .standard(interval: .hours(2), minimumDistanceMetres: 0, heartbeat: .hours(2)))
  }

  static let mistakes: [(text: String, error: String)] = [
    (
      "{\n capture: { policy: 'significant',\n  interval: '5 min' } }",
      "3: capture.interval: does not belong to the policy \"significant\"; "
        + "remove it, or choose \"standard\" or \"adaptive\""
    ),
    (
      "{ capture: { policy: 'route' } }",
      "1: capture.every: is missing; add for example every: \"1000 m\""
    ),
    (
      "{ capture: { interval: '5 min' } }",
      "1: capture.policy: is missing; add for example policy: \"standard\""
    ),
    (
      "{ capture: { policy: 'standart' } }",
      "1: capture.policy: \"standart\" is not a valid choice; did you mean \"standard\"?"
    ),
    (
      "{ capture: { policy: 'standard', interval: '500 ms' } }",
      "1: capture.interval: \"500 ms\" is out of range; write a length of time from 1 s to 24 h "
        + "(a receiver gives one fix per second)"
    ),
    (
      "{ capture: { policy: 'standard', interval: '20 min', heartbeat: '5 min' } }",
      "1: capture.heartbeat: \"5 min\" is out of range; write a length of time from 20 min to "
        + "24 h (not shorter than the interval)"
    ),
    (
      "{ offCourse: '10 m' }",
      "1: offCourse: \"10 m\" is out of range; write a distance from 50 m to 10 km "
        + "(a path in a wood is drawn some 30 m beside where it runs)"
    ),
    (
      "{ transmit: { intervall: '5 min' } }",
      "1: transmit.intervall: is not a known key; did you mean \"interval\"?"
    ),
    (
      "{\n\n transmit: '5 min' }",
      "3: transmit: is the text \"5 min\"; write an object { … } with \"interval\" and "
        + "\"betweenUploads\""
    ),
    (
      "{ reserve: '100 %' }",
      "1: reserve: \"100 %\" is out of range; write a percentage from 0 % to 90 % "
        + "(something must be left to spend)"
    ),
    (
      "{ notBefore: '2025-02-29' }",
      "1: notBefore: \"2025-02-29\" is not a valid day; write a day from 1980-01-06 (when GPS time "
        + "began) to 2099-12-31, for example \"2026-01-01\""
    ),
    (
      "{ notBefore: '1970-01-01' }",
      "1: notBefore: \"1970-01-01\" is not a valid day; write a day from 1980-01-06 (when GPS time "
        + "began) to 2099-12-31, for example \"2026-01-01\""
    ),
    (
      "{ device: 'imsi-214' }",
      "1: device: \"imsi-214\" is not a UUID; write for example "
        + "\"6f1c2a52-0d57-4a86-9d8e-3f0b8b1f2c11\""
    ),
    (
      "{ team: '\(String(repeating: "à", count: 33))' }",
      "1: team: has 66 bytes; 64 are allowed, shorten it"
    ),
    (
      "{ team: 'a\\u0007b' }",
      "1: team: has a control character; write it on one line, without tabs"
    ),
    (
      "{ bearer: 'wifi' }",
      "1: bearer: \"wifi\" is not a valid choice; write \"interface\", \"modem\" or \"none\""
    ),
    (
      "{ apn: 'in\"ternet' }",
      "1: apn: \"in\"ternet\" is not an access point name; write letters, digits, \".\", \"-\" and "
        + "\"_\", for example \"internet\""
    ),
    (
      "{ textAfter: '6 h' }",
      "1: textAfter: has no effect without a number; add for example textTo: \"+34600000000\""
    ),
    (
      "{ textTo: '+34600000000', emergency: false }",
      "1: textTo: has no effect without textAfter; add for example textAfter: \"6 h\""
    ),
    (
      "{ textAfter: '10 min', textTo: '112' }",
      "1: textAfter: \"10 min\" is out of range; write a length of time from 1 h to 72 h "
        + "(each message costs money)"
    ),
    (
      "{ textAfter: '6 h', textTo: '600 000' }",
      "1: textTo: \"600 000\" is not a telephone number; write digits only, for example "
        + "\"+34600000000\""
    ),
    (
      "{ bearer: 'none', textAfter: '6 h', textTo: '112' }",
      "1: textAfter: needs a modem, and bearer is \"none\"; remove one of the two"
    ),
    ("{ receiver: null }", "1: receiver: is null; write \"always\" or \"dutyCycle\""),
    ("{ startsBySelf: 'yes' }", "1: startsBySelf: is the text \"yes\"; write true or false"),
  ]

  @Test("with a mistake is one line with its place and its cure", arguments: 0..<mistakes.count)
  func told(_ index: Int) {
    let (text, error) = Self.mistakes[index]
    #expect(
      Fixture.configurationError(text) == "x.json5:" + error,
      "swift test --filter ConfigurationTests/told")
  }

  @Test("that asks of a board what it cannot do names both")
  func boards() throws {
    let check = { (text: String, name: String) in
      let board = try BoardDescription.load(named: "\(BoardTests.directory)/\(name)")
      let file = try self.read(text)
      return Fixture.line { () throws(FileError) in
        try file.check(on: board, path: "x.json5")
      }
    }
    #expect(try check("{ bearer: 'modem' }", "pi-zero-2w-sim7600") == nil)
    #expect(try check("{ bearer: 'none' }", "pi-3b-sim5320") == nil)
    #expect(
      try check("{ bearer: 'modem' }", "pi-3b-sim5320")
        == "x.json5: bearer: the modem of the board \"pi-3b-sim5320\", of the family \"SIM5320\", "
        + "cannot send requests by itself; write \"interface\"")
    #expect(
      try check("{ bearer: 'none' }", "arduino-uno-3g")
        == "x.json5: bearer: the receiver of the board \"arduino-uno-3g\" is in its modem, which "
        + "\"none\" does not use; write \"interface\"")
  }

  @Test("that adapts to a battery that nothing measures is warned of, in four languages")
  func unmeasured() throws {
    let warnings = { (text: String, name: String) in
      let board = try BoardDescription.load(named: name)
      return try self.read(text).warnings(on: board, path: "x.json5")
    }
    let adaptive = "{ capture: { policy: 'adaptive' } }"
    #expect(try warnings(adaptive, "pi-zero-2w-sim7600").isEmpty)
    #expect(try warnings("{ capture: { policy: 'standard' } }", "pi-3b-sim5320").isEmpty)
    let found = try warnings(adaptive, "pi-3b-sim5320")
    #expect(
      found.map { $0[.english] } == [
        "warning: x.json5: capture.policy: \"adaptive\" adapts to nothing, as no sensor measures "
          + "the battery of pi-3b-sim5320: the intervals stay as configured; add a sensor to the "
          + "board, as in --board pi-3b-sim5320+ads1115"
      ])
    #expect(try warnings(adaptive, "pi-3b-sim5320+ads1115").isEmpty, "what it says helps")
    #expect(found[0][.catalan].hasPrefix("avís: x.json5: capture.policy: "))
  }

  @Test("whose server cannot tell that an emergency was read is warned of")
  func unanswered() throws {
    let board = try BoardDescription.load(named: "pi-zero-2w-sim7600")
    func warnings(_ text: String) throws -> [String] {
      try read(text).warnings(on: board, path: "x.json5").map { $0[.english] }
    }
    for server in ["kind: 'osmand'", "kind: 'owntracks'", "messages: false"] {
      let found = try warnings("{ server: { \(server) } }")
      #expect(found.count == 1 && found[0].contains("has read an emergency"), "\(found)")
      #expect(try warnings("{ emergency: false, server: { \(server) } }").isEmpty)
    }
    #expect(try warnings("{ server: { kind: 'json' } }").isEmpty)
    #expect(try warnings("{ server: {} }").isEmpty)
  }

  /// A board with a button, which may start the halted computer.
  private func board(wakesByButton: Bool?) throws -> BoardDescription {
    var board = try BoardDescription.load(named: "pi-zero-2w-sim7600+pi-batman")
    if let wakesByButton {
      board.pins.button =
        try BoardDescription.load(named: "pi-zero-2w-sim7600+button-and-light").pins.button
      board.wakesByButton = wakesByButton
    }
    return board
  }

  @Test(
    "that has the computer halted needs something that starts it again, and a button that does",
    arguments: Language.all)
  func sleep(_ language: Language) throws {
    let file = try read("{ sleep: 'halt' }")
    func problem(_ board: BoardDescription) -> String? {
      do throws(FileError) {
        try file.check(on: board, path: "x.json5")
        return nil
      } catch { return error.texts[language] }
    }
    #expect(try problem(board(wakesByButton: nil)) == nil)
    #expect(try problem(board(wakesByButton: true)) == nil)
    var calling = try board(wakesByButton: false)
    (calling.pins.emergency, calling.pins.button) = (calling.pins.button, nil)
    #expect(problem(calling)?.contains("halt.button") == true, "the one that calls for help, too")
    let asleep = try #require(problem(board(wakesByButton: false)))
    #expect(asleep.hasPrefix("x.json5: sleep") || language == .french, "\(asleep)")
    #expect(asleep.contains("pi-zero-2w-sim7600+pi-batman") && asleep.contains("halt.button"))
    let bare = try #require(problem(BoardDescription.load(named: "pi-zero-2w-sim7600")))
    #expect(bare.contains("\"never\"") && bare.contains("trackerctl boards"), "\(bare)")
    #expect(!bare.contains("\n") && !asleep.contains("\n"))
    // An order is checked in the same way.
    let never = try SettingsFile(try Fixture.root("{}"), on: board(wakesByButton: false))
    let ordered = Fixture.line { () throws(FileError) in
      _ = try never.reading([OrderedValue(.sleep, "halt")], giving: .sleep)
    }
    #expect(ordered?.contains("halt.button") == true, "\(ordered ?? "")")
  }

  @Test("that is no object says so")
  func noObject() {
    #expect(
      Fixture.configurationError("[1]")
        == "x.json5:1: expected \"{\", found \"[\"; use a JSON5 file")
    #expect(
      Fixture.configurationError("\nroot:x:0") == "x.json5:2: expected \"{\", found \"root\"; "
        + "use a JSON5 file")
  }
}
