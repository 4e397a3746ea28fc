import BoardSupport
import CaptureStore
import Testing
import TrackerCore

@testable import FieldConsole

/// How long orders about settings hold.
@Suite struct SettingsInForceTests {
  private let again: Comment = "repeat with: swift test --filter SettingsInForceTests"

  private func file(_ text: String) throws -> SettingsFile {
    try SettingsFile(try FileNode.parse(Array(text.utf8), path: "x.json5"))
  }

  private func ordered(
    _ settings: SettingsInForce, _ orders: [(SettingKey, String)], session: UInt32 = 3
  ) throws -> SettingsInForce {
    try orders.reduce(settings) { settings, order in
      try settings.ordering(
        OrderedValue(order.0, order.1), by: "anna", given: Moment(at: .start), session: session)
    }
  }

  @Test func `An order keeps its place until it is given again`() throws {
    var settings = SettingsInForce(try file("{ accuracy: '90 m' }"))
    settings = try ordered(settings, [(.accuracy, "20m"), (.interval, "5min"), (.accuracy, "30m")])
    #expect(settings.orders.map(\.path) == ["capture.interval", "accuracy"], again)
    #expect(settings.orders.map(\.value) == ["5 min", "30 m"], again)
    #expect(settings.orders.map(\.configured) == ["", "90 m"], again)
    #expect(settings.reading.core.configuration.accuracyMetres == 30, again)
    settings = try settings.undoing(.accuracy)
    #expect(settings.orders.count == 1, again)
    #expect(settings.reading.core.configuration.accuracyMetres == 90, again)
  }

  @Test func `Orders of an earlier run are taken, except those that ended meanwhile`() throws {
    let old = SettingsInForce(try file("{ accuracy: '90 m' }"))
    var orders = try ordered(old, [(.accuracy, "20m"), (.reserve, "20%")]).orders
    orders += try ordered(old, [(.language, "ca")], session: 2).orders
    orders.append(orders[0])
    orders[3].path = "later.setting"
    var settings = SettingsInForce(try file("{ accuracy: '80 m' }"))
    settings.take(orders, session: 3)
    #expect(settings.orders == [orders[1]], again)
    #expect(settings.reading.core.configuration.reservePercent == 20, again)
    let ended = settings.takeEnded().map(\.key)
    #expect(ended == ["later.setting", "language", "accuracy"], again)
    let reportedTwice = settings.takeEnded()
    #expect(reportedTwice.isEmpty, again)
    // Where the sessions cannot be read, orders hold.
    settings = SettingsInForce(try file("{ accuracy: '90 m' }"))
    settings.take(Array(orders[..<3]), session: nil)
    #expect(settings.orders == Array(orders[..<3]), again)
  }

  @Test func `The next session ends the orders of the one before`() throws {
    var settings = SettingsInForce(try file("{}"))
    settings = try ordered(settings, [(.every, "1 km")])
    settings = try ordered(settings, [(.policy, "route"), (.reserve, "20%")], session: 4)
    let hasEnded = (settings.begin(session: 3), settings.begin(session: 4))
    #expect(hasEnded == (false, true), again)
    // The policy cannot go on without its distance.
    #expect(settings.orders.map(\.path) == ["reserve"], again)
    let ended = settings.takeEnded()
    #expect(ended.map(\.key) == ["every", "policy"], again)
    #expect(ended.last?.why.contains("capture.every: is missing") == true, again)
    #expect(settings.reading.core.configuration.reservePercent == 20, again)
  }

  @Test func `Orders that need each other survive a file that is read again`() throws {
    let text = "{ capture: { policy: 'route', every: '2 km' } }"
    var settings = SettingsInForce(try file(text))
    settings = try ordered(settings, [(.policy, "standard"), (.interval, "5 min")])
    settings.use(try file(text))
    #expect(settings.orders.map(\.path) == ["capture.policy", "capture.interval"], again)
    // The policy that needs the distance comes first.
    var route = SettingsInForce(try file("{}"))
    let given = try ordered(route, [(.every, "1 km"), (.policy, "route")]).orders
    route.take(given.reversed(), session: 3)
    let ended = route.takeEnded()
    #expect(route.orders == given.reversed() && ended.isEmpty, again)
    #expect(route.reading.core.configuration.capture == .route(everyMetres: 1000), again)
  }

  @Test func `What was given before a date was trusted is dated later`() throws {
    var settings = try ordered(SettingsInForce(), [(.accuracy, "20 m")])
    let date = UTC(milliseconds: 1_798_761_600_000)
    let isDated = settings.date(date, at: .start + .minutes(5))
    #expect(settings.orders[0].given == Moment(at: .start, utc: date + .minutes(-5)), again)
    let isDatedAgain = settings.date(date, at: .start + .minutes(9))
    #expect(isDated && !isDatedAgain, again)
  }

  @Test func `The later of two moments is found by the clocks that both have`() {
    let (early, late) = (Moment(at: .start), Moment(at: .start + .minutes(1)))
    let (old, older) = (Moment(utc: UTC(milliseconds: 9)), Moment(utc: UTC(milliseconds: 8)))
    #expect(late.isLater(than: early) && !early.isLater(than: late), again)
    #expect(early.isLater(than: old) && !old.isLater(than: early), again)
    #expect(old.isLater(than: older) && !older.isLater(than: old), again)
    #expect(!old.isLater(than: Moment()) && !Moment().isLater(than: old), again)
  }
}
