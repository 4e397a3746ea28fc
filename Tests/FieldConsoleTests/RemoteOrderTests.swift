import BoardSupport
import CaptureStore
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// What a control room may order over a server, which may be anybody's.
@Suite struct RemoteOrderTests {
  private let again: Comment = "repeat with: swift test --filter RemoteOrderTests"
  private static let date = UTC(milliseconds: 1_776_500_000_000)

  private static let open = """
    remote: ['capture', 'interval', 'contacts', 'finish', 'start', 'stop'], remoteLimit: '30 min',
    server: { address: 'http://a/FeatureServer/0' }
    """

  private func judge(
    _ text: String, _ file: String = open, finish: UTC? = date + .hours(10)
  ) throws(ConsoleError) -> RemoteOrder {
    guard let node = try? FileNode.parse(Array("{ \(file) }".utf8), path: "x.json5"),
      let settings = try? SettingsInForce(SettingsFile(node))
    else { throw ConsoleError(ProblemPhrase.noServer.texts) }
    let request = SettingsRequest(
      settings, memory: Memory(), team: "", at: Moment(at: .start, utc: Self.date),
      date: Self.date, age: { _ in nil })
    return try RemoteOrder(text, by: "Marta (room)", to: request, settings, finish: finish)
  }

  private func refusal(_ text: String, _ file: String = open, finish: UTC? = nil) -> String? {
    do throws(ConsoleError) {
      _ = try judge(text, file, finish: finish ?? Self.date + .hours(10))
      return nil
    } catch { return error.texts[.english] }
  }

  @Test(arguments: ["capture", "start", "stop"])
  func `A command is one of the tracker's own`(word: String) throws {
    guard case .command(let command) = try judge(word) else { throw ConsoleError(.noServer) }
    #expect("\(command)".hasPrefix(word), again)
  }

  @Test func `A setting is ordered in the name of whoever wrote it`() throws {
    guard case .change(let new, .interval) = try judge("interval 2 min") else {
      throw ConsoleError(.noServer)
    }
    #expect(new.order(.interval)?.who == "Marta (room)", again)
    #expect(new.order(.interval)?.value == "2 min", again)
  }

  @Test(arguments: RemoteVerb.allCases)
  func `Nothing is obeyed that the configuration does not name`(_ verb: RemoteVerb) {
    let others = RemoteVerb.allCases.filter { $0 != verb }.map { "'\($0)'" }
    let file =
      "remote: [\(others.joined(separator: ", "))], server: { address: 'http://a/FeatureServer/0' }"
    for text in ["\(verb) 5 min", "\(verb)"] {
      #expect(refusal(text, file)?.contains("does not allow \(verb)") ?? false, again)
    }
    #expect(refusal("\(verb)", "")?.contains("does not allow") ?? false, again)
  }

  @Test(arguments: [
    "", " ", "undo", "set interval 5 min", "team Wolves", "emergency over", "retry all",
    "language ca", "reserve 90 %", "policy route", "sleep halt", "receiver dutyCycle",
    "accuracy 1 m",
    "stop now", "capture 5", "server.address http://evil", "interval", "interval 0",
    "interval -5 min",
    "interval 5 min; stop", "contacts x", "finish tomorrow", "\u{1B}[2J", "interval \u{1B}[2J",
  ])
  func `What is no such order is refused in one line`(_ text: String) {
    let why = refusal(text)
    #expect(why != nil && !(why ?? "").contains(where: \.isNewline), again)
    #expect(!(why ?? "").unicodeScalars.contains("\u{1B}"), again)
  }

  @Test func `No interval and no wait for a contact is longer than the limit`() {
    #expect(refusal("interval 30 min") == nil && refusal("contacts 30 min") == nil, again)
    for text in ["interval 31 min", "contacts 31 min", "contacts 12 h"] {
      #expect(refusal(text)?.contains("30 min at most") ?? false, "\(text); \(again)")
    }
  }

  @Test func `A finish can be put off, and not brought forward`() {
    let finish = Self.date + .hours(10)
    func order(_ hours: Int64) -> String {
      let text = CalendarText.text(finish + .hours(hours)).split(separator: " ")
      return "finish \(text.joined(separator: "T"))Z"
    }
    #expect(refusal(order(2), finish: finish) == nil, again)
    #expect(refusal(order(-2), finish: finish)?.contains("put off") ?? false, again)
    #expect((try? judge(order(2), finish: nil)) == nil, "there is none to put off")
  }
}

extension ConsoleError {
  fileprivate init(_ phrase: ProblemPhrase) { self.init(phrase.texts) }
}
