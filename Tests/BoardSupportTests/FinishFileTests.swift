import Testing
import TrackerCore

@testable import BoardSupport

/// The finish in a configuration file. Expectations are GNU date's: `date -d 'TZ="…" …' +%s`.
@Suite struct FinishFileTests {
  private func read(_ text: String) throws -> Configuration {
    try ConfigurationFile(try Fixture.root(text)).configuration
  }

  static let moments: [(written: String, zone: String?, seconds: Int64)] = [
    ("2026-04-19T14:00", "Europe/Madrid", 1_776_600_000),
    ("2026-04-18 20:00", "Europe/Madrid", 1_776_535_200),
    ("2026-04-19T14:00:30", "Europe/Madrid", 1_776_600_030),
    // In winter, an hour less from UTC.
    ("2026-01-19T14:00", "Europe/Madrid", 1_768_827_600),
    ("2026-04-19T14:00", "UTC", 1_776_607_200),
    ("2026-04-19T14:00", "Asia/Kathmandu", 1_776_586_500),
    ("2026-04-19T14:00", "America/Argentina/Buenos_Aires", 1_776_618_000),
    ("2026-04-19T14:00Z", nil, 1_776_607_200),
    ("2026-04-19T14:00+02:00", nil, 1_776_600_000),
    ("2026-04-19 14:00:00-0330", nil, 1_776_619_800),
    ("2026-04-19T14:00+02", nil, 1_776_600_000),
    // An offset that was written needs no zone, and a zone does not change it.
    ("2026-04-19T14:00Z", "Europe/Madrid", 1_776_607_200),
    ("2024-02-29T12:00Z", nil, 1_709_208_000),
    // The hours around both changes of the clocks.
    ("2026-03-29T01:59:59", "Europe/Madrid", 1_774_745_999),
    ("2026-03-29T03:00", "Europe/Madrid", 1_774_746_000),
    ("2026-10-25T01:59:59", "Europe/Madrid", 1_792_886_399),
    ("2026-10-25T03:00", "Europe/Madrid", 1_792_893_600),
    ("2026-10-25T02:30+02:00", "Europe/Madrid", 1_792_888_200),
    ("2026-10-25T02:30+01:00", "Europe/Madrid", 1_792_891_800),
    // A zone that changed without summer time: Caracas on 2016-05-01, half an hour on.
    ("2016-05-01T03:00", "America/Caracas", 1_462_086_000),
    ("2016-05-01T02:29", "America/Caracas", 1_462_085_940),
  ]

  @Test(arguments: moments.indices)
  func `A day and a time are a moment`(_ index: Int) throws {
    let (written, zone, seconds) = Self.moments[index]
    let key = zone.map { ", timeZone: '\($0)'" } ?? ""
    let read = try read("{ finish: '\(written)'\(key) }")
    #expect(
      read.finish == .at(UTC(milliseconds: seconds * 1000)),
      "\(written) \(zone ?? "-"); repeat with: swift test --filter FinishFileTests")
    #expect(read.endAfterFinish == .hours(6))
  }

  // TZ itself is not set here: other tests of this process read zones at the same time.
  @Test func `The zone of the process is as it was`() throws {
    let moment = UTC(milliseconds: 1_776_600_000_000)
    let before = IANAZone.machineOffsetSeconds(at: moment)
    for zone in ["Asia/Tokyo", "America/Caracas"] {
      _ = try read("{ finish: '2026-04-19T14:00', timeZone: '\(zone)' }")
      #expect(IANAZone.machineOffsetSeconds(at: moment) == before)
    }
  }

  @Test func `The other forms of a finish`() throws {
    #expect(try read("{}").finish == nil)
    #expect(try read("{ finishAfter: '24 h' }").finish == .after(.hours(24)))
    #expect(try read("{ finishAfter: '24 h' }").endAfterFinish == .hours(6))
    let never = try read("{ finish: '2026-04-19T14:00Z', endAfterFinish: 'never' }")
    #expect(never.endAfterFinish == nil)
    #expect(
      try read("{ finishAfter: '24 h', endAfterFinish: '90 min' }").endAfterFinish
        == .minutes(90))
    #expect(try read("{ timeZone: 'Europe/Andorra' }") == Configuration())
  }

  private static let form =
    "; write for example \"2026-04-19T14:00\", with timeZone or with an offset"

  static let mistakes: [(text: String, error: String)] = [
    (
      "{ finish: '2026-04-19T14:00' }",
      "finish: \"2026-04-19T14:00\": in which time zone? Add for example timeZone: "
        + "\"Europe/Madrid\", or write it as \"2026-04-19T14:00+02:00\" or with Z for UTC"
    ),
    (
      "{ finish: '2026-04-19T14:00', timeZone: 'Europe/Olot' }",
      "timeZone: \"Europe/Olot\" is not a time zone; write a name from the IANA database, for "
        + "example \"Europe/Madrid\""
    ),
    (
      "{ finish: '2026-03-29T02:30', timeZone: 'Europe/Madrid' }",
      "finish: \"2026-03-29T02:30\" does not exist in Europe/Madrid: the clocks go forward "
        + "then; write a later time"
    ),
    (
      "{ finish: '2026-10-25T02:30', timeZone: 'Europe/Madrid' }",
      "finish: \"2026-10-25T02:30\" occurs twice in Europe/Madrid: the clocks go back then; write "
        + "\"2026-10-25T02:30+02:00\" or \"2026-10-25T02:30+01:00\""
    ),
    (
      "{ finish: '2026-02-29T14:00Z' }",
      "finish: \"2026-02-29T14:00Z\": there is no such time" + form
    ),
    (
      "{ finish: '2026-04-19T24:00Z' }",
      "finish: \"2026-04-19T24:00Z\": there is no such time" + form
    ),
    (
      "{ finish: '1999-04-19T14:00Z' }",
      "finish: \"1999-04-19T14:00Z\": there is no such time" + form
    ),
    ("{ finish: '19.4.2026 14:00' }", "finish: \"19.4.2026 14:00\" is not a date and time" + form),
    ("{ finish: '2026-04-19' }", "finish: \"2026-04-19\" is not a date and time" + form),
    (
      "{ finish: '2026-04-19T14:00 CEST' }",
      "finish: \"2026-04-19T14:00 CEST\" is not a date and time" + form
    ),
    (
      "{ finish: '2026-04-19T14:00+0:0' }",
      "finish: \"2026-04-19T14:00+0:0\" is not a date and time" + form
    ),
    ("{ finish: 1776600000 }", "finish: is the number 1776600000" + form),
    (
      "{ finish: '2026-04-19T14:00Z', finishAfter: '32 h' }",
      "finishAfter: cannot be combined with finish; remove one of the two"
    ),
    (
      "{ endAfterFinish: '2 h' }",
      "endAfterFinish: has no effect without a finish; add for example finish: "
        + "\"2026-04-19T14:00\""
    ),
    (
      "{ finishAfter: '32 h', endAfterFinish: 'later' }",
      "endAfterFinish: \"later\" is not a length of time; write for example \"10 min\""
    ),
  ]

  @Test(arguments: mistakes.indices)
  func `A mistake is one line with its cure`(_ index: Int) {
    let (text, error) = Self.mistakes[index]
    #expect(Fixture.configurationError(text) == "x.json5:1: " + error)
  }

  /// Names that reach files outside of the zones, or zones that count leap seconds.
  @Test(arguments: [
    "../../../etc/passwd", "/etc/localtime", "Europe", "Europe/", "europe/madrid", "right/UTC",
    "CET-1CEST", ":Europe/Madrid", "posixrules\u{0}", "zone.tab", "Europe/Madrid/..", "",
  ])
  func `A name that is no zone is no zone`(_ name: String) { #expect(IANAZone(name) == nil) }

  @Test func `A finish that is past is refused by a check, one that is to come is not`() throws {
    let file = try ConfigurationFile(try Fixture.root("{ finish: '2026-04-19T12:00:00Z' }"))
    let finish = UTC(milliseconds: 1_776_600_000_000)
    for now in [UTC(milliseconds: 0), finish + -1] {
      #expect(
        Fixture.line { () throws(FileError) in try file.checkFinish(at: now, path: "c") } == nil)
    }
    for now in [finish, finish + .hours(1000)] {
      #expect(
        Fixture.line { () throws(FileError) in try file.checkFinish(at: now, path: "c") }
          == "c: finish: is in the past; write that of the next race, or remove it")
    }
    try ConfigurationFile().checkFinish(at: finish, path: "c")
  }
}
