/// Identifies one capture within its store.
///
/// A store may hold captures of several devices (a card that moved to another board), so a sequence
/// number does not identify one. Keys are assigned in the order of storing, from 1 on, and never
/// reused.
public struct CaptureKey: Sendable, Hashable, Comparable {
  public var number: UInt32
  public init(_ number: UInt32) { self.number = number }

  /// No capture has this one.
  public static let none = CaptureKey(0)

  public static func < (left: CaptureKey, right: CaptureKey) -> Bool { left.number < right.number }
}

extension CaptureKey: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: UInt32) { self.init(value) }
}
