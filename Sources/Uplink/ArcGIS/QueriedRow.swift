import TrackerCore
import Wording

/// A row with the identifier of a capture, as returned by a query.
struct QueriedRow: Decodable, Sendable {
  /// In metres of Web Mercator, or degrees, as was asked.
  struct Point: Decodable, Sendable {
    var x: Double
    var y: Double
  }

  /// By the field's name in lower case.
  var attributes: [String: RowValue]
  var geometry: Point?

  private enum Key: CodingKey {
    case attributes, geometry
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let values = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .attributes)
    attributes = [:]
    for key in values.allKeys {
      attributes[key.stringValue.lowercased()] = try? values.decode(RowValue.self, forKey: key)
    }
    geometry = try? container.decode(Point.self, forKey: .geometry)
  }
}

/// A value of a row: a text, a number, or neither.
struct RowValue: Decodable, Sendable {
  var text: String?
  var number: Int64?

  init(from decoder: any Decoder) throws {
    text = try LenientText(from: decoder).value
    number = try LenientInteger(from: decoder).value
  }
}

/// Whether a row is the capture with its identifier.
enum RowVerdict: Equatable {
  case ours
  /// Another capture: two devices have the same identity.
  case another
  /// The row does not contain enough to decide.
  case untold
}

extension QueriedRow {
  /// Compares what distinguishes two captures of one identity.
  ///
  /// Device and sequence exactly, if the row has them; the time within a second, because layers
  /// round; the position within a metre, but only if sequence or time is missing, because people
  /// move points. A capture that was never sent, or has no time where the row has one, is hardly
  /// the row's: a card may have lost a capture of the same number, taken a step away.
  ///
  /// - Parameters:
  ///   - wasSent: whether it was sent before, as far as is known.
  ///   - code: the organiser's code for the device, sent instead of its UUID.
  ///   - isInMetres: whether the answer's coordinates are Web Mercator.
  func judge(
    _ outgoing: OutgoingCapture, wasSent: Bool, layer: Layer, code: String?, isInMetres: Bool
  ) -> RowVerdict {
    // An organiser's code proves nothing: it may have been a different one when this was sent, and
    // it may look like a UUID.
    let device = value(layer.fields.device)?.text
    if device != code, let device = device.flatMap({ UniqueID(text: $0) }),
      device != outgoing.device
    {
      return .another
    }
    let sequence = value(layer.fields.sequence)?.number
    if let sequence, sequence != Int64(outgoing.capture.sequence) { return .another }
    let isTimeEqual = isTimeEqual(outgoing.capture, layer)
    if isTimeEqual == false { return .another }
    if sequence != nil, isTimeEqual == true { return .ours }
    guard let position = outgoing.capture.position else {
      // A call for help may be captured with neither: then only a time tells it from another, or a
      // place if it was not sent before, and to ask again would tell no more.
      let hasOtherTime = isTimeEqual == nil && !outgoing.capture.isTimeTrusted && hasTime(layer)
      return hasOtherTime || geometry != nil && !wasSent ? .another : .ours
    }
    guard isInMetres else { return .untold }
    // A whole row without a place is of a call for help that had none.
    guard let geometry else { return value(layer.fields.time) == nil ? .untold : .another }
    let isLikely = wasSent && (outgoing.capture.isTimeTrusted || !hasTime(layer))
    let isNear = geometry.isWithin(isLikely ? Point.metre : Point.rounding, of: position)
    return isNear ? .ours : .another
  }

  private func value(_ field: Layer.Attribute?) -> RowValue? {
    field.flatMap { attributes[$0.name.lowercased()] }
  }

  /// Whether the row has a time; 0, or its day, means an unknown one if the layer does not accept
  /// null.
  private func hasTime(_ layer: Layer) -> Bool {
    guard let time = value(layer.fields.time) else { return false }
    if let number = time.number { return number != 0 }
    return time.text.map { !$0.isEmpty && !$0.hasPrefix("1970-01-01") } ?? false
  }

  /// `nil`: one of the two has no time, or the row's time cannot be read.
  private func isTimeEqual(_ capture: Capture, _ layer: Layer) -> Bool? {
    guard let field = layer.fields.time, let value = value(field), capture.isTimeTrusted,
      let utc = capture.utc
    else { return nil }
    if let written = HTTPDate.iso8601(utc), let text = value.text {
      switch field.storage {
      case .text where text == written: return true
      case .timestamp:
        return HTTPDate.parse(iso8601: text).map { ($0 - utc).count.magnitude <= 1000 }
      case .day: return text.prefix(10) == written.prefix(10) ? nil : false
      case .text, .number, .date, .guid: break
      }
    }
    guard let number = value.number, number != 0 else { return nil }
    let (difference, overflow) = number.subtractingReportingOverflow(utc.milliseconds)
    return !overflow && difference.magnitude <= 1000
  }
}

/// The rows of an answer, by identifier.
struct QueriedRows {
  private let layer: Layer
  private let code: String?
  private let isInMetres: Bool
  private var rows: [UniqueID: [QueriedRow]] = [:]
  /// One for each feature, in the answer's order; `nil` if it has none.
  private(set) var identifiers: [UniqueID?] = []

  init(_ features: [Lenient<QueriedRow>], layer: Layer, code: String?, isInMetres: Bool) {
    self.layer = layer
    self.code = code
    self.isInMetres = isInMetres
    let name = layer.identifier.name.lowercased()
    for feature in features {
      let id = feature.value?.attributes[name]?.text.flatMap { UniqueID(text: $0) }
      identifiers.append(id)
      if let id, let row = feature.value { rows[id, default: []].append(row) }
    }
  }

  /// `nil`: no row has its identifier. If there are several rows, one that is the capture is
  /// enough.
  func verdict(on capture: OutgoingCapture, wasSent: Bool) -> RowVerdict? {
    let verdicts = rows[capture.id, default: []].map {
      $0.judge(capture, wasSent: wasSent, layer: layer, code: code, isInMetres: isInMetres)
    }
    return verdicts.first { $0 == .ours } ?? verdicts.first { $0 == .untold } ?? verdicts.first
  }
}

extension QueriedRow.Point {
  /// Some 1.002 m along a meridian, 1e-7 degree.
  fileprivate static let metre: Int32 = 90
  /// What is lost of a position in the request and in the layer, some 2 cm.
  fileprivate static let rounding: Int32 = 2

  /// - Parameter distance: along a meridian, 1e-7 degree.
  fileprivate func isWithin(_ distance: Int32, of position: Coordinate) -> Bool {
    let place = WebMercator(position)
    // The scale of the projection grows with the latitude: this is the distance's projected length
    // here.
    let inner = position.latitude > 0 ? -distance : distance
    let neighbour = WebMercator(
      Coordinate(latitude: position.latitude + inner, longitude: position.longitude))
    let length = (place.y - neighbour.y).magnitude
    return (x - place.x).magnitude <= length && (y - place.y).magnitude <= length
  }
}
