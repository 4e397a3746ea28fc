public import TrackerCore

/// Numbers and times for people. Files, JSON and digests never use these.
public enum Quantity {
  /// With a decimal comma, except in English: `3,5`.
  public static func decimal(_ value: Double, _ decimals: Int, in language: Language) -> String {
    let text = Figure.fixed(value, decimals)
    return language == .english ? text : text.exchanging(".", for: ",")
  }

  /// From five digits on in groups of three, as each language has it: `12,345` in English,
  /// `12.345` in Catalan and Spanish, `12 345` in French.
  public static func integer(_ value: some BinaryInteger, in language: Language) -> String {
    let digits = String(value.magnitude)
    guard digits.count > 4 else { return String(value) }
    let mark =
      switch language {
      case .english: ","
      case .catalan, .spanish: "."
      case .french: "\u{00A0}"
      }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { text += mark }
      text.append(digit)
    }
    return value < 0 ? "-" + text : text
  }

  /// How long something takes or how long ago it was, by a countdown's rule: `0:07`, `3:12`,
  /// `1:03:12`; from a day on `2 d 03:12` (hours and minutes).
  public static func clock(_ time: Milliseconds) -> String {
    let seconds = max(0, time.count) / 1000
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
    if days > 0 { return "\(days) d \(two(hours % 24)):\(two(minutes % 60))" }
    if hours > 0 { return "\(hours):\(two(minutes % 60)):\(two(seconds % 60))" }
    return "\(minutes):\(two(seconds % 60))"
  }

  /// Hours, minutes and seconds, however many: `26:03:04`.
  public static func hours(_ time: Milliseconds) -> String {
    let seconds = time.count / 1000
    return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  /// Roughly, in the two largest units: `7 s`, `12 min`, `3 h 05 min`, `2 d 4 h`.
  public static func span(_ time: Milliseconds, in language: Language) -> String {
    let seconds = max(0, time.count) / 1000
    let minutes = seconds / 60
    let hours = minutes / 60
    let day = language == .french ? "j" : "d"
    if seconds < 120 { return "\(seconds) s" }
    if minutes < 120 { return "\(minutes) min" }
    if hours < 48 {
      return minutes % 60 == 0 ? "\(hours) h" : "\(hours) h \(two(minutes % 60)) min"
    }
    return hours % 24 == 0 ? "\(hours / 24) \(day)" : "\(hours / 24) \(day) \(hours % 24) h"
  }

  /// Bytes, in units of 1024: `512 B`, `12 KB`, `3.4 MB`, `56.7 GB`; in French octets.
  public static func bytes(_ count: Int64, in language: Language) -> String {
    let byte = language == .french ? "o" : "B"
    if count < 1024 { return "\(count) \(byte)" }
    if count < 1024 * 1024 { return "\((count + 512) / 1024) K\(byte)" }
    if count < 1024 * 1024 * 1024 {
      return decimal(Double(count) / 1_048_576, 1, in: language) + " M\(byte)"
    }
    return decimal(Double(count) / 1_073_741_824, 1, in: language) + " G\(byte)"
  }

  /// Degrees with five decimals, about a metre, with a point in every language, so that they can
  /// be copied to a map: `41.98311 2.82493`.
  public static func position(_ latitude: Int32, _ longitude: Int32) -> String {
    degrees(latitude) + " " + degrees(longitude)
  }

  private static func degrees(_ value: Int32) -> String {
    let rounded = (value.magnitude + 50) / 100
    let decimals = "\(100_000 + rounded % 100_000)".dropFirst()
    return (value < 0 ? "-" : "") + "\(rounded / 100_000).\(decimals)"
  }

  static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

/// Dates for people.
public enum CalendarText {
  /// `2012-10-06 10:00:00`, UTC.
  public static func text(_ utc: UTC) -> String {
    guard let time = CivilTime(utc) else { return "a date outside the calendar" }
    var bytes: [UInt8] = []
    time.forEachByte { bytes.append($0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0) }
    return String(decoding: bytes.prefix(19), as: UTF8.self)
  }
}
