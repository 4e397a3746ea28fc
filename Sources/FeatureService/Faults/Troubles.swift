import TrackerCore

/// The faults that affect one request.
///
/// The host handles `refusesConnection` and `delay` before it has the request answered; the service
/// handles the rest.
public struct Troubles: Sendable, Equatable {
  private let kinds: [Fault.Kind]

  init(_ kinds: [Fault.Kind]) { self.kinds = kinds }

  /// No trouble.
  public init() { self.init([]) }

  /// Whether the client gets no connection, so that the service never sees the request.
  public var refusesConnection: Bool { kinds.contains(.refuse) }

  /// Whether the client does not even learn that.
  public var isDead: Bool { kinds.contains(.dead) }

  /// How long after its arrival the request is answered.
  public var delay: Milliseconds {
    kinds.reduce(0) { sum, kind in
      if case .late(let delay) = kind { sum + delay } else { sum }
    }
  }

  var refusesOneFeature: Bool { kinds.contains(.partial) }

  /// The answer if the request is not carried out.
  ///
  /// - Parameter language: of a page.
  func insteadOfWork(in language: Language?) -> ServiceReply? {
    for kind in kinds {
      switch kind {
      case .http(let status, let retryAfter):
        return .fault(status, retryAfter: retryAfter, in: language)
      case .refuse, .reset: return .reset
      case .timeout, .dead: return .silence
      case .unauthorised: return .json(ArcGISError.invalidToken.body)
      case .rejectRequest(let code):
        return .json(
          ArcGISError(code: Int(code), message: "Unable to complete operation.").body)
      case .portal:
        return .page(title: "Wi-Fi", .portal, language: language)
      case .httpAfter, .late, .loseAcknowledgement, .cutAnswer, .partial: continue
      }
    }
    return nil
  }

  /// The answer if the request is carried out.
  func insteadOfAnswer(in language: Language?) -> ServiceReply? {
    for kind in kinds {
      switch kind {
      case .httpAfter(let status): return .fault(status, in: language)
      case .loseAcknowledgement: return .silence
      case .cutAnswer: return .hangUp
      case .http, .late, .refuse, .dead, .reset, .timeout, .unauthorised, .rejectRequest, .portal,
        .partial:
        continue
      }
    }
    return nil
  }
}

extension ServiceReply {
  fileprivate static func fault(
    _ status: Int32, retryAfter: Milliseconds? = nil, in language: Language?
  ) -> ServiceReply {
    let page = page(
      status: status, title: "\(status)", .rehearsal, "\(status)", language: language)
    // In whole seconds, rounded up.
    return retryAfter.map { page.after(($0.count + 999) / 1000) } ?? page
  }
}
