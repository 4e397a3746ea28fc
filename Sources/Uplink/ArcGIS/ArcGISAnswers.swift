import JSONReading
import LeanUplink
import TrackerCore

/// An error in a body. ArcGIS sends it with HTTP 200 too; items have `description`, the top level
/// `message`; OAuth servers send a plain string.
struct ServerError: Decodable {
  var code: Int32?
  var message: String?

  private enum Key: CodingKey {
    case code, message, description, details
  }

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: Key.self) else {
      message = try decoder.singleValueContainer().decode(String.self)
      return
    }
    let number = (try? container.decode(LenientInteger.self, forKey: .code))?.value
    code = number.flatMap { Int32(exactly: $0) }
    let words = [
      try? container.decode(String.self, forKey: .message),
      try? container.decode(String.self, forKey: .description),
      (try? container.decode([String].self, forKey: .details))?.first,
    ].compactMap { $0 }.filter { !$0.isEmpty }
    message = words.isEmpty ? nil : words.joined(separator: " ")
  }
}

/// Why an answer with a success status cannot be used.
enum UnusableAnswer: Error {
  case unclear(Failure, UplinkPhrase)
  /// The server's own error.
  case refused(ServerError?)
}

/// An answer that may be an error instead.
protocol ServersAnswer: Decodable {
  var error: Lenient<ServerError>? { get }
}

extension ServersAnswer {
  static func read(
    _ body: [UInt8], else failure: Failure = .unclear, _ words: UplinkPhrase = .notWholeJSON
  ) throws(UnusableAnswer) -> Self {
    guard let answer = Answer.decode(Self.self, from: body) else {
      throw .unclear(failure, ForeignAnswer.isPage(body) ? .portalPage : words)
    }
    if let error = answer.error { throw .refused(error.value) }
    return answer
  }
}

/// The answer to `addFeatures` and `applyEdits`.
struct EditAnswer: ServersAnswer {
  struct Item: Decodable {
    var objectId: LenientInteger?
    var globalId: LenientText?
    var success: LenientFlag?
    var error: Lenient<ServerError>?
  }

  var error: Lenient<ServerError>?
  var addResults: Lenient<[Lenient<Item>]>?

  /// For each of the added rows whether the server has taken it.
  func taken(of count: Int) throws(UnusableAnswer) -> [Bool] {
    guard let items = addResults?.value, items.count == count else {
      throw .unclear(.unclear, .resultsMismatch)
    }
    return items.map { $0.value?.success?.value == true }
  }
}

/// The answer to a `query` for identifiers.
struct QueryAnswer: ServersAnswer {
  struct Reference: Decodable {
    var wkid: LenientInteger?
    var latestWkid: LenientInteger?
  }

  var error: Lenient<ServerError>?
  var features: Lenient<[Lenient<QueriedRow>]>?
  var spatialReference: Lenient<Reference>?
  var exceededTransferLimit: LenientFlag?
  var objectIdFieldName: LenientText?

  func rows() throws(UnusableAnswer) -> [Lenient<QueriedRow>] {
    guard let features = features?.value else { throw .unclear(.unclear, .noFeatures) }
    return features
  }

  /// Whether coordinates are Web Mercator, as requested. Servers that give no reference use the
  /// requested one.
  var isInMetres: Bool { isIn([102_100, 3857, 102_113]) }
  /// Whether they are degrees of WGS 84, as requested.
  var isInDegrees: Bool { isIn([4326]) }

  private func isIn(_ systems: Set<Int64>) -> Bool {
    guard let reference = spatialReference?.value else { return true }
    let known = [reference.wkid?.value, reference.latestWkid?.value].compactMap { $0 }
    return known.isEmpty || known.contains { systems.contains($0) }
  }
}

/// The answer to a `query` for object numbers (`returnIdsOnly`).
struct NumbersAnswer: ServersAnswer {
  var error: Lenient<ServerError>?
  var objectIdFieldName: LenientText?
  var objectIds: Lenient<[LenientInteger]>?
  var exceededTransferLimit: LenientFlag?
}

/// The answer of `generateToken` and of an OAuth server.
struct TokenAnswer: ServersAnswer {
  var error: Lenient<ServerError>?
  var token: LenientText?
  /// Milliseconds since 1970.
  var expires: LenientInteger?
  var accessToken: LenientText?
  /// Seconds from now.
  var expiresIn: LenientInteger?

  private enum CodingKeys: String, CodingKey {
    case error, token, expires
    case accessToken = "access_token"
    case expiresIn = "expires_in"
  }

  /// When to renew the token: five minutes before it expires, or halfway through a shorter
  /// lifetime. An expiry in the past means that a clock is wrong: the default lifetime is assumed.
  func renewal(at now: UTC) -> UTC {
    var life = UplinkBounds.tokenLife.count
    if let end = expires?.value, end > now.milliseconds {
      life = end.subtractingReportingOverflow(now.milliseconds).partialValue
    } else if let seconds = expiresIn?.value, seconds > 0 {
      life = Milliseconds.seconds(seconds).count
    }
    if life <= 0 || life > UplinkBounds.longestTokenLife.count {
      life = UplinkBounds.longestTokenLife.count
    }
    return now + Milliseconds(max(life - UplinkBounds.tokenMargin.count, life / 2))
  }
}

/// An integer as servers really write it, possibly as a text. Anything unusable is `nil` and never
/// an error, so that one odd member does not hide the others.
struct LenientInteger: Decodable {
  var value: Int64?

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.singleValueContainer() else { return }
    if let whole = try? container.decode(Int64.self) {
      value = whole
    } else if let real = try? container.decode(Double.self) {
      value = Int64(exactly: real.rounded())
    } else if let text = try? container.decode(String.self) {
      value = Int64(text)
    }
  }
}

struct LenientFlag: Decodable {
  var value: Bool?

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.singleValueContainer() else { return }
    if let flag = try? container.decode(Bool.self) {
      value = flag
    } else if let text = try? container.decode(String.self) {
      value = text == "true" ? true : text == "false" ? false : nil
    }
  }
}

struct LenientText: Decodable {
  var value: String?

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.singleValueContainer() else { return }
    value = try? container.decode(String.self)
  }
}

/// A member that is `nil` when it is not of the expected type.
struct Lenient<Value: Decodable>: Decodable {
  var value: Value?

  init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// A coding key with any name.
struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

enum Answer {
  /// The JSON object in a body; `nil` for anything else, including a truncated one.
  static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) -> Value? {
    guard let first = body.first(where: { !Self.blanks.contains($0) }),
      first == UInt8(ascii: "{") || first == 0xEF
    else { return nil }
    return try? JSONDecoder().decode(type, from: body)
  }

  private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
}
