import JSONReading

/// A coordinate system as a client names it: Esri's object, or only its number.
struct SpatialReference: Sendable, Equatable, Decodable {
  /// The number under which Esri has always known it.
  var wkid: Int64?
  /// Its number today, most often EPSG's.
  var latestWkid: Int64?
  /// Its definition, for a system without a number.
  var wkt: String?

  init(wkid: Int64) { self.wkid = wkid }

  /// Reads `4326`, `EPSG:4326`, `{"wkid":4326}`, `{"latestWkid":3857}`, `{"wkt":"PROJCS[…]"}` or
  /// the bare text of a definition; `nil` if it is none of these.
  init?(parameter text: String) {
    let text = text.trimmed
    if text.hasPrefix("{") {
      guard
        let decoded = try? JSONDecoder().decode(SpatialReference.self, from: Array(text.utf8)),
        decoded.isGiven
      else { return nil }
      self = decoded
    } else if let wkid = Int64(
      text.lowercased().hasPrefix("epsg:") ? String(text.dropFirst(5)) : text)
    {
      self.wkid = wkid
    } else if text.contains("[") {
      wkt = text
    } else {
      return nil
    }
  }

  /// Whether it names anything: an empty object stands for the layer's own.
  var isGiven: Bool { wkid != nil || latestWkid != nil || wkt != nil }

  /// As it is written into an answer: as the client named it.
  var body: JSON {
    var members: [(String, JSON)] = []
    if let wkt, wkid == nil, latestWkid == nil { members.append(("wkt", .text(wkt))) }
    if let first = wkid ?? latestWkid { members.append(("wkid", .integer(first))) }
    if let last = latestWkid ?? wkid { members.append(("latestWkid", .integer(last))) }
    return .object(members)
  }

  /// For errors.
  var summary: String {
    (wkid ?? latestWkid).map { "wkid \($0)" } ?? "wkt \(wkt?.prefix(40) ?? "")"
  }

  /// The system that it names.
  ///
  /// - Parameter systems: what the host knows beyond degrees and Web Mercator.
  /// - Returns: `nil` if it is unknown.
  func projection(_ systems: (any CoordinateSystems)?) -> Projection? {
    let numbers = [wkid, latestWkid].compactMap { $0 }
    for number in numbers {
      if let projection = Projection(wkid: number) { return projection }
    }
    guard let systems else { return nil }
    // Esri's own numbers are unknown to EPSG's register; the newest one comes first.
    for number in numbers.reversed() {
      if let found = systems.system(code: number) {
        return .other(OtherSystem(reference: self, transformation: found))
      }
    }
    // Of a system with a number, a definition can only be another way to say the same.
    guard let wkt, wkt.utf8.count <= Bounds.wktBytes, let found = systems.system(wkt: wkt) else {
      return nil
    }
    return .other(OtherSystem(reference: self, transformation: found))
  }
}
