import JSONReading
import TrackerCore

// Values as all export formats write them: from integers, without floating point.
extension LineWriter {
  mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// `value` / 10^places with `places` decimals: `decimal(-5, places: 3)` is `-0.005`.
  mutating func decimal(_ value: some BinaryInteger, places: Int) {
    let negative = value < 0
    var rest = UInt64(value.magnitude)
    let start = bytes.count
    var count = 0
    repeat {
      if count == places, places > 0 { bytes.append(UInt8(ascii: ".")) }
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      count += 1
    } while rest > 0 || count <= places
    if negative { bytes.append(UInt8(ascii: "-")) }
    bytes[start...].reverse()
  }

  mutating func latitude(_ capture: Capture) { decimal(capture.position.latitude, places: 7) }
  mutating func longitude(_ capture: Capture) { decimal(capture.position.longitude, places: 7) }

  /// `0b6f…-….`: 36 characters in lower case (RFC 9562 §4).
  mutating func uuid(_ id: UniqueID) {
    let characters = id.text()
    for index in characters.indices { bytes.append(characters[index]) }
  }

  /// `2026-04-18T09:30:00.250Z` (RFC 3339); nothing for a date outside the years 0 to 9999.
  mutating func date(_ utc: UTC) {
    guard let time = CivilTime(utc) else { return }
    time.forEachByte { bytes.append($0) }
  }

  // MARK: The course

  /// For XML, of a capture with a mark: `Amer, km 38.600, 62.400 km to go`.
  mutating func whereabouts(_ exported: ExportedCapture) {
    guard let mark = exported.capture.mark else { return }
    if let place = exported.placeName {
      xml(place)
      text(", ")
    }
    text("km ")
    decimal(mark.doneMetres, places: 3)
    text(", ")
    decimal(mark.toGoMetres, places: 3)
    text(" km to go")
  }

  /// For XML, of a capture that was taken for a place: `Els Senglars, entered: Amer, km 38.600, …`.
  mutating func passage(_ exported: ExportedCapture, of team: Team) {
    if !team.name.isEmpty {
      xml(team.name)
      text(", ")
    }
    text(exported.capture.trigger.name)
    text(": ")
    whereabouts(exported)
  }

  // MARK: Text that came from outside

  /// For XML 1.0, inside elements and attributes. Characters that XML does not allow become
  /// `\u{FFFD}`.
  mutating func xml(_ string: String) {
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": text("&amp;")
      case "<": text("&lt;")
      case ">": text("&gt;")
      case "\"": text("&quot;")
      // As references, because XML would normalise them to spaces and line feeds.
      case "\t": text("&#9;")
      case "\n": text("&#10;")
      case "\r": text("&#13;")
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": text("\u{FFFD}")
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
  }

  /// A JSON string with its quotes (RFC 8259 §7).
  mutating func json(_ string: String) { bytes.appendJSON(string) }

  /// A field of CSV (RFC 4180), quoted if necessary.
  ///
  /// A spreadsheet takes a text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for
  /// a formula and evaluates it. Such a text gets a leading apostrophe, and so does one that begins
  /// with an apostrophe, so that an import can always remove exactly one.
  mutating func csvField(_ string: String) {
    let isRisky = string.utf8.first.map { "=+-@\t\r'".utf8.contains($0) } ?? false
    let needsQuotes =
      string.utf8.contains { $0 < 0x20 || "\",".utf8.contains($0) }
      || string.hasPrefix(" ") || string.hasSuffix(" ")
    if needsQuotes { text("\"") }
    if isRisky { text("'") }
    for byte in string.utf8 {
      if byte == UInt8(ascii: "\"") { text("\"") }
      bytes.append(byte)
    }
    if needsQuotes { text("\"") }
  }
}
