import Glibc
import Synchronization

/// Puts the planned troubles between a client and the services.
struct FaultyService: Sendable {
  var plan: FaultPlan
  var ending: Ending

  /// Answers a request, or spoils the answer.
  ///
  /// - Parameter perform: does what was asked; true if one feature of the batch is to be refused.
  func answer(isEdit: Bool, _ perform: (_ isPartial: Bool) -> HTTPReply) -> HTTPReply {
    let troubles = plan.draw(isEdit: isEdit)
    for trouble in troubles {
      if case .delay(let milliseconds) = trouble { ending.wait(milliseconds) }
    }
    for trouble in troubles {
      switch trouble {
      case .status(let status): return Self.page(status)
      case .reset: return .reset
      case .html: return Self.portal
      case .wrongToken:
        return .answer(type: RestService.jsonType, body: ArcGISError.invalidToken.body.bytes)
      case .statusAfter, .delay, .loseAnswer, .partial: continue
      }
    }
    let reply = perform(troubles.contains(.partial))
    for trouble in troubles {
      switch trouble {
      case .statusAfter(let status): return Self.page(status)
      case .loseAnswer: return .hangUp
      case .status, .delay, .reset, .html, .wrongToken, .partial: continue
      }
    }
    return reply
  }

  private static func page(_ status: UInt32) -> HTTPReply {
    .html(status: status, title: "\(status)", text: "\(status): a fault, for a rehearsal")
  }

  private static var portal: HTTPReply {
    .html(title: "Wi-Fi", text: "Welcome! Accept the terms of use to go online.")
  }
}

/// Whether the receiver is being stopped: then nobody waits any longer.
final class Ending: Sendable {
  private let hasCome = Atomic<Bool>(false)

  func come() { hasCome.store(true, ordering: .relaxed) }

  func wait(_ milliseconds: Int) {
    let end = monotonicMilliseconds() + Int64(milliseconds)
    while !hasCome.load(ordering: .relaxed) {
      let rest = end - monotonicMilliseconds()
      if rest <= 0 { return }
      usleep(UInt32(min(rest, 50) * 1000))
    }
  }
}
