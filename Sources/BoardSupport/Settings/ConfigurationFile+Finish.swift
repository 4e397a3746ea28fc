import TrackerCore
import Wording

extension ConfigurationFile {
  /// Reads when the race is over, and when the session ends.
  mutating func readFinish(_ root: FileNode) throws(FileError) {
    let zone = try root.optional(Settings.timeZone).map { node throws(FileError) in
      try node.timeZone()
    }
    timeZone = zone?.name
    let after = root.optional(Settings.finishAfter)
    if let after {
      configuration.finish = .after(try after.duration(Settings.finishAfter))
    }
    if let node = root.optional(Settings.finish) {
      if let after {
        throw after.error(FilePhrase.withFinish.texts)
      }
      configuration.finish = .at(try node.date(in: zone))
    }
    guard let node = root.optional(Settings.endAfterFinish) else { return }
    guard configuration.finish != nil else {
      throw node.error(FilePhrase.needsFinish.texts("\"2026-04-19T14:00\""))
    }
    if case .text("never") = node.value {
      configuration.endAfterFinish = nil
    } else {
      configuration.endAfterFinish = try node.duration(Settings.endAfterFinish)
    }
  }

  /// Checks that the finish is not in the past, for a person who prepares a race. A tracker does
  /// not check this, because it may restart during or after the race.
  ///
  /// - Parameter path: the path of this file, for errors.
  /// - Throws: if the finish is in the past.
  public func checkFinish(at now: UTC, path: String) throws(FileError) {
    guard case .at(let utc) = configuration.finish, utc <= now else { return }
    throw FileError(
      path: path, keyPath: "finish",
      message: FilePhrase.past.texts)
  }
}
