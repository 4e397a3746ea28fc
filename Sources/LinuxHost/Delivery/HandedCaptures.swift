public import TrackerCore
public import Uplink

/// Captures that somebody brought in a file: of any number of devices, and of no store. They are
/// delivered one device after the other.
public final class HandedCaptures: DeliveryQueue {
  /// A device's captures that wait, in order of sequence: a few at the front that were in a batch
  /// before, and the rest, however many, which no batch has to move.
  private struct Device {
    var front: [OutgoingCapture] = []
    var rest: ArraySlice<OutgoingCapture>

    var count: Int { front.count + rest.count }
  }

  /// Those with captures that wait; the last one is the next.
  private var devices: [Device]
  public private(set) var refused = 0

  public init(_ captures: [OutgoingCapture]) {
    var places: [UniqueID: Int] = [:]
    var lists: [[OutgoingCapture]] = []
    for capture in captures {
      let place = places[capture.device] ?? lists.count
      if place == lists.count {
        places[capture.device] = place
        lists.append([])
      }
      lists[place].append(capture)
    }
    devices = lists.reversed().map { list in
      Device(rest: list.sorted { $0.capture.sequence < $1.capture.sequence }[...])
    }
  }

  public var waiting: Int { devices.reduce(0) { $0 + $1.count } }

  /// The oldest, whatever the selection: nobody waits for the freshest of a file.
  public func batch(_ selection: Selection, at now: UTC) -> [OutgoingCapture] {
    let limit =
      switch selection {
      case .freshest(let most), .oldest(let most): Int(most)
      }
    guard var device = devices.popLast() else { return [] }
    let more = device.rest.prefix(max(0, limit - device.front.count))
    device.rest = device.rest.dropFirst(more.count)
    device.front += more
    let batch = Array(device.front.prefix(limit))
    for place in batch.indices { device.front[place].wasSent = true }
    devices.append(device)
    return batch
  }

  public func take(_ result: UplinkResult, at now: UTC) -> Int {
    let count = remove(result.acknowledged)
    refused += remove(result.refused.map(\.key))
    renew(result.displaced)
    return count
  }

  public func refuse(_ keys: [CaptureKey], code: Int32, at now: UTC) {
    refused += remove(keys)
  }

  public func endBatch(at now: UTC) {}

  /// Other captures have these identifiers on the server.
  private func renew(_ keys: [CaptureKey]) {
    guard !keys.isEmpty, var device = devices.popLast() else { return }
    for place in device.front.indices where keys.contains(device.front[place].key) {
      device.front[place].id = UniqueID(
        replacing: device.front[place].id, of: device.front[place].capture)
    }
    devices.append(device)
  }

  private func remove(_ keys: [CaptureKey]) -> Int {
    guard !keys.isEmpty, var device = devices.popLast() else { return 0 }
    let gone = Set(keys)
    let before = device.front.count
    device.front.removeAll { gone.contains($0.key) }
    if device.count > 0 { devices.append(device) }
    return before - device.front.count
  }
}
