import LeanUplink
public import TrackerCore
import Wording

/// A message of the organisers to this tracker, as their server's table has it.
public struct ServedMessage: Sendable, Equatable {
  public enum Kind: String, Sendable {
    /// A human has read the tracker's emergency.
    case read
    /// A human says that it is over.
    case ended
    case message
    /// An order for this tracker, in `text`.
    case order
  }

  public var object: Int64
  /// Counts up for each tracker, from 1.
  public var number: UInt32
  public var kind: Kind
  /// At most 500 characters, without what a terminal would act on, as the author.
  public var text: String
  public var author: String
  /// When it was written, by the server's clock; `nil`: it does not say.
  public var created: UTC?
  /// Of `read` and `ended`: the number of the newest capture of the emergency that the person saw.
  public var sequence: UInt32?
  /// Of these: that capture; `nil`: the server does not say.
  public var capture: UniqueID?
  /// Whether the server knows that the tracker has it, and of an order what became of it.
  public var isConfirmed: Bool
  /// Of an order: after this it is no longer wanted.
  public var expires: UTC?
  /// Of an order: what the server knows of it; empty: nothing; `nil`: it has no field for that.
  public var result: String?

  public init(
    object: Int64, number: UInt32, kind: Kind, text: String, author: String, created: UTC?,
    sequence: UInt32? = nil, isConfirmed: Bool = false
  ) {
    (self.object, self.number, self.kind) = (object, number, kind)
    (self.text, self.author, self.created) = (text, author, created)
    (self.sequence, self.isConfirmed) = (sequence, isConfirmed)
  }
}

/// The outcome of asking for messages, or of confirming them.
public enum MailOutcome: Sendable, Equatable {
  /// The newest ones that are new, or not confirmed; the oldest first.
  case fetched([ServedMessage])
  case confirmed
  /// The server has no place for messages.
  case unsupported
  /// No usable answer; 0: none at all.
  case failed(status: Int32)
}

/// Which messages a tracker asks for.
public struct MailQuestion: Sendable, Equatable {
  /// Whose they are, unless the organisers gave it a code.
  var device: UniqueID
  /// Those above this number are wanted, and older ones that the server does not know it has.
  public var after: UInt32
  /// Not these, while the server knows this of them.
  public var exceptions: [ToldOrder] = []

  public init(device: UniqueID, after: UInt32) { (self.device, self.after) = (device, after) }
}

/// An order that is open for long, and what the server was told of it: there is no more to say, and
/// it would take the place of other messages. In a new table its number is another message's.
public struct ToldOrder: Sendable, Equatable {
  public var number: UInt32
  public var result: String

  /// - Returns: `nil`: there is something to say, or the server keeps nothing of what it is told.
  public init?(_ message: ServedMessage, outcome: String?, progress: String?) {
    guard message.kind == .order, outcome == nil, !message.isConfirmed,
      let result = message.result, !result.isEmpty,
      result.utf8.count <= UplinkBounds.resultBytes,
      MailConfirmation(message, outcome: outcome, progress: progress) == nil
    else { return nil }
    (number, self.result) = (message.number, result)
  }
}

/// Where a table beside the layer is.
public enum MailTable: Sendable, Equatable {
  /// At the next number: of messages after the layer's, then of notes, then of histories.
  case next
  /// Under this number of the same service.
  case number(UInt32)
  /// At this address, of the same site.
  case address(LayerAddress)
  /// Nowhere.
  case none
}

extension ArcGISConfiguration {
  /// The address of the table of messages; `nil`: there is none.
  var mailAddress: String? {
    tableAddress(messages, after: address.layer)
  }

  /// The address of a table, which may be at the number after another one's.
  func tableAddress(_ table: MailTable, after layer: String) -> String? {
    let parts = layer.split(separator: "/", omittingEmptySubsequences: false)
    let service = parts.dropLast().joined(separator: "/")
    switch table {
    case .next:
      guard let own = parts.last.flatMap({ UInt32($0) }), own < .max else { return nil }
      return "\(service)/\(own + 1)"
    case .number(let number): return "\(service)/\(number)"
    case .address(let address): return address.layer
    case .none: return nil
    }
  }

  /// What rows of the table are for.
  func mailCode(_ device: UniqueID) -> String { deviceCode ?? device.lowercaseText }
}

// MARK: - Requests

extension MailQuestion {
  fileprivate var exclusion: String {
    guard !exceptions.isEmpty else { return "" }
    let rows = exceptions.map {
      "Numero = \($0.number) AND Resultat = \(ReadableLayer.literal($0.result))"
    }
    return " AND (Resultat IS NULL OR NOT (\(rows.joined(separator: " OR "))))"
  }
}

extension ArcGISAccess {
  /// - Returns: `nil`: there is no table.
  func mailQuery(_ question: MailQuestion) -> HTTPRequest? {
    guard let address = configuration.mailAddress else { return nil }
    let code = ReadableLayer.literal(configuration.mailCode(question.device))
    var form = FormText()
    form.add("f", "json")
    // A confirmation may be somebody else's, and numbers begin again in a new table.
    form.add(
      "where",
      "Desti = \(code) AND (Numero > \(question.after) OR Rebut IS NULL)\(question.exclusion)")
    form.add("outFields", "*")
    form.add("orderByFields", "Numero DESC")
    form.add("resultRecordCount", String(mailRows))
    form.add("returnGeometry", "false")
    return authorized("query", form, at: address, answerBytes: UplinkBounds.mailBytes)
  }

  /// - Returns: `nil`: there is nothing to confirm.
  func confirmation(of mail: ConfirmedMail, at now: UTC) -> HTTPRequest? {
    if let message = mail.added { return addition(of: message, to: mail.device) }
    guard let address = configuration.mailAddress, !mail.messages.isEmpty else { return nil }
    let code = configuration.mailCode(mail.device)
    var rows = JSONText()
    rows.array { rows in
      for message in mail.messages {
        rows.object { row in
          row.key("attributes")
          row.object { attributes in
            attributes.key(mailObjectField)
            attributes.integer(message.object)
            // So that a row of another device is never hit by mistake.
            attributes.key("Desti")
            attributes.string(code)
            if message.isDone {
              attributes.key("Rebut")
              attributes.integer(now.milliseconds)
            }
            if let result = message.result { attributes.add("Resultat", result) }
          }
        }
      }
    }
    var form = FormText()
    form.add("f", "json")
    form.add("rollbackOnFailure", "false")
    form.add("features", bytes: rows.bytes)
    return authorized(
      "updateFeatures", form, at: address, answerBytes: UplinkBounds.mailBytes)
  }
}

/// Messages that the tracker has kept, or one that the organisers' room adds to the table.
struct ConfirmedMail: Sendable, Equatable {
  var device: UniqueID
  var messages: [MailConfirmation]
  var added: ServedMessage?
}

/// What the server is told of a message.
public struct MailConfirmation: Sendable, Equatable {
  public var object: Int64
  /// Of an order: what became of it; `nil`: it is no order, or the server has no field for that.
  var result: String?
  /// There is nothing more to do about it.
  var isDone: Bool

  /// - Parameters:
  ///   - outcome: of an order: what became of it; `nil`: nothing yet.
  ///   - progress: what the tracker is about to do for it; `nil`: it has the order.
  /// - Returns: `nil`: there is nothing to say that the server does not know.
  public init?(_ message: ServedMessage, outcome: String? = nil, progress: String? = nil) {
    guard !message.isConfirmed else { return nil }
    (object, isDone) = (message.object, message.kind != .order || outcome != nil)
    guard message.kind == .order else { return }
    if let known = message.result {
      let news = progress ?? (known.isEmpty ? Self.fetched : known)
      result = outcome ?? (news == known ? nil : news)
    }
    if !isDone && result == nil { return nil }
  }

  /// The tracker has it, and will obey or refuse it.
  private static let fetched = "fetched"
}

// MARK: - Answers

extension ArcGISTask {
  /// Or about notes, or a history.
  var isAboutMail: Bool {
    switch stage {
    case .fetching, .confirming, .noting, .recounting: true
    case .checking, .reconciling, .preparing, .asking, .adding, .settling, .reading: false
    }
  }

  /// The next request of a task about messages, or its end; `nil`: it is another task.
  mutating func proceedWithMail(_ access: inout ArcGISAccess, at now: UTC) -> UplinkStep? {
    switch stage {
    case .fetching(let question):
      guard let request = access.mailQuery(question) else { return end(.mail(.unsupported)) }
      return send(request, .query)
    case .confirming(let mail):
      guard let request = access.confirmation(of: mail, at: now) else {
        return end(.mail(.confirmed))
      }
      return send(request, .edit)
    case .noting(let task):
      guard let request = access.noteRequest(task) else { return end(.notes(.unsupported)) }
      if case .pull = task { return send(request, .query) } else { return send(request, .edit) }
    case .recounting(let task):
      guard let request = access.historyRequest(task) else { return end(.history(.unsupported)) }
      if case .ask = task { return send(request, .query) } else { return send(request, .edit) }
    case .checking, .reconciling, .preparing, .asking, .adding, .settling, .reading: return nil
    }
  }

  mutating func receiveMail(
    _ answer: QueryAnswer, _ features: [Lenient<QueriedRow>], to question: MailQuestion,
    _ access: inout ArcGISAccess
  ) -> UplinkStep {
    let object = answer.objectIdFieldName?.value ?? access.mailObjectField
    access.mailObjectField = object
    access.mailRefusals = 0
    // More of them may fit the next time; where all have come there is no doubt.
    let rows = features.count < access.mailRows ? UplinkBounds.mailRows : access.mailRows * 2
    access.mailRows = min(rows, UplinkBounds.mailRows)
    let code = access.configuration.mailCode(question.device)
    var seen: Set<UInt32> = []
    let messages = features.compactMap { $0.value.flatMap { ServedMessage($0, object, for: code) } }
      .sorted { ($0.number, $0.object) > ($1.number, $1.object) }
      .filter { seen.insert($0.number).inserted }
    return end(.mail(.fetched(messages.prefix(UplinkBounds.mailRows).reversed())))
  }

  /// A task about messages that has failed.
  mutating func mailOutcome(of failure: Failure, _ access: inout ArcGISAccess) -> MailOutcome {
    // Perhaps it was too long: the next one is shorter.
    if case .unclear = failure { access.mailRows = max(1, access.mailRows / 4) }
    if case .fetching = stage, lacksTable(failure, &access.mailRefusals) { return .unsupported }
    return .failed(status: failure.status)
  }
}

extension ServedMessage {
  /// - Returns: `nil` for a row that is another device's, or no message.
  fileprivate init?(_ row: QueriedRow, _ objectField: String, for code: String) {
    guard row.attributes["desti"]?.text == code,
      let object = row.attributes[objectField.lowercased()]?.number,
      let number = row.attributes["numero"]?.number.flatMap({ UInt32(exactly: $0) }), number > 0,
      let kind = row.attributes["classe"]?.text.flatMap({ Kind(rawValue: $0) })
    else { return nil }
    let sequence = row.attributes["ordre"]?.number.flatMap { UInt32(exactly: $0) }
    self.init(
      object: object, number: number, kind: kind,
      text: Self.line(row.attributes["text"]?.text, atMost: UplinkBounds.messageScalars),
      author: Self.line(row.attributes["autor"]?.text, atMost: UplinkBounds.authorScalars),
      created: row.attributes["creat"]?.number.flatMap {
        UplinkBounds.dates.contains($0) ? UTC(milliseconds: $0) : nil
      },
      sequence: kind == .read || kind == .ended ? sequence : nil,
      isConfirmed: row.attributes["rebut"]?.number != nil)
    expires = row.attributes["fins"]?.number.flatMap {
      UplinkBounds.dates.contains($0) ? UTC(milliseconds: $0) : nil
    }
    capture = row.attributes["captura"]?.text.flatMap { UniqueID(text: $0) }
    result = row.attributes["resultat"].map { $0.text ?? "" }
  }

  /// A text without what a terminal would act on.
  static func line(_ text: String?, atMost most: Int) -> String {
    let scalars = (text ?? "").unicodeScalars.prefix(most)
    return String(String.UnicodeScalarView(scalars)).plain
  }
}

// The other side of the table: the organisers' room adds a message, where trackers deliver to
// another server than the room's.
extension ArcGISDialogue {
  /// Adds a message under its own number, for the tracker of `ArcGISConfiguration.deviceCode`; its
  /// object number is the server's. Done means that the server was asked: fetch again to know.
  public mutating func add(_ message: ServedMessage, at now: UTC) -> UplinkStep {
    edit(ConfirmedMail(device: UniqueID(high: 0, low: 0), messages: [], added: message), at: now)
  }
}

extension ArcGISAccess {
  /// - Returns: `nil`: there is no table.
  func addition(of message: ServedMessage, to device: UniqueID) -> HTTPRequest? {
    guard let address = configuration.mailAddress else { return nil }
    var rows = JSONText()
    rows.array { rows in
      rows.object { row in
        row.key("attributes")
        row.object { attributes in
          for (name, text) in [
            ("Desti", configuration.mailCode(device)), ("Classe", message.kind.rawValue),
            ("Text", message.text), ("Autor", message.author),
          ] {
            attributes.key(name)
            attributes.string(text)
          }
          if let capture = message.capture {
            attributes.add("Captura", capture.lowercaseText)
          }
          for (name, number) in [
            ("Numero", Int64(message.number)), ("Creat", message.created?.milliseconds),
            ("Ordre", message.sequence.map { Int64($0) }),
            ("Fins", message.expires?.milliseconds),
          ] {
            guard let number else { continue }
            attributes.key(name)
            attributes.integer(number)
          }
        }
      }
    }
    var form = FormText()
    form.add("f", "json")
    form.add("features", bytes: rows.bytes)
    return authorized("addFeatures", form, at: address, answerBytes: UplinkBounds.mailBytes)
  }
}
