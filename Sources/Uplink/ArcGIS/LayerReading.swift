public import TrackerCore
import Wording

/// What of a layer is to be read, in the order of its object numbers.
///
/// A page has as many rows as the server gives. The next one begins at the object after its last;
/// a page without rows is the end, whatever the server says of its limits.
public struct LayerQuestion: Sendable, Equatable {
  /// The first object number that is wanted.
  public var from: Int64 = 0
  /// The first that is not; `nil`: all after `from` are.
  public var below: Int64?
  /// Only rows that were added or changed since, if the layer says when.
  public var editedSince: UTC?
  /// Only captures of this team, or of the device with this code. An empty name is none.
  public var team: String?
  public var device: String?
  /// Only the object numbers are wanted (`LayerPage.objects`), of all rows that there are.
  public var wantsNumbers = false

  public init() {}
}

/// Rows of a layer, in ascending order of their object numbers.
public struct LayerPage: Sendable, Equatable {
  public var captures: [ServedCapture] = []
  /// The first and the last object number, of rows without an identifier too; `nil`: there is no
  /// row.
  public var first: Int64?
  public var last: Int64?
  /// The latest edit; `nil`: no row says when.
  public var lastEdit: UTC?
  /// Rows that are no captures: without an identifier.
  public var others = 0
  /// Whether the layer says when a row was added or changed, by a clock in UTC.
  public var hasEditDates = false
  /// If only the numbers were asked for, all of them, in no order.
  public var objects: Set<Int64> = []
}

/// A capture as a layer shows it. What the layer has no field for, or no value, is `nil`.
public struct ServedCapture: Sendable, Equatable {
  public var object: Int64
  public var id: UniqueID
  /// The organiser's code, or the device's identifier.
  public var device: String?
  public var team: String?
  public var time: UTC?
  public var position: Coordinate?
  public var batteryPercent: Int64?
  /// The kind of system that it comes from.
  public var kind: String?
  public var sequence: Int64?
  public var trigger: String?
  public var promise: UTC?
  public var silence: String?
  public var doneMetres: Int64?
  public var toGoMetres: Int64?
  public var place: String?
  public var accuracyMetres: Int64?
  /// When the server got it.
  public var created: UTC?

  public init(object: Int64, id: UniqueID) {
    self.object = object
    self.id = id
  }
}

/// A layer from which captures can be read. It need not take any.
struct ReadableLayer: Sendable, Equatable {
  typealias Attribute = Layer.Attribute

  var object: String
  var identifier: Attribute?
  /// The field that has the identifier if the other one is missing or empty: the GlobalID.
  var globalID: Attribute?
  var fields: CaptureFields
  var created: Attribute?
  /// `nil` also if its clock is not in UTC.
  var edited: Attribute?
  /// Rows in a page; `nil`: the server alone decides.
  var rows: Int?

  init(_ layer: LayerDescription, _ fields: ArcGISFields) throws(LayerError) {
    guard let list = layer.fields?.value else { throw LayerError(LayerPhrase.notALayer.texts) }
    if let geometry = layer.geometryType?.value, geometry != "esriGeometryPoint" {
      throw LayerError(LayerPhrase.notPoints.texts(geometry))
    }
    if let text = layer.capabilities?.value, !text.isEmpty,
      !text.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).contains("query")
    {
      throw LayerError(LayerPhrase.notShown.texts(text))
    }
    let known = list.compactMap(\.value)
    func attribute(_ name: String?) -> Attribute? {
      guard let name, !name.isEmpty else { return nil }
      return try? Layer.find(name, in: known, mustBeEditable: false)
    }
    let number = known.first { $0.type?.value == "esriFieldTypeOID" }?.name?.value
    guard let object = attribute(layer.objectIdField?.value ?? number)?.name else {
      throw LayerError(LayerPhrase.notALayer.texts)
    }
    self.object = object
    identifier = attribute(fields.identifier)
    // Else they are the server's own.
    if layer.supportsApplyEditsWithGlobalIds?.value == true {
      globalID = attribute(layer.globalIdField?.value)
    }
    guard identifier != nil || globalID != nil else {
      throw LayerError(LayerPhrase.noField.texts(fields.identifier ?? "GlobalID"))
    }
    self.fields = CaptureFields(fields) { choice, _ in attribute(choice.name) }
    let tracking = layer.editFieldsInfo?.value
    created = attribute(tracking?.creationDateField?.value)
    let zone = tracking?.dateFieldsTimeReference?.value?.timeZone?.value ?? "UTC"
    let isUTC = ["utc", "etc/utc"].contains(zone.lowercased())
    edited = isUTC ? attribute(tracking?.editDateField?.value) : nil
    if layer.advancedQueryCapabilities?.value?.supportsPagination?.value == true {
      let limit = Int(clamping: layer.maxRecordCount?.value ?? 0)
      rows = limit > 0 ? min(limit, UplinkBounds.readRows) : UplinkBounds.readRows
    }
  }

  fileprivate var names: [String] {
    let all = [identifier, globalID] + fields.all + [created, edited]
    return [object] + all.compactMap { $0?.name }
  }

  /// - Returns: `nil` if the layer does not say whose its captures are.
  fileprivate func clause(_ question: LayerQuestion) -> String? {
    var parts = ["\(object) >= \(question.from)"]
    if let below = question.below { parts.append("\(object) < \(below)") }
    if let since = question.editedSince, let field = edited, let text = HTTPDate.iso8601(since) {
      let time = text.prefix(19).split(separator: "T").joined(separator: " ")
      parts.append("\(field.name) >= TIMESTAMP '\(time)'")
    }
    let owners = [(fields.team, question.team), (fields.device, question.device)].filter {
      $0.1?.isEmpty == false
    }
    if !owners.isEmpty {
      let known = owners.compactMap { field, name in
        field.map { "\($0.name) = \(Self.literal(name ?? ""))" }
      }
      if known.isEmpty { return nil }
      parts.append("(\(known.joined(separator: " OR ")))")
    }
    return parts.joined(separator: " AND ")
  }

  static func literal(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }
}

extension ArcGISAccess {
  /// - Returns: `nil` if the layer cannot be asked that.
  func reading(_ question: LayerQuestion, of layer: ReadableLayer) -> HTTPRequest? {
    guard let clause = layer.clause(question) else { return nil }
    var form = FormText()
    form.add("f", "json")
    form.add("where", clause)
    if question.wantsNumbers {
      form.add("returnIdsOnly", "true")
      var request = authorized("query", form, answering: 0)
      request.answerBytes = UplinkBounds.pageBytes
      return request
    }
    form.add("outFields", layer.names.joined(separator: ","))
    form.add("orderByFields", layer.object)
    if let rows = layer.rows { form.add("resultRecordCount", String(rows)) }
    form.add("returnGeometry", "true")
    form.add("outSR", "4326")
    var request = authorized("query", form, answering: 0)
    // Names may have many bytes.
    request.answerBytes = layer.rows.map { (16 + 2 * $0) << 10 } ?? UplinkBounds.pageBytes
    return request
  }
}

extension LayerPage {
  /// - Returns: `nil` if these are not the numbers that were asked for, or not all of them.
  init?(_ answer: NumbersAnswer, to question: LayerQuestion) {
    // Where there is none ArcGIS says null; an answer that says nothing of numbers tells nothing.
    guard answer.exceededTransferLimit?.value != true,
      answer.objectIdFieldName?.value != nil || answer.objectIds?.value != nil
    else { return nil }
    for one in answer.objectIds?.value ?? [] {
      guard let object = one.value, object >= question.from,
        question.below.map({ object < $0 }) ?? true
      else { return nil }
      objects.insert(object)
    }
  }

  /// - Returns: `nil` if these are not the rows that were asked for, in their order.
  init?(
    _ features: [Lenient<QueriedRow>], of layer: ReadableLayer, to question: LayerQuestion
  ) {
    hasEditDates = layer.edited != nil
    for feature in features {
      guard let row = feature.value, let object = row[layer.object]?.number,
        object >= question.from, object > last ?? .min, question.below.map({ object < $0 }) ?? true
      else { return nil }
      first = first ?? object
      last = object
      if let edit = layer.edited.flatMap({ row.time($0) }) {
        lastEdit = max(edit, lastEdit ?? edit)
      }
      if let capture = ServedCapture(row, object, layer) {
        captures.append(capture)
      } else {
        others += 1
      }
    }
  }
}

extension ServedCapture {
  fileprivate init?(_ row: QueriedRow, _ object: Int64, _ layer: ReadableLayer) {
    let names = [layer.identifier, layer.globalID].compactMap { row.text($0) }
    guard let id = names.lazy.compactMap({ UniqueID(text: $0) }).first else { return nil }
    self.init(object: object, id: id)
    let fields = layer.fields
    device = row.text(fields.device)
    team = row.text(fields.team)
    time = fields.time.flatMap { row.time($0) }
    position = row.geometry?.coordinate
    batteryPercent = row.number(fields.battery)
    kind = row.text(fields.kind)
    sequence = row.number(fields.sequence)
    trigger = row.text(fields.trigger)
    promise = fields.nextContact.flatMap { row.time($0) }
    silence = row.text(fields.silence)
    doneMetres = row.number(fields.done)
    toGoMetres = row.number(fields.toGo)
    place = row.text(fields.place)
    accuracyMetres = row.number(fields.accuracy)
    created = layer.created.flatMap { row.time($0) }
  }
}

extension QueriedRow {
  fileprivate subscript(_ name: String) -> RowValue? { attributes[name.lowercased()] }

  fileprivate func text(_ field: Layer.Attribute?) -> String? {
    guard let value = field.flatMap({ self[$0.name] }) else { return nil }
    let text = value.text ?? value.number.map { "\($0)" }
    return text?.isEmpty == false ? text : nil
  }

  /// Trackers write -1 for what they do not know into a field that takes no null.
  fileprivate func number(_ field: Layer.Attribute?) -> Int64? {
    guard let number = field.flatMap({ self[$0.name]?.number }), number >= 0 else { return nil }
    return number
  }

  /// Trackers write 1970 for a time that they do not know into a field that takes no null.
  fileprivate func time(_ field: Layer.Attribute) -> UTC? {
    guard let value = self[field.name] else { return nil }
    if let text = value.text, let time = HTTPDate.parse(iso8601: text) { return time }
    return value.number.flatMap { $0 == 0 ? nil : UTC(milliseconds: $0) }
  }
}

extension QueriedRow.Point {
  /// Of degrees; `nil` for what is none on Earth.
  fileprivate var coordinate: Coordinate? {
    guard (-180...180).contains(x), (-90...90).contains(y) else { return nil }
    return Coordinate(
      latitude: Int32((y * 1e7).rounded()), longitude: Int32((x * 1e7).rounded()))
  }
}
