import TrackerCore

/// Why a request did not do what it was to do.
enum Failure: Equatable {
  /// Nothing was sent.
  case unreachable
  /// Nothing reached the server; a smaller request might.
  case stalled
  /// No usable answer: the request may have been carried out.
  case unclear
  /// The token is not valid any more, or there is none (498, 499).
  case tokenRefused
  /// Who we are is not enough (401, 403).
  case unauthorised
  /// Not now. With `mayHaveApplied` the server broke down under way and may have done it.
  case busy(status: Int32, retryAfter: Milliseconds?, mayHaveApplied: Bool)
  /// This request will never do.
  case refused(code: Int32)
  /// No request will ever do: what is wrong is the address or the layer.
  case misdirected(code: Int32)
}

extension Failure {
  /// What does not fit the way to the server, in HTTP's own code for it: Content Too Large
  /// (RFC 9110 §15.5.14). A smaller request may pass; a capture that does not fit even alone is set
  /// aside like one that the server refuses.
  static let tooLarge = Failure.refused(code: 413)

  /// What the status of an answer says; `nil` for a status of success, where the body decides.
  ///
  /// A redirect is what captive portals answer. 307 and 308 say that the request was not carried
  /// out (RFC 9110 §15.4.8); after the others a server may have done so.
  init?(status: Int32, headers: [HTTPHeader], at now: UTC) {
    switch status {
    case 200...299: return nil
    case 307, 308: self = .busy(status: status, retryAfter: nil, mayHaveApplied: false)
    // No status of HTTP.
    case ..<100, 600...: self = .unclear
    default:
      self = Self.of(code: status, retryAfter: RetryAfter.wait(in: headers, at: now))
    }
  }

  /// What a code means that stands in the status or, under a status of success, in the body.
  ///
  /// Esri documents 498 and 499 (token), 400 and the codes of edits; the others are those of HTTP.
  static func of(code: Int32, retryAfter: Milliseconds?) -> Failure {
    switch code {
    case 498, 499: .tokenRefused
    case 401, 403, 407, 511: .unauthorised
    case 404, 405, 410, 421, 2001: .misdirected(code: code)
    case 408, 425, 429, 503:
      .busy(status: code, retryAfter: retryAfter, mayHaveApplied: false)
    case 504: .unclear
    // A server that fails under way, or loses the one behind it, may have done its work.
    case 500...599: .busy(status: code, retryAfter: retryAfter, mayHaveApplied: true)
    case 400...497, 1000...2999: .refused(code: code)
    // Codes of a database, such as -2147217395.
    case ..<(-1): .refused(code: code)
    default: .unclear
    }
  }
}
