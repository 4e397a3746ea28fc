import Foundation
import Testing

@testable import TrackerCore

@Suite struct DistanceTests {
  /// Haversine on the same sphere, millimetres.
  private func haversine(_ a: Coordinate, _ b: Coordinate) -> Double {
    func radians(_ units: Int32) -> Double { Double(units) / 1e7 * .pi / 180 }
    let north = sin((radians(b.latitude) - radians(a.latitude)) / 2)
    let east = sin((radians(b.longitude) - radians(a.longitude)) / 2)
    let chord = north * north + cos(radians(a.latitude)) * cos(radians(b.latitude)) * east * east
    return 2 * 6_371_008_800 * asin(min(1, chord.squareRoot()))
  }

  @Test func `Below 100 km it agrees with haversine within 0.3 percent, wherever people walk`() {
    var seeded = Seeded(1)
    for _ in 0..<20_000 {
      let latitude = Int32(Int64(seeded.next() % 1_300_000_000) - 650_000_000)
      let longitude = Int32(Int64(seeded.next() % 3_600_000_000) - 1_800_000_000)
      let a = Coordinate(latitude: latitude, longitude: longitude)
      // From a metre to some 60 km each way.
      let reach = Int64(1) << Int64(4 + seeded.next() % 19)
      let north = Int64(seeded.next() % UInt64(2 * reach)) - reach
      let east = Int64(seeded.next() % UInt64(2 * reach)) - reach
      var turned = Int64(longitude) + east
      if turned > 1_800_000_000 { turned -= 3_600_000_000 }
      if turned < -1_800_000_000 { turned += 3_600_000_000 }
      let b = Coordinate(latitude: Int32(Int64(latitude) + north), longitude: Int32(turned))
      let expected = haversine(a, b)
      let error = abs(Double(a.distanceMillimetres(to: b)) - expected)
      // Rounding down of units of 11 mm.
      #expect(error <= expected * 0.003 + 30, again(Self.self, "\(a) to \(b): \(expected) mm;"))
    }
  }

  @Test func `What is certainly nearer is, and of a walker's steps most are seen to be`() {
    var seeded = Seeded(5)
    var seen = 0
    for _ in 0..<20_000 {
      let from = Coordinate(
        latitude: Int32(Int64(seeded.next() % 1_800_000_000) - 900_000_000),
        longitude: Int32(Int64(seeded.next() % 3_600_000_000) - 1_800_000_000))
      let step = Int64(seeded.next() % 400) - 200
      let to = Coordinate(
        latitude: Int32(clamping: Int64(from.latitude) + step),
        longitude: Int32(clamping: Int64(from.longitude) + Int64(seeded.next() % 400) - 200))
      let millimetres = Int64(seeded.next() % 5000)
      let isNearer = from.isNearer(than: millimetres, to: to)
      if isNearer { seen += 1 }
      #expect(
        !isNearer || from.distanceMillimetres(to: to) < millimetres,
        again(Self.self, "\(from) to \(to), \(millimetres) mm;"))
      #expect(from.isNearer(than: 5000, to: to), again(Self.self, "\(from) to \(to);"))
    }
    #expect(seen > 5000, again(Self.self, "\(seen)"))
  }

  @Test func `It is the same both ways and across the antimeridian`() {
    let fiji = Coordinate(latitude: -170_000_000, longitude: 1_799_999_000)
    let east = Coordinate(latitude: -170_000_000, longitude: -1_799_999_000)
    let metres = fiji.distanceMetres(to: east)
    #expect(metres == 21, again(Self.self, "\(metres) m;"))
    #expect(fiji.distanceMillimetres(to: east) == east.distanceMillimetres(to: fiji))
  }

  @Test func `At a pole every longitude is the same place`() {
    for latitude: Int32 in [900_000_000, -900_000_000] {
      let a = Coordinate(latitude: latitude, longitude: 0)
      let b = Coordinate(latitude: latitude, longitude: 1_800_000_000)
      #expect(a.distanceMetres(to: b) < 50, again(Self.self))
    }
  }

  @Test func `No coordinates trap, and no distance is negative`() {
    let extremes: [Int32] = [
      .min, .min + 1, -1_800_000_000, -900_000_000, -1, 0, 1, 900_000_000, 1_800_000_000, .max,
    ]
    for a in extremes {
      for b in extremes {
        for c in extremes {
          for d in extremes {
            let from = Coordinate(latitude: a, longitude: b)
            let to = Coordinate(latitude: c, longitude: d)
            let distance = from.distanceMillimetres(to: to)
            #expect(distance >= 0 && from.distanceMetres(to: to) >= 0, again(Self.self))
          }
        }
      }
    }
    let far = Coordinate(latitude: 900_000_000, longitude: 0).distanceMillimetres(
      to: Coordinate(latitude: -900_000_000, longitude: 0))
    #expect(far > 19_900_000_000 && far < 20_100_000_000, again(Self.self))
  }

  @Test func `The cosine is off by less than two millionths`() {
    for tenths in Int64(-900)...900 {
      let latitude = tenths * 1_000_000
      let exact = cos(Double(latitude) / 1e7 * .pi / 180) * 1e6
      let value = Double(Coordinate.cosineMillionths(latitude))
      #expect(abs(value - exact) < 2, again(Self.self, "at \(latitude): \(value), \(exact);"))
    }
    #expect(Coordinate.cosineMillionths(.max) == Coordinate.cosineMillionths(900_000_000))
  }

  @Test func `The square root is exact`() {
    var seeded = Seeded(9)
    var values: [UInt64] = [0, 1, 2, 3, 4, 8, 9, 15, 16, .max, .max - 1]
    for bit in UInt64(0)..<32 {
      let root = UInt64(1) << bit
      values += [root * root, root * root - 1, root * root + 1]
    }
    for _ in 0..<5000 { values.append(seeded.next() >> (seeded.next() % 64)) }
    for value in values {
      let root = UInt64(Coordinate.squareRoot(value))
      let (next, isBeyond) = (root + 1).multipliedReportingOverflow(by: root + 1)
      let isExact = root * root <= value && (isBeyond || next > value)
      #expect(isExact, again(Self.self, "root of \(value): \(root);"))
    }
  }

  @Test func `Noise at rest does not walk, a walk is counted whole`() {
    var seeded = Seeded(3)
    var odometer = Odometer()
    for _ in 0..<5000 {
      odometer.move(to: .olot.north(Int64(seeded.next() % 18)), accuracyMetres: 5)
    }
    #expect(odometer.millimetres == 0, again(Self.self))
    for metre in Int64(0)...10_000 { odometer.move(to: .olot.north(metre), accuracyMetres: 5) }
    #expect(abs(odometer.millimetres - 10_000_000) < 40_000, again(Self.self))
  }

  static let steps: [(metres: Int64, accuracy: Int32?, counted: Int64)] = [
    (19, nil, 0), (21, nil, 21), (49, 50, 0), (51, 50, 51), (51, .max, 0),
    (21, .min, 21),
  ]

  @Test(arguments: steps)
  func `A step counts from 20 m on, or from the accuracy where that is worse`(
    _ metres: Int64, _ accuracy: Int32?, _ expected: Int64
  ) {
    var odometer = Odometer()
    odometer.move(to: .olot, accuracyMetres: accuracy)
    odometer.move(to: .olot.north(metres), accuracyMetres: accuracy)
    let isNear = abs(odometer.millimetres - expected * 1000) < 100
    #expect(isNear, again(Self.self, "\(odometer.millimetres) mm;"))
  }
}
