import LeanUplink
import ModemDialogues
import Simulation
import Testing
import TrackerCore
import Uplink

/// A controller and the daemon on Linux judge alike.
@Suite struct PostingContractTests {
  private static func capture(_ sequence: UInt32) -> Capture {
    Capture(
      sequence: sequence, utc: UTC(milliseconds: 1_794_999_000_120), isTimeTrusted: true,
      position: Coordinate(latitude: 419_794_000, longitude: 28_214_000),
      team: InlineText("Els Senglars"), trigger: .interval)
  }

  @Test func `Every status means to a controller what it means on Linux`() throws {
    let captures = (1...2).map {
      OutgoingCapture(
        Self.capture($0), key: CaptureKey($0), device: UniqueID(high: 1, low: 2))
    }
    for status in Int32(200)..<600 {
      for isPage in [false, true] {
        for first in [status, 200] {
          var dialogue = PostingDialogue(
            try PostingConfiguration(format: .osmAnd, url: "https://t.example/"))
          let now = UTC(milliseconds: 1_795_000_000_000)
          _ = dialogue.begin(.upload(captures, nextContactBy: nil), at: now)
          var posting = Posting()
          var (step, verdict): (UplinkStep?, Posting.Verdict?)
          for (key, code) in [(UInt32(1), first), (2, status)] {
            let isThisPage = isPage && (key == 2 || first == status)
            if case .done? = step { break }
            step = dialogue.receive(
              .response(
                status: code, headers: [], body: isThisPage ? Array("<html>".utf8) : []),
              at: now)
            verdict = posting.take(status: code, isPage: isThisPage, for: CaptureKey(key))
          }
          guard case .done(let result)? = step else { continue }
          var outcome = posting.outcome
          if case .end(let end)? = verdict { outcome = end }
          #expect(
            result.outcome == .upload(outcome),
            "\(first), \(status), page \(isPage); \(postingAgain)")
          let refused = (0..<posting.refusedCount).map { posting.refused[$0] }
          #expect(result.refused.map(\.key) == refused, "\(first), \(status); \(postingAgain)")
        }
      }
    }
  }

  /// The conditions of `ModemScript` that change what its HTTP commands do.
  @Test(
    arguments: [ModemFamily.sim7600, .a7670],
    [[], ["chunked"], ["continues"], ["interrupts"], ["noRoute"], ["chunked", "interrupts"]])
  func `The same modem gives both the same answer`(
    _ family: ModemFamily, _ conditions: [String]
  ) throws {
    let replies: [HTTPReply] = [
      .response(status: 200, headers: [], body: Array("stored\n".utf8)),
      .response(status: 200, headers: [], body: []),
      .response(status: 200, headers: [], body: Array("<html>login</html>".utf8)),
      .response(status: 200, headers: [], body: [UInt8](repeating: 0x41, count: 3000)),
      .response(status: 404, headers: [HTTPHeader("A", "b")], body: Array("<p>".utf8)),
      .response(status: 503, headers: [], body: []), .unreachable, .lost, .stalled,
    ]
    for reply in replies {
      let lean = try lean(family, conditions, reply)
      let whole = try whole(family, conditions, reply)
      #expect(lean == whole, "\(family), \(conditions), \(reply); \(postingAgain)")
    }
  }

  private func modem(_ family: ModemFamily, _ conditions: [String]) -> ModemEmulator {
    var modem = ModemEmulator(ModemScript(family: family), isOn: true, keepsTranscript: true)
    for condition in conditions { modem.set(condition, true) }
    modem.advance(to: .start + .seconds(60))
    _ = modem.takeOutput()
    return modem
  }

  private func lean(
    _ family: ModemFamily, _ conditions: [String], _ reply: HTTPReply
  ) throws -> Answer? {
    var modem = modem(family, conditions)
    var now = Instant.start + .seconds(60)
    var posting = try #require(ModemPosting(family: family))
    var result: Answer?
    func perform(_ step: ModemPostingStep) {
      switch step {
      case .wait: break
      case .say(let words): modem.receive(Array("\(words)\r".utf8), at: now)
      case .sayAddress:
        modem.receive(Array("\(ModemWebWords.address)http://t.example/\"\r".utf8), at: now)
      case .sayAuthority: Issue.record("there is no TLS")
      case .sayRead(let count):
        modem.receive(Array("\(ModemWebWords.read)0,\(count)\r".utf8), at: now)
      case .judge(let status, let isPage):
        result = .status(status, isPage: isPage)
        perform(posting.proceed(hasNext: false, at: now))
      case .over(let failure): if let failure { result = .failure(failure) }
      }
    }
    perform(posting.begin(.none, at: now))
    for _ in 0..<1000 where posting.isActive {
      if modem.takeRequest() != nil { modem.answer(reply, at: now) }
      for byte in modem.takeOutput() { perform(posting.receive(byte, at: now)) }
      now = max(now, min(modem.nextDeadline ?? .distantFuture, posting.nextDeadline ?? now))
      modem.advance(to: now)
      perform(posting.deadlineReached(at: now))
    }
    #expect(!posting.isActive, "\(modem.heard); \(postingAgain)")
    return result
  }

  private func whole(
    _ family: ModemFamily, _ conditions: [String], _ reply: HTTPReply
  ) throws -> Answer? {
    var modem = modem(family, conditions)
    var now = Instant.start + .seconds(60)
    var http = ModemOperations(family: family, http: ModemHTTP(family: family, trust: .nobody))
    http.beginTask(at: now)
    let request = HTTPRequest(method: .get, url: "http://t.example/", headers: [])
    modem.receive(http.begin(request, at: now), at: now)
    for _ in 0..<1000 where http.isActive {
      if modem.takeRequest() != nil { modem.answer(reply, at: now) }
      modem.receive(http.receive(modem.takeOutput(), at: now), at: now)
      now = max(now, min(modem.nextDeadline ?? .distantFuture, http.nextDeadline ?? now))
      modem.advance(to: now)
      modem.receive(http.deadlineReached(at: now), at: now)
    }
    guard case .replied(let result)? = http.takeCompleted() else { return nil }
    switch result.reply {
    case .response(let status, _, let body):
      let first = body.lazy.compactMap { isPage(beginningWith: $0) }.first
      // Of what is no success neither looks at the body.
      return .status(status, isPage: status < 300 && first == true)
    case .unreachable: return .failure(.unreachable)
    case .lost, .stalled, .tooLarge: return .failure(.lost)
    }
  }

  private enum Answer: Equatable {
    case status(Int32, isPage: Bool)
    case failure(ModemFailure)
  }
}
