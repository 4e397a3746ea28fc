import Testing
import TrackerCore

@Suite struct WebMercatorTests {
  /// Computed with Python 3.11: R·radians(lon), R·log(tan(pi/4 + radians(lat)/2)).
  static let places: [(name: String, latitude: Int32, longitude: Int32, x: Double, y: Double)] = [
    ("Olot", 421_822_000, 24_890_000, 277074.212584, 5188311.314565),
    ("Girona", 419_794_000, 28_214_000, 314076.811324, 5157894.163259),
    ("Sant Feliu", 417_806_000, 30_281_000, 337086.550071, 5128170.835507),
    ("origin", 0, 0, 0.0, 0.0),
    ("date line east", 0, 1_800_000_000, 20037508.342789, 0.0),
    ("date line west", 0, -1_800_000_000, -20037508.342789, 0.0),
    ("limit north", 850_600_000, 0, 0.0, 20048966.104015),
    ("limit south", -850_600_000, 0, 0.0, -20048966.104015),
    ("one unit", 1, 1, 0.011132, 0.011132),
    ("Cape Horn", -559_833_000, -672_667_000, -7488094.791344, -7555091.876467),
    ("Null and 60", 600_000_000, 0, 0.0, 8399737.889818),
  ]

  @Test(arguments: places.map(\.name))
  func `A place comes out where the formulas put it`(_ name: String) throws {
    let place = try #require(Self.places.first { $0.name == name })
    let found = WebMercator(Coordinate(latitude: place.latitude, longitude: place.longitude))
    #expect(abs(found.x - place.x) < 1e-5, "\(name); repeat with --filter WebMercatorTests")
    #expect(abs(found.y - place.y) < 1e-5, "\(name); repeat with --filter WebMercatorTests")
  }

  @Test(arguments: [Int32.max, 900_000_000, 850_600_001])
  func `Beyond the limit every latitude is the limit's`(_ latitude: Int32) {
    let limit = WebMercator(Coordinate(latitude: 850_600_000, longitude: 0)).y
    #expect(WebMercator(Coordinate(latitude: latitude, longitude: 0)).y == limit)
    #expect(WebMercator(Coordinate(latitude: -latitude, longitude: 0)).y == -limit)
  }

  @Test func `No coordinate traps, and y grows with the latitude`() {
    var last = -Double.infinity
    for step in -9000...9000 {
      let latitude = Int32(step) * 100_000
      let y = WebMercator(Coordinate(latitude: latitude, longitude: .min)).y
      #expect(y > last || abs(latitude) >= WebMercator.latitudeLimit)
      last = y
    }
  }
}
