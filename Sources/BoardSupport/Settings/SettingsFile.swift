import TrackerCore
import Wording

/// A configuration file, to be read with other values in some of its places.
public struct SettingsFile: Sendable {
  private let root: FileNode
  /// For its defaults; `nil`: the core's.
  private let board: BoardDescription?
  /// The file as it is.
  public let plain: SettingsReading

  /// - Throws: for the first mistake in the file, except in the daemon's own settings.
  public init(_ root: FileNode, on board: BoardDescription? = nil) throws(FileError) {
    self.root = root
    self.board = board
    plain = try SettingsReading(root, on: board)
  }

  /// A file without any settings.
  public init() {
    root = MergedFile().root(path: "")
    board = nil
    plain = SettingsReading(of: root)
  }

  /// The settings with some values replaced.
  ///
  /// Members of `capture` that do not belong to the policy in force have no effect: an ordered
  /// policy takes the place of the file's with all that belongs to it. An ordered finish takes the
  /// place of `finish` and of `finishAfter`.
  ///
  /// - Parameters:
  ///   - orders: at most one for each key.
  ///   - new: the one that is being given. It must belong to the policy, except `every`, which the
  ///     policy `route` needs first.
  /// - Throws: if the values are impossible, or impossible together with the file.
  public func reading(
    _ orders: [OrderedValue], giving new: SettingKey? = nil
  ) throws(FileError) -> SettingsReading {
    if orders.isEmpty { return plain }
    for order in orders { _ = try text(of: order) }
    return try SettingsReading(merged(orders, giving: new), on: board)
  }

  /// The text that the program shows for an ordered value.
  ///
  /// - Throws: if it is not one of the setting's.
  public func text(of order: OrderedValue) throws(FileError) -> String {
    try order.key.text(of: order.node, in: plain.zone)
  }

  /// The value that the file has for a setting; empty: none. If it changes, the file was edited.
  public func written(_ key: SettingKey) -> String { plain.written(key) ?? "" }

  private func merged(_ orders: [OrderedValue], giving new: SettingKey?) -> FileNode {
    let policy =
      orders.first { $0.key == .policy }?.value ?? plain.text(of: .policy) ?? ""
    // In errors about `capture` as a whole, the first one stands for the section.
    let sorted = orders.filter { $0.key == .policy } + orders.filter { $0.key != .policy }
    let used = sorted.filter {
      CapturePolicy.takes(policy, $0.key.path) || $0.key == new && new != .every
    }
    var file = MergedFile()
    for order in used {
      let section = order.key.setting.section
      file.put(order.node, at: order.key.setting.key, in: section.isEmpty ? nil : section)
    }
    for (key, node) in root.children {
      switch key {
      case Settings.finishAfter.key where orders.contains { $0.key == .finish }: continue
      case "capture":
        for (inner, child) in node.children
        where CapturePolicy.takes(policy, child.keyPath)
          && !used.contains(where: { $0.key.path == child.keyPath })
        {
          file.put(child, at: inner, in: key)
        }
      default: file.put(node, at: key)
      }
    }
    let changesCapture = used.contains { $0.key.setting.section == "capture" }
    if changesCapture, root.optional("capture") == nil, !used.contains(where: { $0.key == .policy })
    {
      file.put(
        OrderedValue(.policy, policy).node, at: Settings.policy.key, in: Settings.policy.section)
    }
    return file.root(path: root.file.path)
  }
}

/// What a configuration file says, except the daemon's paths, ports and server.
public struct SettingsReading: Sendable {
  public private(set) var core = ConfigurationFile()
  /// `nil`: not given.
  public var language: Language? { core.language }
  /// For dates without an offset.
  let zone: IANAZone?
  private let root: FileNode

  fileprivate init(of root: FileNode) {
    self.root = root
    zone = nil
  }

  fileprivate init(_ root: FileNode, on board: BoardDescription?) throws(FileError) {
    self.root = root
    core = try ConfigurationFile(root)
    if let board { core.adoptDefaults(of: board) }
    zone = try root.optional(Settings.timeZone).map { node throws(FileError) in
      try node.timeZone()
    }
  }

  /// The value of a setting, which may be its default; `nil`: it has none, or it does not belong to
  /// the policy. A finish that counts from the start is `after 24 h`.
  public func text(of key: SettingKey) -> String? {
    guard takes(key) else { return nil }
    if let text = written(key) { return text }
    return key.setting.standard.isEmpty ? nil : key.setting.standard
  }

  /// Whether the policy in force uses the setting.
  public func takes(_ key: SettingKey) -> Bool {
    key == .policy || CapturePolicy.takes(text(of: .policy) ?? "", key.path)
  }

  /// The value that stands in the file.
  fileprivate func written(_ key: SettingKey) -> String? {
    let section = key.setting.section
    let parent = section.isEmpty ? root : root.optional(section)
    if let node = parent?.optional(key.setting) { return try? key.text(of: node, in: zone) }
    guard key == .finish, case .after(let length) = core.configuration.finish else { return nil }
    return "after \(Dimension.duration.text(length.count))"
  }
}
