public import TrackerCore

/// Why a request failed.
public enum Failure: Equatable, Sendable {
  /// Nothing was sent.
  case unreachable
  /// The server has applied nothing; a smaller request might get through.
  case stalled
  /// No usable answer: the request may have been carried out.
  case unclear
  /// The token is no longer valid, or missing (498, 499).
  case tokenRefused
  /// The credentials are not sufficient (401, 403).
  case unauthorised
  /// Temporarily unavailable. With `mayHaveApplied` the server failed while processing and may have
  /// applied the request.
  case busy(status: Int32, retryAfter: Milliseconds?, mayHaveApplied: Bool)
  /// This request is refused permanently.
  case refused(code: Int32)
  /// Every request is refused: the address or the layer is wrong.
  case misdirected(code: Int32)
}

extension Failure {
  /// The meaning of an HTTP status; `nil` for success, where the body decides.
  ///
  /// Captive portals answer with redirects. 307 and 308 say that the request was not carried out
  /// (RFC 9110 §15.4.8); with the others the server may have done so.
  public init?(status: Int32, retryAfter: Milliseconds?) {
    switch status {
    case 200...299: return nil
    case 307, 308: self = .busy(status: status, retryAfter: nil, mayHaveApplied: false)
    // Not an HTTP status.
    case ..<100, 600...: self = .unclear
    default: self = Self.of(code: status, retryAfter: retryAfter)
    }
  }

  /// The meaning of a code in the status or, if the status is success, in the body.
  ///
  /// Esri documents 498 and 499 (token), 400 and the codes of edits; the others are those of HTTP.
  public static func of(code: Int32, retryAfter: Milliseconds?) -> Failure {
    switch code {
    case 498, 499: .tokenRefused
    case 401, 403: .unauthorised
    case 404, 405, 410, 421, 2001: .misdirected(code: code)
    // A proxy (407) or a network's login (511) stands before the server.
    case 407, 408, 425, 429, 503, 511:
      .busy(status: code, retryAfter: retryAfter, mayHaveApplied: false)
    case 504: .unclear
    // A server that fails while processing, or loses its backend, may have applied the request.
    case 500...599: .busy(status: code, retryAfter: retryAfter, mayHaveApplied: true)
    case 400...497, 1000...2999: .refused(code: code)
    // Database codes, such as -2147217395.
    case ..<(-1): .refused(code: code)
    default: .unclear
    }
  }

  /// How an upload ends with it, if all of it is refused.
  public var endOfUpload: UploadOutcome {
    switch self {
    case .unreachable: .unreachable
    case .stalled: .stalled
    case .unclear: .ambiguous
    case .tokenRefused, .unauthorised: .unauthorised
    case .busy(let status, let wait, _): .busy(status: status, retryAfter: wait)
    case .misdirected(let code), .refused(let code): .refused(code: code, first: .none, count: 0)
    }
  }

  /// Whether the server may have what was sent.
  public var mayHaveApplied: Bool {
    switch self {
    case .unclear: true
    case .busy(_, _, let mayHaveApplied): mayHaveApplied
    case .unreachable, .stalled, .tokenRefused, .unauthorised, .refused, .misdirected: false
    }
  }
}

/// Whether a body is a web page, which a network with a login page sends in place of the server.
///
/// - Parameter first: the first bytes of the body, one after the other.
/// - Returns: `nil`: the next one decides.
public func isPage(beginningWith first: UInt8) -> Bool? {
  switch first {
  // Blanks, and the mark of byte order.
  case 0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF: nil
  default: first == UInt8(ascii: "<")
  }
}
