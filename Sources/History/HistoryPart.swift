public import TrackerCore

/// A part of an answer, as a server's table has it: some of its positions in order, as one text.
///
/// `0,41982340,2823910;30,12,-45`: seconds, latitude and longitude in millionths of a degree; the
/// first position is complete, and its seconds are those since `begins`, the following ones tell
/// the difference to the one before.
public struct HistoryPart: Sendable, Equatable {
  /// Tells the part from every other one; the same each time it is sent.
  public var key: String
  /// The number of the order that asked for it.
  public var request: UInt32
  /// From 1.
  public var number: Int
  public var begins: UTC
  public var text: String

  public init(key: String, request: UInt32, number: Int, begins: UTC, text: String) {
    (self.key, self.request, self.number) = (key, request, number)
    (self.begins, self.text) = (begins, text)
  }

  /// - Parameters:
  ///   - request: the order's number, which a new table may give again at another time, `asked`.
  ///   - positions: not empty.
  public init(
    of device: UniqueID, request: UInt32, asked: UTC?, number: Int, _ positions: [HistoryPosition]
  ) {
    key = "\(device.lowercaseText)-\(asked?.milliseconds ?? 0)-\(request)-\(number)"
    (self.request, self.number) = (request, number)
    begins = positions.first?.utc ?? UTC(milliseconds: 0)
    var last = HistoryPosition(utc: begins, latitude: 0, longitude: 0)
    text = positions.map { position in
      defer { last = position }
      let seconds = (position.utc - last.utc).count / 1000
      let north = Int64(position.latitude) - Int64(last.latitude)
      let east = Int64(position.longitude) - Int64(last.longitude)
      return "\(seconds),\(north),\(east)"
    }.joined(separator: ";")
  }

  /// What it says; `nil`: it is not well formed.
  public var positions: [HistoryPosition]? {
    var positions: [HistoryPosition] = []
    var (utc, latitude, longitude) = (begins.milliseconds, Int64(0), Int64(0))
    guard text.utf8.count <= HistoryBounds.textBytes else { return nil }
    for entry in text.split(separator: ";") {
      let numbers = entry.split(separator: ",").compactMap { Int64($0) }
      guard numbers.count == 3, numbers.allSatisfy({ $0.magnitude <= 1_000_000_000 }) else {
        return nil
      }
      utc += numbers[0] * 1000
      latitude += numbers[1]
      longitude += numbers[2]
      guard abs(latitude) <= 90_000_000, abs(longitude) <= 180_000_000 else { return nil }
      positions.append(
        HistoryPosition(
          utc: UTC(milliseconds: utc), latitude: Int32(latitude), longitude: Int32(longitude)))
    }
    return positions
  }
}
