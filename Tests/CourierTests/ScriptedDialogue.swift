import TrackerCore
import Uplink
import Wording

/// A server in the words of results alone: what a delivery makes of each.
struct ScriptedDialogue: UplinkDialogue {
  var check = UplinkOutcome.ready
  /// How a look after the first one ends; `nil`: as the first.
  var secondCheck: UplinkOutcome?
  /// Answers an upload of these keys.
  var upload: @Sendable ([CaptureKey]) -> UplinkResult
  var reconcile = ReconcileOutcome.settled(confirmed: 0)
  let canReconcile = true
  var mayRepeat = true
  private var end = UplinkResult(outcome: .ready)

  init(_ upload: @escaping @Sendable ([CaptureKey]) -> UplinkResult) { self.upload = upload }

  /// Each work takes one request, so that the test can see and count it.
  mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
    var words = "check"
    switch work {
    case .check:
      end = UplinkResult(outcome: check, problem: "layer: no".texts)
      check = secondCheck ?? check
    case .upload(let captures, _, _):
      words = "upload \(captures.count)"
      end = upload(captures.map(\.key))
    case .reconcile(let captures):
      words = "reconcile \(captures.count)"
      end = UplinkResult(outcome: .reconcile(reconcile), problem: "query: no".texts)
    }
    return .send(HTTPRequest(method: .get, url: words, headers: []))
  }

  mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep { .done(end) }
}
