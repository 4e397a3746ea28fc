@testable import TrackerCore

/// Makes what a receiver says. Integers only, so that it is the same everywhere.
enum Sentences {
  /// RMC and GGA of one position report; without a date when `utc` is `nil`.
  static func report(
    _ place: Coordinate, accuracyMetres: Int32, hasFix: Bool = true, utc: UTC?,
    timeOfDay: Int64? = nil
  ) -> String {
    let time = clock(timeOfDay ?? (utc?.milliseconds ?? 0) % 86_400_000)
    let at = hasFix ? position(place) : ",,,"
    let hdop = "\(accuracyMetres * 20 / 100).\(padded(Int64(accuracyMetres * 20 % 100), 2))"
    let rmc = "GPRMC,\(time),\(hasFix ? "A" : "V"),\(at),0.0,0.0,\(utc.map(date) ?? ""),,"
    let gga = "GPGGA,\(time),\(at),\(hasFix ? 1 : 0),08,\(hasFix ? hdop : ""),500.0,M,47.0,M,,"
    return framed(rmc) + framed(gga)
  }

  static func framed(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0), ^)
    let digits = Array("0123456789ABCDEF")
    return "$\(body)*\(digits[Int(sum >> 4)])\(digits[Int(sum & 15)])\r\n"
  }

  private static func position(_ place: Coordinate) -> String {
    let north = place.latitude < 0 ? "S" : "N"
    let east = place.longitude < 0 ? "W" : "E"
    return "\(degrees(place.latitude, 2)),\(north),\(degrees(place.longitude, 3)),\(east)"
  }

  private static func degrees(_ value: Int32, _ digits: Int) -> String {
    let units = Int64(value.magnitude)
    let whole = units / 10_000_000
    // 1e-7 degree is 6e-6 minute.
    let minutes = units % 10_000_000 * 60
    let fraction = padded(minutes % 10_000_000 / 10, 6)
    return "\(padded(whole, digits))\(padded(minutes / 10_000_000, 2)).\(fraction)"
  }

  private static func clock(_ timeOfDay: Int64) -> String {
    // A leap second is 86 400 000 and up: 23:59:60.
    let isLeap = timeOfDay >= 86_400_000
    let second = isLeap ? 60 : timeOfDay / 1000 % 60
    let minute = isLeap ? 59 : timeOfDay / 60_000 % 60
    let hour = isLeap ? 23 : timeOfDay / 3_600_000
    let whole = "\(padded(hour, 2))\(padded(minute, 2))\(padded(second, 2))"
    return "\(whole).\(padded(timeOfDay % 1000, 3))"
  }

  /// ddmmyy, by H. Hinnant's civil_from_days.
  private static func date(_ utc: UTC) -> String {
    let days = utc.milliseconds / 86_400_000 + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let civilYear = year + era * 400 + (month <= 2 ? 1 : 0)
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    return padded(day, 2) + padded(month, 2) + padded(civilYear % 100, 2)
  }

  private static func padded(_ value: Int64, _ digits: Int) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
