public import TrackerCore

/// The judgement of an upload whose captures are sent one by one to a server that only answers with
/// a status.
public struct Posting: Sendable {
  /// Those that the server refused, for `SetAside.refusedOfLastUpload`. With as many the upload
  /// ends: the host sets them aside before the next.
  public private(set) var refused = InlineArray<8, CaptureKey>(repeating: .none)
  public private(set) var refusedCount = 0
  private var code: Int32 = 0
  private var acknowledged: UInt32 = 0

  public init() {}

  public enum Verdict: Sendable, Equatable {
    /// It is delivered.
    case acknowledged
    /// The server refuses this one: the next may be another matter.
    case refused
    /// Nothing more is sent.
    case end(UploadOutcome)
  }

  /// The server has answered for a capture.
  public mutating func take(
    status: Int32, isPage: Bool, for key: CaptureKey
  ) -> Verdict {
    let failure =
      Failure(status: status, retryAfter: nil) ?? (isPage ? .unclear : nil)
    guard let failure else {
      acknowledged += 1
      return .acknowledged
    }
    guard case .refused(let code) = failure else { return .end(failure.endOfUpload) }
    if refusedCount == 0 { self.code = code }
    refused[refusedCount] = key
    refusedCount += 1
    // If it was the first, the server may refuse everything, which the core finds out with a
    // witness.
    let isEnough = acknowledged == 0 || refusedCount == refused.count
    return isEnough ? .end(outcome) : .refused
  }

  /// When all had an answer.
  public var outcome: UploadOutcome {
    if acknowledged == 0 && refusedCount == 0 { return .empty }
    return .answered(
      acknowledged: acknowledged, refused: UInt32(refusedCount), firstRefused: refused[0],
      code: code)
  }
}
