import Synchronization
import TrackerCore
import Wording

/// A deliberate failure: what, how often, with which requests, and when.
public struct Fault: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// Answers with an HTTP status instead of carrying out the request.
    case http(status: Int32, retryAfter: Milliseconds? = nil)
    /// Answers with an HTTP status after carrying out the request, like a proxy's timeout.
    case httpAfter(status: Int32)
    /// Carries out the request this long after its arrival, whether the client is still waiting or
    /// not.
    case late(Milliseconds)
    /// Refuses the connection. A listening server cannot do that for one client: it resets it.
    case refuse
    /// Nothing is at its address: connecting fails when the client gives up. A listening server
    /// cannot do that: it is silent.
    case dead
    /// Resets the connection without carrying out the request.
    case reset
    /// Neither carries out nor answers the request.
    case timeout
    /// Carries out the request without answering.
    case loseAcknowledgement
    /// Carries out the request, and closes the connection before the answer is complete.
    case cutAnswer
    /// Answers with error 498, whatever the token.
    case unauthorised
    /// Refuses the whole request permanently, with this error.
    case rejectRequest(code: Int32)
    /// Answers with a captive portal's page and status 200.
    case portal
    /// Refuses one feature of the edit, chosen at random.
    case partial
  }

  public enum Occasion: Sendable, Equatable {
    case always
    /// Each nth request: the nth, the 2nth, …
    case every(Int)
    /// Each request with this probability.
    case probability(percent: Double)
  }

  public enum Target: String, Sendable, Equatable {
    case edits, queries
    /// Edits and queries.
    case both
    /// All requests, including those for tokens and descriptions.
    case all
  }

  public var kind: Kind
  public var occasion: Occasion
  public var target: Target
  /// Only requests with a larger body, as some networks carry only small ones; bytes.
  public var above: Int?
  /// When it begins, counted from the start of the service.
  public var from = Milliseconds(0)
  /// When it ends, exclusive; `nil`: never.
  public var until: Milliseconds?

  public init(_ kind: Kind, _ occasion: Occasion = .always, on target: Target = .all) {
    self.kind = kind
    self.occasion = occasion
    self.target = target
  }

  func concerns(_ request: ServiceRequest, at uptime: Milliseconds) -> Bool {
    guard from <= uptime, until.map({ uptime < $0 }) ?? true,
      above.map({ request.bodyBytes > $0 }) ?? true
    else { return false }
    return switch target {
    case .edits: request.isEdit
    case .queries: request.isQuery
    case .both: request.isEdit || request.isQuery
    case .all: true
    }
  }
}

extension Fault {
  /// The names of the kinds of faults: in this form in a scenario, with hyphens on a command line
  /// (`cut-answer`).
  public enum Word: String, CaseIterable, Sendable {
    case http, httpAfter, late, refuse, dead, reset, timeout, loseAcknowledgement, cutAnswer
    case unauthorised, rejectRequest, portal, partial

    var hyphenated: String {
      rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }

    /// Names in basecamp 0.1 that existing scripts still use.
    fileprivate static let earlier: [String: Word] = [
      "delay": .late, "lose-answer": .cutAnswer, "html": .portal, "wrong-token": .unauthorised,
    ]
  }

  /// Parses a fault from the command line: its kind, how often it occurs, and which requests it
  /// affects, by default edits.
  ///
  ///     503 every 5th     cut-answer 10%     late 2s 20% on both     reset 100% above 2048
  ///
  /// - Throws: `ServiceError` of one line.
  public init(_ text: String) throws(ServiceError) {
    var words = text.split(separator: " ")[...]
    guard let kind = Self.kind(&words), let occasion = Self.occasion(&words) else {
      throw Self.unreadable(text)
    }
    self.init(kind, occasion, on: .edits)
    if words.first == "above" {
      guard let above = words.dropFirst().first.flatMap({ Int($0) }), above >= 0 else {
        throw Self.unreadable(text)
      }
      self.above = above
      words = words.dropFirst(2)
    }
    guard let on = words.popFirst() else { return }
    guard on == "on", let target = words.popFirst().flatMap({ Target(rawValue: String($0)) }),
      words.isEmpty, kind != .partial || target == .edits
    else { throw Self.unreadable(text) }
    self.target = target
  }

  private static func unreadable(_ text: String) -> ServiceError {
    ServiceError(
      "--fault '\(text.prefix(80))': write what and how often, as in '503 every 5th', 'late 2s "
        + "20%' or 'reset every 9th on both'; see basecamp --help")
  }

  private static func kind(_ words: inout ArraySlice<Substring>) -> Kind? {
    guard let name = words.popFirst() else { return nil }
    let word =
      Word.allCases.first { $0.hyphenated == name } ?? Word.earlier[String(name)]
    switch word {
    // A status has no name.
    case nil: return status(name)
    case .late: return words.popFirst().flatMap(milliseconds).map { .late($0) }
    case .rejectRequest:
      return words.popFirst().flatMap { Int32($0) }.map { .rejectRequest(code: $0) }
    case .reset: return .reset
    case .timeout: return .timeout
    case .loseAcknowledgement: return .loseAcknowledgement
    case .cutAnswer: return .cutAnswer
    case .unauthorised: return .unauthorised
    case .portal: return .portal
    case .partial: return .partial
    // A listening server cannot refuse connections; the others are written as a status.
    case .refuse, .dead, .http, .httpAfter: return nil
    }
  }

  /// `503`, or `504-after`.
  private static func status(_ name: Substring) -> Kind? {
    let isAfter = name.hasSuffix("-after")
    let digits = isAfter ? name.dropLast("-after".count) : name
    guard digits.utf8.count == 3, let status = Int32(digits), (400...599).contains(status) else {
      return nil
    }
    return isAfter ? .httpAfter(status: status) : .http(status: status)
  }

  private static func occasion(_ words: inout ArraySlice<Substring>) -> Occasion? {
    guard let word = words.popFirst() else { return nil }
    if word.hasSuffix("%") {
      guard let percent = Double(word.dropLast()), percent > 0, percent <= 100 else { return nil }
      return .probability(percent: percent)
    }
    guard word == "every", let ordinal = words.popFirst() else { return nil }
    let digits = ordinal.prefix { $0.isNumber }
    guard ["", "st", "nd", "rd", "th"].contains(ordinal.dropFirst(digits.count)),
      let number = Int(digits), number > 0
    else { return nil }
    return .every(number)
  }

  /// `2s`, `0.5s` or `300ms`.
  private static func milliseconds(_ word: Substring) -> Milliseconds? {
    let isMilliseconds = word.hasSuffix("ms")
    guard word.hasSuffix("s"), let number = Double(word.dropLast(isMilliseconds ? 2 : 1)) else {
      return nil
    }
    let milliseconds = isMilliseconds ? number : number * 1000
    guard milliseconds >= 1, milliseconds <= Double(Bounds.lateMilliseconds) else { return nil }
    return Milliseconds(Int64(milliseconds))
  }
}

/// Decides what goes wrong with each request. The same faults, random numbers and order of requests
/// give the same troubles.
final class FaultPlan: Sendable {
  private let faults: [Fault]
  /// How many requests each fault has seen.
  private let seen: Mutex<[Int]>
  private let random: RandomSource

  init(_ faults: [Fault], _ random: RandomSource) {
    self.faults = faults
    self.random = random
    seen = Mutex(Array(repeating: 0, count: faults.count))
  }

  /// What goes wrong with the next request, in the order in which the faults were given.
  func draw(_ request: ServiceRequest, at uptime: Milliseconds) -> Troubles {
    if faults.isEmpty { return Troubles() }
    return seen.withLock { seen in
      var kinds: [Fault.Kind] = []
      for (index, fault) in faults.enumerated() where fault.concerns(request, at: uptime) {
        seen[index] += 1
        let strikes =
          switch fault.occasion {
          case .always: true
          case .every(let number): number > 0 && seen[index] % number == 0
          case .probability(let percent): random.unit() < percent / 100
          }
        if strikes { kinds.append(fault.kind) }
      }
      return Troubles(kinds)
    }
  }

  /// One of `0..<count` at random; `nil` if there is none.
  func choose(from count: Int) -> Int? {
    count > 0 ? Int(random.next() % UInt64(count)) : nil
  }
}

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
