import Testing
import TrackerCore

@testable import BoardSupport

/// A configuration file with values that people order instead.
@Suite struct SettingsFileTests {
  private let again: Comment = "repeat with: swift test --filter SettingsFileTests"

  private func file(_ text: String) throws -> SettingsFile {
    try SettingsFile(try Fixture.root(text))
  }

  private func error(
    _ text: String, _ orders: [OrderedValue], giving new: SettingKey? = nil
  ) throws -> String? {
    let file = try file(text)
    return Fixture.line { () throws(FileError) in _ = try file.reading(orders, giving: new) }
  }

  @Test func `Each key changes the setting of its path, and only that`() throws {
    let plain = try file("{ capture: { policy: 'standard', interval: '10 min' } }")
    func changed(_ key: SettingKey, _ value: String, _ change: (inout Configuration) -> Void)
      throws
    {
      var expected = plain.plain.core.configuration
      change(&expected)
      let reading = try plain.reading([OrderedValue(key, value)], giving: key)
      #expect(reading.core.configuration == expected, "\(key); \(again)")
      #expect(expected != plain.plain.core.configuration, "\(key); \(again)")
    }
    try changed(.interval, "5min") {
      $0.capture = .standard(
        interval: .minutes(5), minimumDistanceMetres: 0, heartbeat: CapturePolicy.defaults.heartbeat
      )
    }
    try changed(.policy, "significant") { $0.capture = .significant }
    try changed(.accuracy, "20 m") { $0.accuracyMetres = 20 }
    try changed(.contacts, "300 s") { $0.transmitInterval = .minutes(5) }
    try changed(.finish, "1970-01-01T00:00Z".replacing("1970", with: "2027")) {
      $0.finish = .at(UTC(milliseconds: 1_798_761_600_000))
    }
    try changed(.reserve, "25%") { $0.reservePercent = 25 }
    try changed(.sleep, "halt") { $0.sleep = .halt }
    let french = try plain.reading([OrderedValue(.language, "fr")], giving: .language)
    #expect(french.language == .french && plain.plain.language == nil, again)
    for key in SettingKey.allCases {
      #expect(SettingKey(path: key.path) == key, again)
      #expect(Settings.all.contains { $0.path == key.path }, again)
    }
  }

  @Test func `Values are shown in one way, however they are written`() throws {
    let file = try file("{ timeZone: 'Europe/Madrid' }")
    let texts: [(SettingKey, String, String)] = [
      (.interval, "300s", "5 min"), (.interval, "0.5 h", "30 min"), (.accuracy, "20m", "20 m"),
      (.every, "1000 m", "1 km"), (.reserve, "0%", "0 %"), (.policy, "proximity", "proximity"),
      (.language, "ca", "ca"),
      (.finish, "2027-04-18T12:00", "2027-04-18T12:00:00+02:00"),
      (.finish, "2027-01-18 12:00", "2027-01-18T12:00:00+01:00"),
      (.finish, "2027-04-18T10:00Z", "2027-04-18T12:00:00+02:00"),
    ]
    for (key, value, text) in texts {
      #expect(try file.text(of: OrderedValue(key, value)) == text, "\(value); \(again)")
      // What is shown can be ordered.
      #expect(try file.text(of: OrderedValue(key, text)) == text, "\(value); \(again)")
    }
    let summer = try self.file("{}").text(of: OrderedValue(.finish, "2027-04-18T12:00+02:00"))
    #expect(summer == "2027-04-18T10:00:00Z", again)
  }

  @Test func `The file's values and defaults are shown in the same way`() throws {
    let file = try file("{ accuracy: '0.1 km', finishAfter: '24 h', transmit: {} }").plain
    let texts: [(SettingKey, String?)] = [
      (.interval, "10 min"), (.policy, "standard"), (.every, nil), (.accuracy, "100 m"),
      (.finish, "after 24 h"), (.language, "en"),
    ]
    for (key, text) in texts { #expect(file.text(of: key) == text, "\(key); \(again)") }
    for key in SettingKey.allCases {
      #expect(SettingsFile().plain.text(of: key) == nil || key != .every && key != .finish, again)
      #expect(SettingsFile().written(key) == "", again)
    }
  }

  @Test func `Errors are those of the file, under the command's name`() throws {
    let errors: [(String, SettingKey, String, String)] = [
      (
        "{}", .interval, "5",
        "set interval: capture.interval: \"5\" has no unit; write for example \"10 min\""
      ),
      (
        "{}", .accuracy, "20 km",
        "set accuracy: accuracy: \"20 km\" is out of range; write a distance from 1 m to 10 km"
      ),
      (
        "{}", .policy, "rout",
        "set policy: capture.policy: \"rout\" is not a valid choice; did you mean \"route\"?"
      ),
      (
        "{ capture: { policy: 'standard' } }", .policy, "route",
        "set policy: capture.every: is missing; add for example every: \"1000 m\""
      ),
      (
        "{}", .policy, "route",
        "set policy: capture.every: is missing; add for example every: \"1000 m\""
      ),
      (
        "{ capture: { policy: 'significant' } }", .interval, "5 min",
        "set interval: capture.interval: does not belong to the policy \"significant\"; "
          + "remove it, or choose \"standard\" or \"adaptive\""
      ),
      (
        "{ receiver: 'dutyCycle' }", .policy, "significant",
        "x.json5:1: receiver: \"dutyCycle\" needs a policy by time, as a sleeping receiver "
          + "measures no distance; write \"always\", or policy \"standard\" or \"adaptive\""
      ),
      (
        "{}", .every, "\u{1B}[2J",
        "set every: capture.every: \"\\u{1B}[2J\" is not a distance; write for example \"200 m\""
      ),
    ]
    for (text, key, value, message) in errors {
      let error = try error(text, [OrderedValue(key, value)], giving: key)
      #expect(error == message, "\(error ?? "no error"); \(again)")
    }
  }

  @Test func `An ordered policy takes the place of the file's with what belongs to it`() throws {
    let file = try file(
      "{ capture: { policy: 'standard', interval: '9 min', minimumDistance: '50 m' } }")
    let orders = [OrderedValue(.every, "1 km"), OrderedValue(.policy, "route")]
    let early = try file.reading([orders[0]], giving: .every)
    #expect(early.core == file.plain.core && !early.takes(.every), again)
    let route = try file.reading(orders, giving: .policy)
    #expect(route.core.configuration.capture == .route(everyMetres: 1000), again)
    #expect(route.takes(.every) && !route.takes(.interval), again)
    #expect(route.text(of: .interval) == nil && route.text(of: .every) == "1 km", again)
    // An interval ordered before has no effect, and has one again later.
    let interval = OrderedValue(.interval, "5 min")
    let significant = try file.reading([interval, OrderedValue(.policy, "significant")])
    #expect(significant.core.configuration.capture == .significant, again)
    let adaptive = try file.reading([interval, OrderedValue(.policy, "adaptive")])
    #expect(adaptive.core.configuration.capture == .adaptive(interval: .minutes(5)), again)
  }

  @Test func `An ordered finish takes the place of one from the start`() throws {
    let file = try file("{ finishAfter: '24 h', endAfterFinish: '1 h' }")
    let reading = try file.reading([OrderedValue(.finish, "2027-01-01T00:00Z")], giving: .finish)
    let configuration = reading.core.configuration
    #expect(configuration.finish == .at(UTC(milliseconds: 1_798_761_600_000)), again)
    #expect(configuration.endAfterFinish == .hours(1), again)
    #expect(file.written(.finish) == "after 24 h", again)
  }

  @Test func `An edit is told from another way to write the same`() throws {
    let first = try file("{ accuracy: '100 m', timeZone: 'UTC', finish: '2027-04-18T12:00' }")
    let same = try file("{ timeZone: 'UTC', finish: '2027-04-18 12:00:00', accuracy: '0.1 km' }")
    for key in SettingKey.allCases { #expect(first.written(key) == same.written(key), again) }
    let other = try file(
      "{ accuracy: '90 m', timeZone: 'Europe/Madrid', "
        + "finish: '2027-04-18T12:00', capture: { policy: 'standard' } }")
    for key in [SettingKey.accuracy, .finish, .policy] {
      #expect(first.written(key) != other.written(key), "\(key); \(again)")
    }
  }
}
