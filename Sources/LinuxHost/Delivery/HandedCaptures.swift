public import TrackerCore
public import Uplink

/// Captures that somebody brought in a file: of any number of devices, and of no store. They are
/// delivered one device after the other.
public final class HandedCaptures: DeliveryQueue {
  /// What waits, by device, in order of sequence.
  private var devices: [[OutgoingCapture]]
  public private(set) var refused = 0

  public init(_ captures: [OutgoingCapture]) {
    var places: [UniqueID: Int] = [:]
    devices = []
    for capture in captures {
      let place = places[capture.device] ?? devices.count
      if place == devices.count {
        places[capture.device] = place
        devices.append([])
      }
      devices[place].append(capture)
    }
    for place in devices.indices {
      devices[place].sort { $0.capture.sequence < $1.capture.sequence }
    }
  }

  public var waiting: Int { devices.reduce(0) { $0 + $1.count } }

  public func batch(_ selection: Selection, at now: UTC) -> [OutgoingCapture] {
    devices.removeAll { $0.isEmpty }
    guard let device = devices.first else { return [] }
    let places: Range<Int>
    switch selection {
    case .freshest(let limit): places = max(0, device.count - Int(limit))..<device.count
    case .oldest(let limit): places = 0..<min(device.count, Int(limit))
    }
    for place in places { devices[0][place].wasSent = true }
    return Array(device[places])
  }

  public func take(_ result: UplinkResult, at now: UTC) -> Int {
    let count = remove(result.acknowledged)
    refused += remove(result.refused.map(\.sequence))
    return count
  }

  public func refuse(_ sequences: [UInt32], code: Int32, at now: UTC) {
    refused += remove(sequences)
  }

  public func endBatch(at now: UTC) {}

  private func remove(_ sequences: [UInt32]) -> Int {
    guard !devices.isEmpty, !sequences.isEmpty else { return 0 }
    let gone = Set(sequences)
    let before = devices[0].count
    devices[0].removeAll { gone.contains($0.capture.sequence) }
    return before - devices[0].count
  }
}
