import Foundation

/// Made-up captures, and what they should look like when they come back.
enum Captures {
  static func uuid(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  static func x(_ number: Int) -> Double { 277_000.5 + Double(number) * 3.25 }
  static func y(_ number: Int) -> Double { 5_180_000.125 - Double(number) * 1.5 }
  static func time(_ number: Int) -> Int { 1_349_517_600_123 + number * 10_000 }

  /// The `features` of a request.
  static func text(_ numbers: Range<Int>, teams: Int = 3) -> String {
    let features = numbers.map { number in
      """
      {"geometry":{"x":\(x(number)),"y":\(y(number)),"spatialReference":{"wkid":102100}},\
      "attributes":{"CodiEquip":"d\(number % teams)","Equip":"Els Senglars \(number % teams)",\
      "Bateria":\(100 - number % 60),"Entrada":\(time(number)),"Tipus":"trailtracker",\
      "UUID":"\(uuid(number))","GlobalID":"{\(uuid(number))}"}}
      """
    }
    return "[\(features.joined(separator: ","))]"
  }

  /// Degrees by the formula of the projection's definition, for comparison.
  static func longitude(_ number: Int) -> Double { x(number) / 6_378_137 * 180 / .pi }
  static func latitude(_ number: Int) -> Double {
    atan(sinh(y(number) / 6_378_137)) * 180 / .pi
  }
}
