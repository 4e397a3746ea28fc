/// The log that the bench decodes: a walk with RMC, VTG, GGA, GSA and three GSV each second, as
/// common receivers send them. The bytes depend on the number of seconds only.
struct BenchData {
  private(set) var bytes: [UInt8] = []
  private var sum: UInt8 = 0
  private var state: UInt64 = 0x5EED

  init(seconds: Int) {
    bytes.reserveCapacity(seconds * 470)
    var latitude = 42_182_910
    var longitude = 2_490_440
    var altitude = 4_436
    for second in 0..<seconds {
      latitude += random(41) - 22
      longitude += random(41) - 17
      altitude = max(0, altitude + random(7) - 3)
      let speed = random(350)
      let track = random(36_000)
      let clock = 36_000 + second
      rmc(clock, latitude, longitude, speed, track)
      begin("GPVTG,")
      decimal(track, 2)
      text(",T,,M,")
      decimal(speed, 2)
      text(",N,")
      decimal(speed * 1852 / 1000, 2)
      text(",K,A")
      end()
      gga(clock, latitude, longitude, altitude)
      begin("GPGSA,A,3,")
      text("04,05,09,12,17,24,25,29,31,,,,")
      text("1.9,0.9,1.6")
      end()
      for part in 1...3 { gsv(part) }
    }
  }

  /// A linear congruential generator (Knuth's MMIX constants); 0..<limit.
  private mutating func random(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  private mutating func rmc(_ clock: Int, _ latitude: Int, _ longitude: Int, _ v: Int, _ t: Int) {
    begin("GPRMC,")
    time(clock)
    text(",A,")
    position(latitude, longitude)
    decimal(v, 2)
    text(",")
    decimal(t, 2)
    text(",")
    number(4 + clock / 86_400, 2)
    text("0426,,,A")
    end()
  }

  private mutating func gga(_ clock: Int, _ latitude: Int, _ longitude: Int, _ altitude: Int) {
    begin("GPGGA,")
    time(clock)
    text(",")
    position(latitude, longitude)
    text("1,09,0.9,")
    decimal(altitude, 1)
    text(",M,49.0,M,,")
    end()
  }

  private mutating func gsv(_ part: Int) {
    begin("GPGSV,3,")
    number(part, 1)
    text(",12")
    for place in 0..<4 {
      text(",")
      number(part * 8 + place, 2)
      text(",")
      number(10 + random(80), 2)
      text(",")
      number(random(360), 3)
      text(",")
      if random(4) > 0 { number(20 + random(30), 2) }
    }
    end()
  }

  private mutating func begin(_ address: StaticString) {
    bytes.append(0x24)
    sum = 0
    text(address)
  }

  private mutating func end() {
    let digits: StaticString = "0123456789ABCDEF"
    bytes.append(0x2A)
    bytes.append(digits.utf8Start[Int(sum >> 4)])
    bytes.append(digits.utf8Start[Int(sum & 15)])
    bytes.append(0x0D)
    bytes.append(0x0A)
  }

  private mutating func put(_ byte: UInt8) {
    sum ^= byte
    bytes.append(byte)
  }

  private mutating func text(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { put(text.utf8Start[index]) }
  }

  private mutating func number(_ value: Int, _ digits: Int) {
    var scale = 1
    for _ in 1..<digits { scale *= 10 }
    while scale > 0 {
      put(0x30 + UInt8(value / scale % 10))
      scale /= 10
    }
  }

  private mutating func decimal(_ value: Int, _ places: Int) {
    let scale = places == 1 ? 10 : 100
    let whole = value / scale
    number(whole, whole > 999 ? 4 : whole > 99 ? 3 : whole > 9 ? 2 : 1)
    text(".")
    number(value % scale, places)
  }

  private mutating func time(_ clock: Int) {
    let inDay = clock % 86_400
    number(inDay / 3600, 2)
    number(inDay / 60 % 60, 2)
    number(inDay % 60, 2)
    text(".000")
  }

  /// Takes millionths of a degree, writes degrees and minutes with four decimals.
  private mutating func position(_ latitude: Int, _ longitude: Int) {
    number(latitude / 1_000_000, 2)
    minutes(latitude % 1_000_000)
    text(",N,")
    number(longitude / 1_000_000, 3)
    minutes(longitude % 1_000_000)
    text(",E,")
  }

  private mutating func minutes(_ millionths: Int) {
    let scaled = millionths * 60 / 100
    number(scaled / 10_000, 2)
    text(".")
    number(scaled % 10_000, 4)
  }
}
