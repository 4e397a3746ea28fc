import Courses
import Testing
import TrackerCore

@testable import Reports

@Suite struct TimetableTests {
  static let again = "repeat with: swift test --filter TimetableTests"

  private static func read(_ text: String) throws -> Timetable { try Timetable(Array(text.utf8)) }

  private static func date(_ text: String) -> UTC? { ExportedDate.utc(text) }

  static let starting = "2026-04-18T08:00:00.000Z"

  /// From Olot to Amer.
  private static let course = try! MappedCourse(
    Array(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{},"geometry":
      {"type":"LineString","coordinates":[[2.49,42.18],[2.6,41.98]]}},
      {"type":"Feature","properties":{"name":"Olot"},"geometry":
      {"type":"Point","coordinates":[2.49,42.18]}},
      {"type":"Feature","properties":{"name":"Amer"},"geometry":
      {"type":"Point","coordinates":[2.6,41.98]}}]}
      """.utf8))

  @Test func `Places with times since the start are due by each team's own start`() throws {
    let plan = try Self.read(
      """
      place,time,team
      Olot,0:00,
      AMER , 6:30 ,
      finish,26:00:00,
      start,2026-04-18T10:00:00+02:00,Els Senglars
      """)
    #expect(
      plan.rows.map(\.mark) == [.place("olot"), .place("amer"), .place("finish"), .place("start")])
    #expect(plan.start(of: "Els Senglars", on: Self.course) == Self.date(Self.starting))
    #expect(plan.start(of: "Others", on: Self.course) == nil)
    let amer = plan.rows[1]
    #expect(plan.due(amer, started: nil) == nil, "\(Self.again)")
    #expect(
      plan.due(amer, started: Self.date(Self.starting))
        == Self.date("2026-04-18T14:30:00.000Z"), "\(Self.again)")
  }

  @Test(arguments: ["start", "Olot", "olot"])
  func `A team starts at the date of the course's start, by whatever name`(place: String) throws {
    let plan = try Self.read("place,time\n\(place),2026-04-18T08:00:00Z\nAmer,6:30\n")
    #expect(plan.start(of: "any", on: Self.course) == Self.date(Self.starting), "\(Self.again)")
    let late = try Self.read("place,time\nAmer,2026-04-18T08:00:00Z\n")
    #expect(late.start(of: "any", on: Self.course) == nil, "\(Self.again)")
  }

  @Test func `A team's own row takes the place of the common one`() throws {
    let plan = try Self.read("km,time,team\n0,0:00,\n30.2,6:30,\n30.2,7:00,Slow\n")
    #expect(plan.rows(of: "Slow").map(\.line) == [2, 4])
    #expect(plan.rows(of: "Fast").map(\.line) == [2, 3])
  }

  @Test func `A spreadsheet's semicolons, decimal commas, mark and line ends are read`() throws {
    let plan = try Self.read("\u{FEFF}time;km\r\n2026-04-18T08:00Z;0\r\n6:30;30,25\r\n\r\n;\r\n")
    #expect(plan.rows.map(\.mark) == [.metres(0), .metres(30_250)])
    #expect(plan.start(of: "any", on: Self.course) == Self.date(Self.starting))
  }

  @Test(arguments: [
    (
      "",
      "line 1 (byte 0): the file is empty; give columns place (or km) and time, such as: Amer,6:30"
    ),
    ("place\nAmer\n", "line 1 (byte 0): the first row does not name the columns; give columns"),
    ("place,km,time\n", "line 1 (byte 0): the first row does not name the columns"),
    ("place,time,hour\n", "line 1 (byte 0): unknown column 'hour'"),
    ("time,time,km\n", "line 1 (byte 0): column time is there twice"),
    ("place,time\n", "line 2 (byte 11): no rows after the header"),
    ("place,time\nAmer\n", "line 2 (byte 11): 1 fields instead of 2"),
    ("place,time\nAmer,6.30\n", "line 2 (byte 11): time '6.30'; give 6:30"),
    ("place,time\nAmer,6:61\n", "line 2 (byte 11): time '6:61'"),
    ("place,time\nAmer,-6:30\n", "line 2 (byte 11): time '-6:30'"),
    ("place,time\nAmer,2026-02-30T08:00:00Z\n", "line 2 (byte 11): time '2026-02-30"),
    ("place,time\nAmer,2026-04-18T08:00:00\n", "line 2 (byte 11): time '2026-04-18T08:00:00'"),
    ("place,time\nAmer,9999-04-18T08:00:00Z\n", "line 2 (byte 11): time '9999-04-18T08:00:00Z'"),
    ("place,time\nAmer,2026-04-18T08:00:00+0200\n", "line 2 (byte 11): time '2026-04-18T08"),
    ("place,time\n ,6:30\n", "line 2 (byte 11): no place"),
    ("km,time\n-3,6:30\n", "line 2 (byte 8): km '-3'; give a number"),
    ("km,time\n1001,6:30\n", "line 2 (byte 8): km '1001'"),
    ("place,time\nAmer,6:30\namer,7:30\n", "line 3 (byte 21): the same place is in line 2"),
    ("place,time\nAmer,6:30\nSalt,5:30\n", "line 3 (byte 21): earlier than line 2"),
    ("km,time\n30,6:30\n20,7:30\n", "line 3 (byte 16): less far than line 2"),
    ("place,time\n\"Amer,6:30\n", "line 3 (byte 22): the file is truncated"),
    ("place,time\nAm\"er,6:30\n", "line 2 (byte 13): a quotation mark within a field"),
  ])
  func `A mistake is reported in one line, with its place and a cure`(text: String, wanted: String)
  {
    let error = #expect(throws: ImportError.self) { try Self.read(text) }
    let message = error?.description ?? ""
    #expect(message.hasPrefix(wanted) && !message.contains("\n"), "\(message); \(Self.again)")
  }

  @Test func `No bytes make it trap`() {
    let text = Array("place,km;time,team\n\"Amer\",6:30:00;2026-04-18T08:00:00+02:00\r\n30,2".utf8)
    var seeded = SplitMix64(seed: 17)
    for _ in 0..<3000 {
      var bytes = text
      for _ in 0..<seeded.next() % 6 {
        bytes[Int(seeded.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: seeded.next())
      }
      bytes.removeLast(Int(seeded.next() % UInt64(bytes.count)))
      let start = Array("km,time\n".utf8)
      for input in [bytes, start + bytes] { _ = try? Timetable(input) }
    }
  }
}
