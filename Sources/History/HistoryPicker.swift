public import TrackerCore

/// A position of a history.
public struct HistoryPosition: Sendable, Equatable {
  /// To the second.
  public var utc: UTC
  /// Millionths of a degree, 0.1 m.
  public var latitude: Int32
  public var longitude: Int32

  public init(utc: UTC, latitude: Int32, longitude: Int32) {
    (self.utc, self.latitude, self.longitude) = (utc, latitude, longitude)
  }

  init(utc: UTC, _ place: Coordinate) {
    self.init(
      utc: UTC(milliseconds: utc.milliseconds / 1000 * 1000), latitude: place.latitude / 10,
      longitude: place.longitude / 10)
  }
}

/// Why a slot of a history has no position; the last one known of several counts.
public enum HistoryGap: Int, Sendable, Equatable, CaseIterable {
  case notRecorded, noFix, clockUntrusted

  /// In the words that the server keeps.
  var name: String {
    switch self {
    case .notRecorded: "not recorded"
    case .noFix: "no fix"
    case .clockUntrusted: "clock untrusted"
    }
  }
}

/// Picks for each slot of a request the position next to its time, at most half a step away.
public struct HistoryPicker: Sendable {
  private enum Slot: Sendable {
    case missing(HistoryGap)
    /// With its distance in milliseconds.
    case found(HistoryPosition, Int64)
  }

  public let request: HistoryRequest
  private var slots: [Slot]

  public init(_ request: HistoryRequest) {
    self.request = request
    slots = Array(repeating: .missing(.notRecorded), count: request.slots)
  }

  /// The tracker was there.
  public mutating func see(_ place: Coordinate, at utc: UTC) {
    guard let index = slot(of: utc) else { return }
    let distance = abs(utc.milliseconds - time(of: index))
    if case .found(_, let other) = slots[index], other <= distance { return }
    slots[index] = .found(HistoryPosition(utc: utc, place), distance)
  }

  /// It was not known where the tracker was.
  public mutating func miss(_ gap: HistoryGap, at utc: UTC) {
    guard let index = slot(of: utc), case .missing(let known) = slots[index],
      known.rawValue < gap.rawValue
    else { return }
    slots[index] = .missing(gap)
  }

  private func time(of index: Int) -> Int64 {
    request.from.milliseconds + Int64(index) * request.step.count
  }

  private func slot(of utc: UTC) -> Int? {
    let half = request.step.count / 2
    let since = utc.milliseconds.subtractingReportingOverflow(request.from.milliseconds - half)
    guard !since.overflow, since.partialValue >= 0 else { return nil }
    let index = since.partialValue / request.step.count
    return index < slots.count ? Int(index) : nil
  }

  /// What was found, in parts of so many slots, so that the same slots are in the same part however
  /// often it is made.
  public var answer: HistoryAnswer {
    var answer = HistoryAnswer(slots: slots.count)
    for start in stride(from: 0, to: slots.count, by: HistoryBounds.slotsOfPart) {
      var positions: [HistoryPosition] = []
      for slot in slots[start..<min(slots.count, start + HistoryBounds.slotsOfPart)] {
        switch slot {
        case .found(let position, _): positions.append(position)
        case .missing(let gap): answer.missing[gap.rawValue] += 1
        }
      }
      guard !positions.isEmpty else { continue }
      answer.parts.append((start / HistoryBounds.slotsOfPart + 1, positions))
    }
    return answer
  }
}

/// The answer to a request.
public struct HistoryAnswer: Sendable {
  let slots: Int
  /// By their numbers, from 1; empty ones are none.
  public internal(set) var parts: [(number: Int, positions: [HistoryPosition])] = []
  /// Slots without a position, by `HistoryGap`.
  var missing = HistoryGap.allCases.map { _ in 0 }

  init(slots: Int) { self.slots = slots }

  /// `sent 238 of 240; missing: 1 not recorded, 1 no fix`, in the words that the server keeps.
  public var result: String {
    let found = parts.reduce(0) { $0 + $1.positions.count }
    let gaps = HistoryGap.allCases.filter { missing[$0.rawValue] > 0 }
      .map { "\(missing[$0.rawValue]) \($0.name)" }
    let why = gaps.isEmpty ? "" : "; missing: " + gaps.joined(separator: ", ")
    return "sent \(found) of \(slots)\(why)"
  }
}
