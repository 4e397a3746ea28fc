import TrackerCore

/// One key of a configuration file: its possible values and its meaning.
public struct Setting: Sendable {
  public enum Form: Sendable {
    /// A quantity, with its range in the integer unit of its dimension, and the reason for the
    /// range.
    case quantity(Dimension, ClosedRange<Int64>, String)
    case choice([String])
    case boolean
    /// Anything else, described in words.
    case text(String)
  }

  /// Including its section: `transmit.interval`.
  public let path: String
  public let form: Form
  /// The default, as written in a file; empty: none.
  public let standard: String
  public let meaning: String

  init(_ path: String, _ form: Form, _ standard: String, _ meaning: String) {
    self.path = path
    self.form = form
    self.standard = standard
    self.meaning = meaning
  }

  init(_ path: String, _ form: Form, _ meaning: String) { self.init(path, form, "", meaning) }

  /// The last part of its path.
  public var key: String { String(path.split(separator: ".").last ?? "") }
  /// The path before the key; empty on the first level.
  var section: String { path.split(separator: ".").dropLast().joined(separator: ".") }

  /// A length of time.
  static func duration(
    _ path: String, _ range: ClosedRange<Milliseconds>, _ standard: Milliseconds? = nil,
    because reason: String = "", _ meaning: String
  ) -> Setting {
    let counts = range.lowerBound.count...range.upperBound.count
    return Setting(
      path, .quantity(.duration, counts, reason),
      standard.map { Dimension.duration.text($0.count) } ?? "", meaning)
  }

  static func quantity(
    _ path: String, _ dimension: Dimension, _ range: ClosedRange<Int64>, _ standard: Int32? = nil,
    because reason: String = "", _ meaning: String
  ) -> Setting {
    Setting(
      path, .quantity(dimension, range, reason), standard.map { dimension.text(Int64($0)) } ?? "",
      meaning)
  }
}

extension FileNode {
  /// The member of an object for a setting.
  func optional(_ setting: Setting) -> FileNode? { optional(setting.key) }

  /// A quantity, in the range of its setting.
  func quantity<Number: FixedWidthInteger>(_ setting: Setting) throws(FileError) -> Number {
    guard case .quantity(let dimension, let range, let reason) = setting.form else {
      preconditionFailure("\(setting.path) is not a quantity")
    }
    return Number(try quantity(dimension, in: range, reason) as Int64)
  }

  func duration(_ setting: Setting) throws(FileError) -> Milliseconds {
    Milliseconds(try quantity(setting))
  }

  /// Checks that there are no other keys than those of a section.
  func checkKeys(of section: String) throws(FileError) {
    try checkKeys(Settings.keys(of: section))
  }
}
