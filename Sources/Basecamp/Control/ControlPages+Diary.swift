import ControlRoom
import Courses
import FeatureService
import Reports
import TrackerCore
import Wording

/// The diary as people and programs read it.
extension ControlPages {
  /// The lines as they are chained.
  func diary(_ request: ServiceRequest) throws(RoomRefusal) -> ServiceReply {
    let from = request.text("from").flatMap { Int($0) } ?? 1
    let lines = try read { try desk.diary(from: from, atMost: Bounds.diaryLines) }
    let text = lines.map { "\($0.text)\n" }.joined()
    return .answer(type: "text/plain; charset=utf-8", body: Array(text.utf8))
  }

  /// The entries that somebody looks for: the newest first, and not more than fit a page, or all
  /// of them as a table.
  func records(
    _ request: ServiceRequest, in language: Language
  ) throws(RoomRefusal) -> ServiceReply {
    let filter = try DiaryFilter(request)
    let found = try allRecords().filter(filter.matches)
    if request.text("format") == "csv" {
      return .answer(type: "text/csv; charset=utf-8", body: Array(DiaryRecord.csv(found).utf8))
    }
    let alarms = desk.alarms
    let shown = found.suffix(Bounds.diaryRecords).reversed().map { record in
      // The diary has it in English. Another course gives alarms other numbers.
      let words = alarms.first { record.kind == .raised && record.isAbout($0) }
        .map { evidence($0, in: language) }
      return record.figure(text: words ?? record.text)
    }
    return .figure(
      .object([.init("count", .integer(found.count)), .init("records", .list(shown))]))
  }

  func handover(_ request: ServiceRequest, at now: UTC) throws(RoomRefusal) -> Figure {
    guard let since = try request.date("since") else { throw RoomRefusal(400, .noDate, "since") }
    return Handover(since: since, at: now, try allRecords(), desk.alarms).figure
  }

  private func allRecords() throws(RoomRefusal) -> [DiaryRecord] {
    try read { try DiaryRecord.all(of: try desk.diary(from: 1, atMost: .max)) }
  }

  private func read<Result>(_ work: () throws -> Result) throws(RoomRefusal) -> Result {
    do { return try work() } catch { throw RoomRefusal(of: error) }
  }
}

extension DiaryFilter {
  /// What is missing or empty in a request does not limit anything.
  fileprivate init(_ request: ServiceRequest) throws(RoomRefusal) {
    func word(_ name: String) -> String? {
      request.text(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    self.init(
      tracker: word("tracker"), person: word("by"), words: word("text"),
      from: try request.date("from"),
      until: try request.date("until"))
    guard let list = word("kind") else { return }
    var kinds: Set<DiaryRecord.Kind> = []
    for name in list.split(separator: ",") {
      guard let kind = DiaryRecord.Kind(rawValue: String(name)) else {
        throw RoomRefusal(400, .noKind, String(name.prefix(40)))
      }
      kinds.insert(kind)
    }
    self.kinds = kinds
  }
}

extension ServiceRequest {
  /// A date as `2026-04-18T22:00:00Z`; `nil`: there is none.
  fileprivate func date(_ name: String) throws(RoomRefusal) -> UTC? {
    guard let text = text(name), !text.isEmpty else { return nil }
    guard let date = DateText.xmlDate(text) else { throw RoomRefusal(400, .noDate, name) }
    return date
  }
}
