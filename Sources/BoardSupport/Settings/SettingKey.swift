import JSONReading

/// A setting that people can change on a running tracker, by a short name.
public enum SettingKey: String, Sendable, CaseIterable, Codable {
  case interval, policy, every, accuracy, contacts, finish, language, reserve

  /// The setting of the configuration file that it changes.
  public var setting: Setting {
    switch self {
    case .interval: Settings.captureInterval
    case .policy: Settings.policy
    case .every: Settings.every
    case .accuracy: Settings.accuracy
    case .contacts: Settings.transmitInterval
    case .finish: Settings.finish
    case .language: Settings.language
    case .reserve: Settings.reserve
    }
  }

  /// Its place in the file: `capture.interval`.
  public var path: String { setting.path }

  public init?(path: String) {
    guard let key = Self.allCases.first(where: { $0.path == path }) else { return nil }
    self = key
  }

  /// The text that the program shows for a value, whatever way it was written: `5 min` for
  /// `300 s`.
  ///
  /// - Parameter zone: for dates.
  /// - Throws: if the value is not one of this setting's.
  func text(of node: FileNode, in zone: IANAZone?) throws(FileError) -> String {
    switch setting.form {
    case .quantity(let dimension, let range, let reason):
      return dimension.text(try node.quantity(dimension, in: range, reason))
    case .choice(let words): return try node.choice(words.map { ($0, $0) })
    case .boolean: return "\(try node.boolean())"
    // The finish is the only one.
    case .text: return FileNode.text(of: try node.date(in: zone), in: zone)
    }
  }
}

/// What a person wants instead of the file's value.
public struct OrderedValue: Sendable, Equatable {
  public var key: SettingKey
  /// As written in a file, without quotes.
  public var value: String

  public init(_ key: SettingKey, _ value: String) {
    self.key = key
    self.value = value
  }

  /// The place of the value; errors name the command instead of a file.
  var node: FileNode {
    FileNode(
      file: FileNode.File(path: "set \(key.rawValue)", outline: JSONOutline()), place: key.path,
      keyPath: key.path, value: .text(value))
  }
}
