import TestSupport
import TrackerCore
import Uplink

/// A server that gives one result after the other, the last again and again. Its requests tell the
/// work: `upload 1 2* 3'` has capture 2, which may have arrived, and 3 under a new identifier.
struct TellingDialogue: UplinkDialogue {
  var mayRepeat = false
  let canReconcile = true
  private var results: [UplinkResult]

  init(_ results: [UplinkResult], mayRepeat: Bool = false) {
    self.results = results
    self.mayRepeat = mayRepeat
  }

  mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
    let (word, captures) =
      switch work {
      case .check: ("check", [OutgoingCapture]())
      case .upload(let captures, _, _): ("upload", captures)
      case .reconcile(let captures): ("reconcile", captures)
      }
    let shown = captures.map { capture in
      let own = UniqueID(device: capture.device, sequence: capture.capture.sequence)
      return " \(capture.key.number)" + (capture.wasSent ? "*" : "")
        + (capture.id == own ? "" : "'")
    }
    return .send(HTTPRequest(method: .get, url: word + shown.joined(), headers: []))
  }

  mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
    .done(results.count > 1 ? results.removeFirst() : results[0])
  }
}

extension UplinkResult {
  /// An upload that brought nothing.
  static let lost = UplinkResult(outcome: .upload(.ambiguous))

  /// An upload whose captures may be there.
  static func doubtful(_ keys: [CaptureKey]) -> UplinkResult {
    var result = lost
    result.doubtful = keys
    return result
  }

  /// Identifiers that other captures have.
  static func displaced(_ keys: [CaptureKey]) -> UplinkResult {
    var result = lost
    result.displaced = keys
    return result
  }

  static func acknowledged(
    _ keys: [CaptureKey], _ outcome: UplinkOutcome = .upload(.ambiguous)
  ) -> UplinkResult {
    var result = UplinkResult(outcome: outcome)
    result.acknowledged = keys
    return result
  }
}
