import History
import Testing
import TrackerCore
import Wording

/// What may be asked of a tracker's past, and how the answer is told.
@Suite struct HistoryRequestTests {
  private static let again: Comment = "repeat with: swift test --filter HistoryRequestTests"
  private static let from = UTC(milliseconds: 1_776_506_400_000)  // 2026-04-18T10:00:00Z
  private static let now = from + .hours(5)
  private static let hour = "history 2026-04-18T10:00:00Z 2026-04-18T11:00:00Z"

  private func refusal(_ order: String) -> String? {
    do throws(HistoryError) {
      _ = try HistoryRequest(order, at: Self.now)
      return nil
    } catch { return error.texts.english }
  }

  private func picker(_ step: String) throws -> HistoryPicker {
    HistoryPicker(try HistoryRequest("\(Self.hour) \(step)", at: Self.now))
  }

  @Test(arguments: [
    ("history 1950-01-01T00:00:00Z 2049-12-31T00:00:00Z 1 s", "write it"),
    ("history 2001-01-01T00:00:00Z 2026-01-01T00:00:00Z 1 s", "positions, at most 1000"),
    ("\(hour) 1 ms", "write it"), ("\(hour) 0 s", "write it"), ("\(hour) -5 s", "write it"),
    ("\(hour) 9223372036854775807 h", "write it"), ("\(hour) 99999999999999999999 s", "write it"),
    ("\(hour) 1 s", "3601 positions, at most 1000"),
    ("history 2026-04-18T11:00:00Z 2026-04-18T10:00:00Z 1 s", "ends before it begins"),
    ("history 2026-04-18T14:00:00Z 2026-04-18T16:00:00Z 1 h", "still to come"),
    ("history", "write it"), ("history a b 1 s", "write it"), ("\(hour) 30 s now", "write it"),
  ])
  func `What cannot be answered is refused in one line`(_ order: String, _ why: String) throws {
    let text = try #require(refusal(order), Self.again)
    #expect(text.contains(why) && !text.contains("\n"), Self.again)
  }

  @Test func `A request is told with its price before anything is sent`() throws {
    let request = try HistoryRequest("\(Self.hour) 30 s", at: Self.now)
    #expect(request.slots == 121 && HistoryRequest.isOne("history x"), Self.again)
    // 2 parts of 2 kB, 121 positions of 18 bytes, at 4 kB/s, and four exchanges of 4 s: 17 s.
    #expect(request.cost(milliwatts: 2500) == "at most 121 positions, 0.2 min, 11.8 mWh")
    #expect(request.cost(milliwatts: 0) == "at most 121 positions, 0.2 min")
  }

  @Test func `Each slot has the nearest position, or a reason`() throws {
    var picker = try picker("20 min")
    let place = Coordinate(latitude: 419_823_400, longitude: -28_239_100)
    picker.see(Coordinate(latitude: 1, longitude: 1), at: Self.from + .minutes(9))
    picker.see(place, at: Self.from + .seconds(-61))
    picker.see(Coordinate(latitude: 1, longitude: 1), at: Self.from + .minutes(2))
    picker.miss(.clockUntrusted, at: Self.from + .minutes(20))
    picker.miss(.noFix, at: Self.from + .minutes(21))
    picker.miss(.noFix, at: Self.from + .minutes(41))
    picker.miss(.noFix, at: Self.from)
    // Far outside, and where sums would overflow.
    picker.see(place, at: UTC(milliseconds: .min))
    picker.see(place, at: UTC(milliseconds: .max))
    #expect(
      picker.answer.result == "sent 1 of 4; missing: 1 not recorded, 1 no fix, 1 clock untrusted")
    #expect(picker.answer.parts.map { $0.number } == [1], Self.again)
    #expect(
      picker.answer.parts[0].positions
        == [
          HistoryPosition(
            utc: Self.from + .seconds(-61), latitude: 41_982_340, longitude: -2_823_910)
        ])
  }

  @Test func `Parts say the same as what went in, each time under the same keys`() throws {
    var picker = try picker("10 s")
    for index in 0..<300 {
      picker.see(
        Coordinate(latitude: 419_000_000 + Int32(index * 313), longitude: -17_999_000),
        at: Self.from + .seconds(Int64(index * 10)))
    }
    let device = UniqueID(high: 1, low: 2)
    func parts() -> [HistoryPart] {
      picker.answer.parts.map {
        HistoryPart(of: device, request: 7, asked: Self.now, number: $0.number, $0.positions)
      }
    }
    #expect(picker.answer.result == "sent 300 of 361; missing: 61 not recorded", Self.again)
    #expect(parts().map(\.number) == [1, 2, 3] && Set(parts().map(\.key)).count == 3, Self.again)
    #expect(
      parts().flatMap { $0.positions ?? [] } == picker.answer.parts.flatMap { $0.positions })
    #expect(parts() == parts() && parts().allSatisfy { $0.text.utf8.count < 1800 }, Self.again)
    // What was there before keeps its part when more is known.
    picker.see(Coordinate(latitude: 0, longitude: 0), at: Self.from + .seconds(3500))
    #expect(parts().prefix(3).map(\.number) == [1, 2, 3], Self.again)
  }

  @Test(arguments: [
    "1,2", "a,b,c", "0,90000001,0", "0,0,0;0,1000000000000,0", "9223372036854775807,0,0",
    String(repeating: "0,0,0;", count: 1000),
  ])
  func `A foreign text is no positions`(_ text: String) {
    let part = HistoryPart(key: "k", request: 1, number: 1, begins: Self.from, text: text)
    #expect(part.positions == nil, Self.again)
  }
}
