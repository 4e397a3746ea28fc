import TrackerCore

extension ConfigurationFile {
  /// When the race is over, and what becomes of the session then.
  mutating func readFinish(_ root: FileNode) throws(FileError) {
    let zone = try root.optional(Settings.timeZone).map { node throws(FileError) in
      try node.timeZone()
    }
    let after = root.optional(Settings.finishAfter)
    if let after {
      configuration.finish = .after(try after.duration(Settings.finishAfter))
    }
    if let node = root.optional(Settings.finish) {
      if let after {
        throw after.error("is of no use beside finish; remove one of the two")
      }
      configuration.finish = .at(try node.date(in: zone))
    }
    guard let node = root.optional(Settings.endAfterFinish) else { return }
    guard configuration.finish != nil else {
      throw node.error(
        "is of no use without a finish; add for example finish: \"2026-04-19T14:00\"")
    }
    if case .text("never") = node.value {
      configuration.endAfterFinish = nil
    } else {
      configuration.endAfterFinish = try node.duration(Settings.endAfterFinish)
    }
  }

  /// Makes sure that the race is still to come: for a person who prepares one. A tracker that is
  /// restarted in the middle of its race, or after it, does not ask.
  ///
  /// - Parameter path: of this file, for the error.
  /// - Throws: that its finish is past.
  public func checkFinish(at now: UTC, path: String) throws(FileError) {
    guard case .at(let utc) = configuration.finish, utc <= now else { return }
    throw FileError(
      path: path, keyPath: "finish",
      message: "is past already; write that of the next race, or remove it")
  }
}
