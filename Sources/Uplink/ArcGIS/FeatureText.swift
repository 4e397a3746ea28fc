import TrackerCore
import Wording

/// Captures as features (Esri REST: "Feature object", "Domain and field types").
///
/// - A date is milliseconds since 1970, or text in the newer kinds of field (Esri REST, "Date,
///   time, and timestamp fields"): UTC with its offset, or the day in UTC. An untrusted date is not
///   sent: the attribute is null, or 1970 if the layer does not accept null. The point itself is
///   sent.
/// - A battery percentage before the first measurement is null, or -1 if the layer does not accept
///   null; so are metres of a course that the tracker is not on, and an accuracy that it does not
///   know.
struct FeatureText {
  var layer: Layer
  var kind: String
  var deviceCode: String?
  var nextContactBy: UTC?
  var silence = PlannedSilence.none

  /// The array of features, in the order of `captures`.
  func bytes(of captures: [OutgoingCapture]) -> [UInt8] {
    var text = JSONText()
    text.array { text in
      for capture in captures { write(capture, to: &text) }
    }
    return text.bytes
  }

  private func write(_ outgoing: OutgoingCapture, to text: inout JSONText) {
    let capture = outgoing.capture
    text.object { text in
      text.key("geometry")
      if let position = capture.position {
        text.object { write(position, capture.altitudeMillimetres, to: &$0) }
      } else {
        text.null()
      }
      text.key("attributes")
      text.object { text in
        write(deviceCode ?? outgoing.device.lowercaseText, to: layer.fields.device, &text)
        write(capture.team.text, to: layer.fields.team, &text)
        let battery = capture.batteryPercent.map { Int64($0) }
        write(battery, missing: -1, to: layer.fields.battery, &text)
        write(date: capture.isTimeTrusted ? capture.utc : nil, to: layer.fields.time, &text)
        write(kind, to: layer.fields.kind, &text)
        write(Int64(capture.sequence), missing: 0, to: layer.fields.sequence, &text)
        write(date: nextContactBy, to: layer.fields.nextContact, &text)
        let mark = capture.mark
        write(mark.map { Int64($0.doneMetres) }, missing: -1, to: layer.fields.done, &text)
        write(mark.map { Int64($0.toGoMetres) }, missing: -1, to: layer.fields.toGo, &text)
        write(orNull: outgoing.placeName, to: layer.fields.place, &text)
        let trigger = outgoing.asksForHelp ? "emergency" : "\(capture.trigger.name)"
        write(trigger, to: layer.fields.trigger, &text)
        write(orNull: silence.name.map { "\($0)" }, to: layer.fields.silence, &text)
        let accuracy = capture.accuracyMetres.map { Int64($0) }
        write(accuracy, missing: -1, to: layer.fields.accuracy, &text)
        write(outgoing.id, to: layer.identifier, &text)
        if let extra = layer.extraIdentifier { write(outgoing.id, to: extra, &text) }
      }
    }
  }

  private func write(_ position: Coordinate, _ altitude: Int32?, to text: inout JSONText) {
    let place = WebMercator(position).tenthsOfMillimetre
    text.key("x")
    text.decimal(place.x, places: 4)
    text.key("y")
    text.decimal(place.y, places: 4)
    if layer.needsHeight {
      text.key("z")
      text.decimal(Int64(altitude ?? 0), places: 3)
    }
    text.key("spatialReference")
    text.object { text in
      text.key("wkid")
      text.integer(102_100)
    }
  }

  /// Cut to the field's length, so that a long name does not prevent the upload.
  private func write(_ value: String, to field: Layer.Attribute?, _ text: inout JSONText) {
    guard let field else { return }
    text.key(field.name)
    // A text never has more units than bytes.
    guard let length = field.length, length > 0, value.utf8.count > length else {
      return text.string(value)
    }
    // Databases count code points or UTF-16 units; there are never fewer of the latter.
    var units = 0
    var kept = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      units += scalar.value > 0xFFFF ? 2 : 1
      if units > length { break }
      kept.append(scalar)
    }
    text.string(String(kept))
  }

  /// Without a value an empty text, where the layer takes no null.
  private func write(orNull value: String?, to field: Layer.Attribute?, _ text: inout JSONText) {
    guard value == nil, let field, field.isNullable else {
      return write(value ?? "", to: field, &text)
    }
    text.key(field.name)
    text.null()
  }

  private func write(
    _ value: Int64?, missing: Int64, to field: Layer.Attribute?, _ text: inout JSONText
  ) {
    guard let field else { return }
    text.key(field.name)
    guard let value = value ?? (field.isNullable ? nil : missing) else { return text.null() }
    switch field.storage {
    case .text, .guid, .timestamp, .day: text.string(String(value))
    case .number, .date: text.integer(value)
    }
  }

  private func write(date: UTC?, to field: Layer.Attribute?, _ text: inout JSONText) {
    guard let field else { return }
    let isText = [.text, .timestamp, .day].contains(field.storage)
    // 1970, where the layer takes no null. A text field keeps what it always had for it: 0.
    let known = date ?? (field.isNullable || field.storage == .text ? nil : UTC(milliseconds: 0))
    guard isText, let known, let written = HTTPDate.iso8601(known) else {
      return write(date?.milliseconds, missing: 0, to: field, &text)
    }
    text.key(field.name)
    switch field.storage {
    case .timestamp: text.string(written.dropLast() + "+00:00")
    case .day: text.string(String(written.prefix(10)))
    case .number, .date, .text, .guid: text.string(written)
    }
  }

  private func write(_ id: UniqueID, to field: Layer.Attribute, _ text: inout JSONText) {
    text.key(field.name)
    text.string(Self.form(of: id, in: field))
  }

  /// A GUID field has its own form; a text field keeps the text as sent.
  static func form(of id: UniqueID, in field: Layer.Attribute) -> String {
    field.storage == .guid ? id.bracedText : id.lowercaseText
  }
}

extension WebMercator {
  /// In units of 0.1 mm, as requests carry them.
  var tenthsOfMillimetre: (x: Int64, y: Int64) {
    (Int64((x * 10_000).rounded()), Int64((y * 10_000).rounded()))
  }
}
