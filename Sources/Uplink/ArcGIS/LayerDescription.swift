import Wording

/// A layer's description of itself (Esri REST: layer resource, `?f=json`).
struct LayerDescription: ServersAnswer {
  struct Field: Decodable {
    var name: LenientText?
    var type: LenientText?
    var length: LenientInteger?
    var nullable: LenientFlag?
    var editable: LenientFlag?
  }

  var error: Lenient<ServerError>?
  var geometryType: LenientText?
  var globalIdField: LenientText?
  var fields: Lenient<[Lenient<Field>]>?
  var hasZ: LenientFlag?
  var enableZDefaults: LenientFlag?
  var capabilities: LenientText?
  var maxRecordCount: LenientInteger?
  var supportsRollbackOnFailureParameter: LenientFlag?
  var supportsApplyEditsWithGlobalIds: LenientFlag?
  var objectIdField: LenientText?
  var editFieldsInfo: Lenient<EditFields>?
  var advancedQueryCapabilities: Lenient<QueryAbilities>?

  /// Who edited a row and when (Esri REST: "editor tracking").
  struct EditFields: Decodable {
    struct Reference: Decodable {
      var timeZone: LenientText?
    }
    var creationDateField: LenientText?
    var editDateField: LenientText?
    var dateFieldsTimeReference: Lenient<Reference>?
  }

  struct QueryAbilities: Decodable {
    var supportsPagination: LenientFlag?
  }
}

/// A layer that captures can be sent to.
struct Layer: Sendable, Equatable {
  /// One attribute, as the layer spells and stores it.
  struct Attribute: Sendable, Equatable {
    enum Storage: Sendable, Equatable {
      case number, text, guid
      /// Milliseconds since 1970.
      case date
      /// A date and time with its offset, as text: `2026-11-21T08:05:09.120+00:00`.
      case timestamp
      /// A day, as text: `2026-11-21`.
      case day
    }
    var name: String
    var storage: Storage
    /// Length of a text field in characters.
    var length: Int?
    var isNullable: Bool
  }

  var fields: CaptureFields
  /// The field that identifies a capture: the GlobalID or the configured field.
  var identifier: Attribute
  /// The configured field if it takes the identifier in addition to the GlobalID.
  var extraIdentifier: Attribute?
  /// Rows are added by `applyEdits` and keep the GlobalIDs sent with them.
  var usesGlobalIDs: Bool
  /// The layer can keep some rows of a request and refuse others.
  var keepsPartOfRequest: Bool
  /// Points require a height.
  var needsHeight: Bool
  /// The layer shows what it has. One that does not (`Create` without `Query`, a drop box) may get
  /// a capture twice if it accepts no GlobalIDs.
  var canBeQueried: Bool
  var queryLimit: Int
  /// What a control room needs, and the layer does not have: names and types.
  var missing: [String] = []

  var takesMarks: Bool { fields.done != nil || fields.toGo != nil || fields.place != nil }
}

/// The fields of a layer that have what is told of a capture; `nil`: it has none for that.
struct CaptureFields: Sendable, Equatable {
  typealias Attribute = Layer.Attribute

  /// What a field is to hold.
  enum Content {
    case anything, text, date, number, metres

    func fits(_ storage: Attribute.Storage) -> Bool {
      switch self {
      case .anything: true
      case .text: storage == .text
      case .date: storage == .date || storage == .timestamp
      case .number, .metres: storage == .number
      }
    }
  }

  var device: Attribute?
  var team: Attribute?
  var battery: Attribute?
  var time: Attribute?
  var kind: Attribute?
  var sequence: Attribute?
  var trigger: Attribute?
  var nextContact: Attribute?
  var silence: Attribute?
  var done: Attribute?
  var toGo: Attribute?
  var place: Attribute?
  var accuracy: Attribute?

  /// - Parameter find: the layer's field of that name; `nil`: it has none that will do.
  init<Problem: Error>(
    _ names: ArcGISFields,
    _ find: (ArcGISFields.Choice, Content) throws(Problem) -> Attribute?
  ) throws(Problem) {
    func field(
      _ choice: ArcGISFields.Choice?, _ content: Content
    ) throws(Problem) -> Attribute? {
      guard let choice else { return nil }
      return try find(choice, content)
    }
    func field(_ name: String?) throws(Problem) -> Attribute? {
      guard let name else { return nil }
      return try find(.named(name), .anything)
    }
    device = try field(names.device)
    team = try field(names.team)
    battery = try field(names.battery)
    time = try field(names.time)
    kind = try field(names.kind)
    sequence = try field(names.sequence, .number)
    trigger = try field(names.trigger, .text)
    nextContact = try field(names.nextContact, .date)
    silence = try field(names.silence, .text)
    done = try field(names.done, .metres)
    toGo = try field(names.toGo, .metres)
    place = try field(names.place, .text)
    accuracy = try field(names.accuracy, .metres)
  }

  var all: [Attribute?] {
    [
      device, team, battery, time, kind, sequence, trigger, nextContact, silence, done, toGo, place,
      accuracy,
    ]
  }
}

/// Why a layer cannot be used, as the end of a message.
struct LayerError: Error, Equatable {
  var texts: Texts
  init(_ texts: Texts) { self.texts = texts }
}

extension Layer {
  init(_ layer: LayerDescription, _ fields: ArcGISFields) throws(LayerError) {
    canBeQueried = try Self.checkAbilities(layer)
    let known = (layer.fields?.value ?? []).compactMap(\.value)
    func attribute(_ name: String?) throws(LayerError) -> Attribute? {
      guard let name else { return nil }
      return try Self.find(name, in: known, mustBeEditable: true)
    }
    func isSmall(_ field: Attribute) -> Bool {
      known.first { $0.name?.value == field.name }?.type?.value == "esriFieldTypeSmallInteger"
    }
    let found = try CaptureFields(fields) { choice, content throws(LayerError) in
      switch choice {
      case .named(let name):
        let field = try Self.find(name, in: known, mustBeEditable: true)
        // Beyond kilometre 32 a server would refuse the whole capture, or keep a wrong number. Few
        // stores have so many captures that a small field cannot hold their numbers.
        guard content == .metres, isSmall(field) else { return field }
        throw LayerError(LayerPhrase.tooSmall.texts(field.name))
      // A field that happens to have the name is none of ours.
      case .unasked(let name):
        let field = try? Self.find(name, in: known, mustBeEditable: true)
        return field.flatMap { content.fits($0.storage) && !isSmall($0) ? $0 : nil }
      }
    }
    self.fields = found
    let needed = [
      (fields.trigger, found.trigger, "String"), (fields.nextContact, found.nextContact, "Date"),
      (fields.silence, found.silence, "String"), (fields.sequence, found.sequence, "Integer"),
    ]
    for case (.unasked(let name)?, nil, let type) in needed {
      missing.append("\(name) (esriFieldType\(type))")
    }
    if layer.supportsApplyEditsWithGlobalIds?.value == true,
      let globalID = layer.globalIdField?.value, !globalID.isEmpty
    {
      usesGlobalIDs = true
      // A GlobalID may be marked as not editable: only applyEdits with useGlobalIds can set it.
      identifier = Attribute(name: globalID, storage: .guid, length: nil, isNullable: false)
      extraIdentifier = try? attribute(fields.identifier)
    } else {
      usesGlobalIDs = false
      guard let found = try attribute(fields.identifier) else {
        throw LayerError(LayerPhrase.noIdentifier.texts)
      }
      guard [.text, .guid].contains(found.storage), (found.length ?? 36) >= 36 else {
        throw LayerError(LayerPhrase.cannotHold.texts(found.name))
      }
      identifier = found
    }
    keepsPartOfRequest = layer.supportsRollbackOnFailureParameter?.value == true
    needsHeight = layer.hasZ?.value == true && layer.enableZDefaults?.value != true
    let limit = Int(clamping: layer.maxRecordCount?.value ?? 0)
    queryLimit = limit > 0 ? min(limit, UplinkBounds.queriedCaptures) : UplinkBounds.queriedCaptures
  }

  /// - Returns: whether it can be queried.
  private static func checkAbilities(_ layer: LayerDescription) throws(LayerError) -> Bool {
    guard layer.fields?.value != nil else {
      throw LayerError(LayerPhrase.notALayer.texts)
    }
    if let geometry = layer.geometryType?.value, geometry != "esriGeometryPoint" {
      throw LayerError(LayerPhrase.notPoints.texts(geometry))
    }
    guard let text = layer.capabilities?.value else { return true }
    let words = text.lowercased().split(whereSeparator: { $0 == "," || $0 == " " })
    guard words.contains("create") || words.contains("editing") else {
      throw LayerError(LayerPhrase.notEditable.texts(text))
    }
    return words.contains("query")
  }

  static func find(
    _ name: String, in known: [LayerDescription.Field], mustBeEditable: Bool
  ) throws(LayerError) -> Attribute {
    let wanted = name.lowercased()
    guard let field = known.first(where: { $0.name?.value?.lowercased() == wanted }),
      let spelling = field.name?.value
    else {
      throw LayerError(LayerPhrase.noField.texts(name))
    }
    guard !mustBeEditable || field.editable?.value != false else {
      throw LayerError(LayerPhrase.fieldNotEditable.texts(name))
    }
    let storage: Attribute.Storage
    switch field.type?.value {
    case "esriFieldTypeDate": storage = .date
    case "esriFieldTypeTimestampOffset": storage = .timestamp
    case "esriFieldTypeDateOnly": storage = .day
    case "esriFieldTypeString": storage = .text
    case "esriFieldTypeGUID", "esriFieldTypeGlobalID": storage = .guid
    default: storage = .number
    }
    return Attribute(
      name: spelling, storage: storage, length: field.length?.value.map { Int(clamping: $0) },
      isNullable: field.nullable?.value != false)
  }
}

/// Why an address cannot be used. One line: what, where, what to do.
public struct AddressError: Error, Equatable, CustomStringConvertible {
  public let description: String
}

/// The address of a layer of a FeatureServer.
public struct LayerAddress: Sendable, Equatable, CustomStringConvertible {
  /// Without a trailing slash: `https://host/arcgis/rest/services/TrailWalker/FeatureServer/0`.
  public let layer: String
  /// The part before `/rest/services…`, which tokens are valid for; `nil` if the address has no
  /// such part.
  public let site: String?

  public var description: String { layer }

  private static let example = "https://host/arcgis/rest/services/TrailWalker/FeatureServer/0"

  public init(_ text: String) throws(AddressError) {
    try Self.checkCharacters(text)
    let lower = text.lowercased()
    guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else {
      throw Self.error(text, "has no scheme", "write https:// in front, as in \(Self.example)")
    }
    guard !text.contains("?"), !text.contains("#") else {
      throw Self.error(text, "has a query", "end it after the layer's number")
    }
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    while parts.count > 3, parts.last == "" { parts.removeLast() }
    guard parts.count > 2, !parts[2].isEmpty else {
      throw Self.error(text, "has no host", "write it as in \(Self.example)")
    }
    guard !parts[2].contains("@") else {
      throw AddressError(
        description: "server address: contains a user name or password;"
          + " move them to the secrets file")
    }
    guard !parts.contains(where: { $0.lowercased() == "mapserver" }) else {
      throw Self.error(text, "is a MapServer, which takes no captures", "use its FeatureServer")
    }
    guard parts.count > 4, parts[parts.count - 2].lowercased() == "featureserver",
      UInt32(parts[parts.count - 1]) != nil
    else {
      throw Self.error(
        text, "has no layer number", "end it with FeatureServer and the layer's number, as in /0")
    }
    layer = parts.joined(separator: "/")
    let rest = parts.indices.dropFirst(3).first {
      parts[$0].lowercased() == "rest" && parts[$0 + 1].lowercased() == "services"
    }
    site = rest.map { parts[..<$0].joined(separator: "/") }
  }

  /// Whether requests are sent unencrypted over a network.
  var isInTheClear: Bool { Self.isInTheClear(layer) }

  /// Whether the server is on this machine.
  public var isThisMachine: Bool { Self.isThisMachine(layer) }

  /// Plain HTTP, other than to this machine.
  static func isInTheClear(_ url: String) -> Bool {
    url.lowercased().hasPrefix("http://") && !isThisMachine(url)
  }

  static func isThisMachine(_ url: String) -> Bool {
    guard let start = url.place(of: "://") else { return false }
    let authority = url[start.upperBound...].prefix { $0 != "/" && $0 != "?" }
    let host =
      authority.hasPrefix("[")
      ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    return ["localhost", "127.0.0.1", "[::1]"].contains(host.lowercased())
  }

  /// Spaces and control characters in an address could forge a request.
  static func checkCharacters(_ text: String) throws(AddressError) {
    guard !text.isEmpty else {
      throw AddressError(description: "server address: is empty; write it as in \(example)")
    }
    guard text.utf8.count <= 2000, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw AddressError(
        description: "server address: contains spaces, control or non-ASCII characters, or more"
          + " than 2000; percent-encode them")
    }
  }

  /// A query or a user name may be a secret and is not repeated.
  static func error(_ text: String, _ what: String, _ cure: String) -> AddressError {
    let shown = text.contains("@") ? "" : " " + text.prefix { $0 != "?" && $0 != "#" }
    return AddressError(description: "server address\(shown): \(what); \(cure)")
  }
}
