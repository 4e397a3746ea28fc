public import TrackerCore

/// The newest captures, in memory that somebody else owns.
public struct CaptureRing: ~Copyable {
  private let places: UnsafeMutableBufferPointer<Capture>
  private(set) var count: Int32 = 0
  private var next = 0

  public init(_ places: UnsafeMutableBufferPointer<Capture>) { self.places = places }

  mutating func append(_ capture: Capture) {
    places.initializeElement(at: next, to: capture)
    next = (next + 1) % places.count
    count = min(count + 1, Int32(places.count))
  }

  /// From the oldest, which is 0.
  subscript(index: Int32) -> Capture {
    places[(next + places.count - Int(count) + Int(index)) % places.count]
  }
}
