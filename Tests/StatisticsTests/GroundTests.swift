import Statistics
import Testing
import TrackerCore

/// Distances against GeographicLib 2.1 (C. Karney): pip install geographiclib, then for each pair
/// Geodesic.WGS84.Inverse(lat1, lon1, lat2, lon2)['s12'].
@Suite struct GroundTests {
  private static let vectors: [(a: (Int32, Int32), b: (Int32, Int32), metres: Double)] = [
    ((421_822_000, 24_890_000), (421_824_000, 24_890_000), 22.2154),
    ((421_822_000, 24_890_000), (421_822_000, 24_893_000), 24.7842),
    ((421_822_000, 24_890_000), (421_447_000, 24_606_000), 4781.0424),
    ((419_794_000, 28_214_000), (419_392_000, 28_425_000), 4795.5366),
    ((-339_000_000, 184_000_000), (-338_500_000, 185_000_000), 10786.9117),
    ((641_000_000, -219_000_000), (641_500_000, -218_000_000), 7402.6104),
    ((0, 1_799_900_000), (100_000, -1_799_900_000), 2485.8557),
  ]

  private func metres(_ a: (Int32, Int32), _ b: (Int32, Int32)) -> Double {
    SessionStatistics([
      TrackPoint(Coordinate(latitude: a.0, longitude: a.1)),
      TrackPoint(Coordinate(latitude: b.0, longitude: b.1)),
    ]).whole.metres
  }

  @Test func `A distance is that of a geodesic, within 1 in 100 000 and a millimetre`() {
    for (a, b, geodesic) in Self.vectors {
      let found = metres(a, b)
      #expect(
        abs(found - geodesic) <= 0.001 + geodesic * 1e-5,
        "\(a) - \(b): \(found), not \(geodesic); repeat with: swift test --filter GroundTests")
    }
  }

  @Test func `Over 63 km it is within 1 in 10 000`() {
    let found = metres((421_822_000, 24_890_000), (417_806_000, 30_281_000))
    #expect(abs(found / 63133.5879 - 1) < 1e-4, "\(found); swift test --filter GroundTests")
  }
}
