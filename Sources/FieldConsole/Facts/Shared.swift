/// A value that copies of its owner share until one of them changes it.
///
/// The compiler copies a struct part by part wherever it is stored or passed on: without this, the
/// copies of `TrackerFacts` alone were 600 KB of trackerctl.
@propertyWrapper
public struct Shared<Value: Sendable & Equatable & Codable>: Sendable, Equatable, Codable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  public init(wrappedValue: Value) { box = Box(wrappedValue) }

  public var wrappedValue: Value {
    get { box.value }
    set { box = Box(newValue) }
  }

  public static func == (one: Shared, other: Shared) -> Bool {
    one.box === other.box || one.box.value == other.box.value
  }

  public init(from decoder: any Decoder) throws { box = Box(try Value(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try box.value.encode(to: encoder) }
}
