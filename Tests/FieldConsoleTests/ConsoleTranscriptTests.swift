import CaptureStore
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// Each command as a person sees it, and the names that a script finds.
@Suite struct ConsoleTranscriptTests {
  private let again: Comment = "repeat with: swift test --filter ConsoleTranscriptTests"

  private func console(
    _ answers: [String: String] = [:], _ change: (inout FakeBackend) -> Void = { _ in }
  ) -> Console<FakeBackend> {
    var backend = FakeBackend()
    backend.answers = answers
    change(&backend)
    return Console(backend)
  }

  /// Three captures: one sent, one set aside, one waiting.
  private func store() throws -> CaptureStore {
    let store = try CaptureStore.open(
      .memory, for: .device(UniqueID(high: 0x3F2A_0000_0000_0000, low: 1)), at: Walk.start)
    try Walk.fill(store, 3)
    _ = try store.acknowledge([CaptureKey(1)], at: Walk.start + .minutes(1))
    _ = try store.setAside([CaptureKey(2)], code: 400, at: Walk.start + .minutes(2))
    return store
  }

  // MARK: The tracker

  @Test func `status begins with whose tracker it is and the verdict`() {
    var go = console()
    let answer = go.answer(line: "status")
    #expect(answer.text.hasPrefix("Els Senglars  17  GO\nposition:"), again)
    #expect(
      answer.exitCode == 0 && answer.names.starts(with: ["verdict", "cause", "waitMs"]), again)
    var stopped = console { $0.known.session.state = .stopped }
    let refused = stopped.answer(line: "status")
    #expect(
      refused.text.hasPrefix(
        "Els Senglars  17  NO-GO: session stopped\ndo:             type: start\n"),
      again)
    #expect(
      refused.exitCode == 1 && refused.figure[path: "cause"] == .text("sessionStopped"), again)
  }

  @Test func `version`() {
    var console = console()
    let answer = console.answer(line: "version")
    #expect(answer.text == "trackerd 0.1.0" && answer.names == ["version"], again)
  }

  @Test func `help has a line for each command, one for one, and the verdict's table`() {
    var console = console()
    let all = console.answer(line: "help")
    #expect(all.text.split(separator: "\n").count == ConsoleCommand.Verb.allCases.count, again)
    #expect(all.names == ConsoleCommand.Verb.allCases.map(\.rawValue), again)
    let one = console.answer(line: "help proof")
    #expect(
      one.text.hasPrefix("  proof ") && one.text.hasSuffix(" proof that no capture is missing"),
      again)
    #expect(console.answer(line: "help verdict").names == Cause.allCases.map(\.rawValue), again)
    #expect(console.answer(line: "help nothing").isRefusal, again)
    #expect(console.answer(line: "?").text == all.text, again)
  }

  @Test func `self-test says of each part ok, failed with the cure, or skipped`() {
    var console = console { $0.known.store.problem = "disk I/O error".texts }
    let answer = console.answer(line: "self-test")
    let lines = answer.text.split(separator: "\n")
    #expect(lines.contains("receiver        ok  60/min"), "\(answer.text); \(again)")
    #expect(
      answer.text.contains(
        "\ndisk            FAILED  disk I/O error\n  -> make room on the disk, or change the card\n"
      ),
      "\(answer.text); \(again)")
    #expect(lines.contains("recording       skipped  not configured"), "\(answer.text); \(again)")
    // A computer that never sleeps needs no alarm.
    let parts = SelfTest.Part.allCases.filter { $0 != .sleep }
    #expect(answer.names == parts.map(\.rawValue) && answer.exitCode == 1, again)
  }

  // MARK: Captures

  @Test func `captures, by state and number`() throws {
    let store = try store()
    var console = console { $0.store = store }
    let answer = console.answer(line: "captures")
    #expect(
      answer.text == """
         number time (UTC)           batt position             state
              1 2012-10-06 10:00:10  99 % 41.80000 2.10000     sent
              2 2012-10-06 10:00:20  98 % 41.80000 2.10000     set aside 400
              3 2012-10-06 10:00:30  97 % 41.80000 2.10000     waiting
        3 captures: 1 waiting, 1 delivered, 1 set aside
        """, "\(answer.text); \(again)")
    #expect(answer.names == ["captures"], again)
    for (words, number) in [("pending", "3"), ("1 sent", "1"), ("all aside", "2")] {
      let lines = console.answer(line: "captures \(words)").text.split(separator: "\n")
      #expect(lines.count == 3 && lines[1].hasPrefix("      \(number) "), "\(words); \(again)")
    }
  }

  @Test func `show has everything about one`() throws {
    let store = try store()
    var console = console { $0.store = store }
    let answer = console.answer(line: "show 2")
    for line in ["number:         2", "team:           Els Senglars", "code:           400"] {
      #expect(answer.text.split(separator: "\n").contains { $0 == line }, "\(line); \(again)")
    }
    #expect(answer.figure[path: "state"] == .text("setAside"), again)
    #expect(answer.names.contains("stateChangedAtMs"), again)
    #expect(
      answer.text.hasSuffix(
        """
        history:        2012-10-06 10:00:00  stored
                        2012-10-06 10:02:00  refused and set aside, code 400
        """), "\(answer.text); \(again)")
    #expect(answer.text.contains("\ntrigger:        interval\n"), again)
    let missing = console.answer(line: "show 4")
    #expect(missing.text == "there is no capture 4; type captures" && missing.exitCode == 2, again)
  }

  @Test func `show says what became of one, in the person's language`() throws {
    let store = try store()
    _ = try store.select(.oldest(limit: 1), at: Walk.start + .minutes(10))
    try store.release(at: Walk.start + .minutes(11))
    _ = try store.select(.oldest(limit: 1), at: Walk.start + .minutes(20))
    try store.setAside([CaptureKey(3)], code: 400, at: Walk.start + .minutes(21))
    try store.requeue([CaptureKey(3)], at: Walk.start + .minutes(30))
    _ = try store.select(.oldest(limit: 1), at: Walk.start + .minutes(40))
    var console = console { $0.store = store }
    console.language = .catalan
    let answer = console.answer(line: "show 3")
    #expect(
      answer.text.hasSuffix(
        """
        història:       2012-10-06 10:00:00  desada
                        2012-10-06 10:10:00  enviada, no confirmada
                        2012-10-06 10:21:00  rebutjada i apartada, codi 400
                        2012-10-06 10:30:00  tornada a la cua per una persona
                        2012-10-06 10:40:00  enviada, encara sense resposta
        """), "\(answer.text); \(again)")
    guard case .list(let steps)? = answer.figure[path: "history"] else {
      Issue.record("no history; \(again)")
      return
    }
    let names: [Figure?] = steps.map { $0[path: "step"] }
    let expected = ["stored", "unanswered", "setAside", "requeued", "sentNow"]
    #expect(names == expected.map { Figure?.some(.text($0)) }, again)
    #expect(steps[2][path: "code"] == Figure.integer(Int32(400)), again)
  }

  @Test func `show says that the machine's clock was wrong when a capture was stored`() throws {
    let store = try CaptureStore.open(.memory, at: Walk.start)
    try store.append(Walk.capture(1), at: UTC(milliseconds: 60_000))
    var console = console { $0.store = store }
    let text = console.answer(line: "show 1").text
    #expect(text.contains("history:        1970-01-01 00:01:00  stored\n"), "\(text); \(again)")
    #expect(text.contains("(times of the machine's clock, which was 15619 d"), "\(text); \(again)")
  }

  @Test func `proof counts by identity and says that none is missing`() throws {
    let store = try store()
    var console = console { $0.store = store }
    let answer = console.answer(line: "proof")
    #expect(
      answer.text == """
        All captures of this tracker, by its store:
          3f2a: 1 to 3; captured 3: 1 waiting, 1 delivered, 1 set aside; gaps 0
        complete: none is missing
        """, "\(answer.text); \(again)")
    #expect(answer.names == ["missing", "devices"] && answer.exitCode == 0, again)
    var without = self.console()
    #expect(without.answer(line: "proof").text == "captures.db: no such store", again)
  }

  // MARK: History

  @Test func `why gives the reasons as shares of time`() {
    var console = console([
      "why": "capturing 3600000 3000000 notDue\ncapturing 3600000 600000 noFix\n"
        + "sending 3600000 1000 none\nsending 3600000 9999999 searching\nrubbish\n"
    ])
    let answer = console.answer(line: "why")
    #expect(
      answer.text == """
        now: GO
        capturing, last 60 min:
           83 %  between two, as planned
           17 %  no position from the receiver
        sending, last 60 min:
          < 1 %  active
        """, "\(answer.text); \(again)")
    #expect(answer.names == ["verdict", "shares"], again)
  }

  @Test func `why counts the time switched off, and lists a run without a date separately`() {
    var console = console([
      "why": "capturing 3600000 1800000 off\ncapturing 3600000 1800000 none\n"
        + "sending 7200000 7200000 searching before\nsending 7200000 1 searching later\n"
    ])
    let answer = console.answer(line: "why")
    #expect(
      answer.text == """
        now: GO
        capturing, last 60 min:
           50 %  switched off
           50 %  active
        sending, 2 h before the restart:
          100 %  searching for a network
        """, "\(answer.text); \(again)")
  }

  @Test func `events before a restart that nobody knows the time of have no age`() {
    var console = console([
      "events 15": "- captured 12\n- cutOff \n61000 restarted \n5000 captured 13\nx captured 1\n"
    ])
    let answer = console.answer(line: "events")
    #expect(
      answer.text == """
        before the restart  capture 12
        before the restart  trackerd was cut off soon after: power lost, or a crash
                  61 s ago  trackerd started again
                   5 s ago  capture 13
        """, "\(answer.text); \(again)")
  }

  @Test func `events in words, the oldest first`() {
    var console = console([
      "events 15": "190000 captured 12\n60000 delivered 1\n5000 delivered 12\n0 newer than us\n",
      "events 2": "",
    ])
    let answer = console.answer(line: "events")
    #expect(
      answer.text == """
                 3 min ago  capture 12
                  60 s ago  1 capture delivered to the server
                   5 s ago  12 captures delivered to the server
                   0 s ago  newer
        """, "\(answer.text); \(again)")
    #expect(answer.names == ["events"], again)
    #expect(console.answer(line: "events 2").text == "nothing since the start", again)
  }

  @Test func `log has the last lines`() {
    var console = console { $0.logLines = ["one", "two \u{1B}[2J", "three"] }
    let answer = console.answer(line: "log 2")
    #expect(answer.text == "two  [2J\nthree" && answer.names == ["lines"], again)
    var empty = self.console()
    #expect(empty.answer(line: "log").text == "no lines", again)
  }

  // MARK: Settings

  @Test func `get lists the values, and who changed them`() {
    var console = console([
      "get": "setting interval 5 min\nby interval anna@ttyS0\nago interval 7200000\n"
        + "file interval 10 min\nsetting finish -\n"
    ])
    let answer = console.answer(line: "get")
    #expect(
      answer.text == "interval:    5 min  (anna@ttyS0, 2 h ago; file: 10 min)\nfinish:      -",
      "\(answer.text); \(again)")
    #expect(answer.figure[path: "interval.by"] == .text("anna@ttyS0"), again)
  }

  @Test func `set says what it was, and who changed it before`() {
    var console = console([
      "as anna@ttyS0 set interval 5 min":
        "key interval\npath capture.interval\nvalue 5 min\nbefore 10 min\n",
      "as anna@ttyS0 set interval 2min":
        "key interval\nvalue 2 min\nbefore 5 min\nbeforeBy joan\nbeforeAgo 90000\n",
      "as anna@ttyS0 set finish 2027-04-18T12:00":
        "key finish\nvalue 2027-04-18T12:00+02:00\nbefore -\nutc 2027-04-18T10:00:00Z\n",
      "as anna@ttyS0 set team Els Tardans":
        "key team\nvalue Els Tardans\nbefore Els Senglars\nbeforeBy socket\nbeforeAgo 60000\n",
    ])
    console.who = "anna@ttyS0"
    let first = console.answer(line: "set interval 5 min")
    #expect(first.text == "interval: 5 min; it was 10 min", again)
    #expect(first.names == ["key", "path", "value", "before"], again)
    #expect(
      console.answer(line: "set interval 2min").text
        == "interval: 2 min; it was 5 min, set by joan 90 s ago", again)
    #expect(
      console.answer(line: "SET Finish 2027-04-18T12:00").text
        == "finish: 2027-04-18T12:00+02:00; it was not set\n  2027-04-18T10:00:00Z UTC", again)
    #expect(
      console.answer(line: "set team \"Els Tardans\"").text
        == "team: Els Tardans; it was Els Senglars, set by socket 60 s ago", again)
    #expect(console.answer(line: "set interval").text == "write: set KEY VALUE", again)
  }

  @Test func `undo takes back one, or the last`() {
    let lines = "key interval\nvalue 10 min\nbefore 5 min\n"
    var console = console([
      "undo": lines, "undo interval": lines, "undo team": "key team\nvalue A\n",
    ])
    for line in ["undo", "undo interval"] {
      let answer = console.answer(line: line)
      #expect(answer.text == "taken back: interval is 10 min again", again)
      #expect(answer.names == ["key", "value", "before"], again)
    }
    #expect(console.answer(line: "unset team").text == "taken back: team is A again", again)
  }

  // MARK: Orders

  @Test func `start and stop; what is dangerous asks once`() {
    var console = console(["start": "", "stop": ""])
    #expect(console.answer(line: "start").text == "the session already runs", again)
    let asked = console.answer(line: "stop", isConfirmed: false)
    #expect(
      asked.text == "Els Senglars: stop (end the session; nothing is erased), sure? (yes/no)", again
    )
    #expect(asked.sequel == .confirm(.stop) && console.backend.asked == ["start"], again)
    #expect(
      console.cancellation().text == "not done" && console.cancellation().exitCode == 0, again)
    let done = console.answer(.stop)
    #expect(done.text == "the session is stopped; nothing is erased", again)
    #expect(done.names == ["done"] && console.backend.asked == ["start", "stop"], again)
  }

  @Test func `send, capture, and a capture while stopped`() {
    var console = console(["send": "", "capture": ""])
    #expect(
      console.answer(line: "send now").text == "it sends as soon as it may; see status", again)
    #expect(console.answer(line: "capture").text == "it captures with the next position", again)
    console.backend.known.session.state = .stopped
    let refused = console.answer(line: "capture now")
    #expect(
      refused.text == "no session is running; begin one with start" && refused.exitCode == 2, again)
    #expect(refused.names == ["error", "text"], again)
  }

  @Test func `retry counts what is put back`() {
    var console = console(["retry all": "3\n", "retry 17": "1\n"])
    #expect(console.answer(line: "retry").text == "3 put back", again)
    let one = console.answer(line: "retry 17")
    #expect(one.text == "1 put back" && one.figure[path: "requeued"] == .integer(1), again)
  }

  @Test func `try takes a position, sends and is followed`() {
    var console = console(["try": "", "as anna try": ""])
    let answer = console.answer(line: "try", isConfirmed: false)
    #expect(answer.isFollowed && console.backend.asked == ["try"], again)
    console.who = "anna"
    #expect(console.answer(line: "try").isFollowed, again)
    #expect(console.backend.asked == ["try", "as anna try"], again)
    console.backend.known.identity.presence = .dead
    #expect(console.answer(line: "try").isRefusal, again)
    #expect(console.answer(line: "try again").text == "write: try [now]", again)
  }

  @Test func `try now asks once, as it may cost the SIM`() {
    var console = console(["try now": ""])
    let asked = console.answer(line: "try now", isConfirmed: false)
    #expect(
      asked.page.text(width: .max)
        == "Els Senglars: try now joins the network early: this costs battery, "
        + "and the operator may bar the SIM. Sure? (yes/no)\n", "\(asked.text); \(again)")
    #expect(asked.sequel == .confirm(.attempt(isNow: true)), again)
    #expect(console.backend.asked.isEmpty, again)
    #expect(console.answer(.attempt(isNow: true)).isFollowed, again)
    #expect(console.backend.asked == ["try now"], again)
    console.isReadOnly = true
    #expect(console.answer(line: "try now").isRefusal, again)
  }

  @Test func `self-test says how old its knowledge is, and asks the layer if it can`() {
    func line(_ name: String, _ change: (inout FakeBackend) -> Void) -> String? {
      var console = console {
        $0.known.modem.simReady = 720_000
        $0.known.modem.registered = 720_000
        $0.known.modem.network = "Movistar"
        $0.known.modem.signal = -83
        $0.known.sending.lastContact = 720_000
        $0.known.sending.lastDelivery = 720_000
        $0.known.modem.port = .connected
        change(&$0)
      }
      let lines = console.answer(line: "self-test").page.text(width: .max).split(separator: "\n")
      return lines.first { $0.hasPrefix(name + " ") }.map(String.init)
    }
    #expect(line("SIM") { _ in } == "SIM             ok  12 min ago", again)
    #expect(
      line("network") { _ in } == "network         ok  Movistar, signal -83 dBm, 12 min ago", again)
    #expect(
      line("network") { $0.known.modem.registered = 0 }
        == "network         ok  Movistar, signal -83 dBm", again)
    #expect(
      line("SIM") { $0.known.modem.simReady = nil }?.contains("no contact yet") == true, again)
    #expect(line("server") { _ in } == "server          ok  12 min ago", again)
    #expect(line("layer") { _ in } == "layer           ok  12 min ago", again)
    #expect(
      line("layer") { $0.fit = .fit } == "layer           ok  takes the fields, asked just now",
      again)
    #expect(
      line("layer") { $0.fit = .lacking("has no Silenci; add it".texts) }
        == "layer           ok  has no Silenci; add it", again)
    #expect(
      line("layer") { $0.fit = .unfit("has no field Equip; add it".texts) }
        == "layer           FAILED  has no field Equip; add it", again)
    #expect(line("layer") { $0.fit = .unauthorised } == "layer           FAILED", again)
    #expect(
      line("layer") { $0.fit = .unknown("no route to host".texts) }
        == "layer           ok  12 min ago; could not be asked now: no route to host", again)
    #expect(
      line("layer") {
        $0.fit = .unknown("no route to host".texts)
        $0.known.sending.lastDelivery = nil
      }?.contains("skipped") == true, again)
    // What the tracker heard from the server counts more than a layer that looks well.
    #expect(
      line("layer") {
        $0.fit = .fit
        $0.known.queue.setAside = 2
      }?.contains("FAILED  2") == true, again)
    #expect(
      line("modem") {
        $0.known.modem.isPortTaken = true
        $0.known.modem.problem =
          "/dev/ttyUSB2 is in use by minicom (process 7); stop that program".texts
      }?.hasPrefix("modem           FAILED  /dev/ttyUSB2 is in use by minicom") == true, again)
  }

  @Test func `A layer that lacks a field for the control room is no reason not to start`() {
    var console = console { $0.fit = .lacking("has no Silenci; add it".texts) }
    let answer = console.answer(line: "self-test")
    #expect(answer.exitCode == 0 && !answer.text.contains("FAILED"), "\(answer.text); \(again)")
    #expect(answer.figure[path: "layer"] == .text("warned"), again)
  }

  @Test func `Neither status nor a report asks the server`() {
    var console = console { $0.fit = .fit }
    _ = console.answer(line: "status")
    _ = console.answer(line: "report all.txt")
    #expect(console.backend.fitAsked == 0, again)
    console.backend.known.identity.presence = .dead
    _ = console.answer(line: "self-test")
    #expect(console.backend.fitAsked == 0, again)
    console.backend.known.identity.presence = .running
    _ = console.answer(line: "self-test")
    #expect(console.backend.fitAsked == 1, again)
  }

  @Test func `watch and exit are the door's`() {
    var console = console()
    #expect(console.answer(line: "watch").sequel == .watch, again)
    for word in ["exit", "quit", "logout"] {
      #expect(console.answer(line: word).sequel == .leave, again)
    }
  }

  @Test func `A read-only console looks and does nothing else`() {
    var console = console(["stop": "", "get": "setting interval 5 min\n"])
    console.isReadOnly = true
    let refusal = "this console may only look; see console in the settings"
    for line in ["start", "stop", "send", "capture", "set a b", "undo", "retry", "try", "pin try"] {
      #expect(console.answer(line: line).text == refusal, "\(line); \(again)")
    }
    #expect(console.backend.asked == [] && !console.answer(line: "get").isRefusal, again)
  }

  // MARK: Mistakes

  @Test(arguments: [
    ("stauts", "'stauts' is not a command; did you mean status? Type help", "unknownNear"),
    ("xyzzy", "'xyzzy' is not a command; type help", "unknown"),
    ("set team \"Els", "a quote is not closed; add it", "openQuote"),
    ("show", "write: show N", "usage"), ("status now", "write: status", "usage"),
    ("events 0", "'0' is not a number from 1 to 1000", "notANumber"),
    ("captures 5 6", "write: captures [N] [STATE]", "usage"),
  ])
  func `A mistake is answered in one line`(_ line: String, _ text: String, _ key: String) {
    var console = console()
    let answer = console.answer(line: line)
    #expect(answer.text == text && answer.exitCode == 2, "\(answer.text); \(again)")
    #expect(answer.figure[path: "error"] == .text(key), again)
  }

  @Test func `An empty line is nothing, a long one is refused`() {
    var console = console()
    #expect(console.answer(line: "  ").page.isEmpty, again)
    #expect(
      console.answer(line: String(repeating: "a", count: 2049)).text
        == "line too long; at most 2048 bytes", again)
  }

  @Test func `What the tracker refuses is passed on in one line`() {
    var console = console()
    let answer = console.answer(line: "start")
    #expect(answer.text == "unknown command start" && answer.exitCode == 2, again)
  }
}
