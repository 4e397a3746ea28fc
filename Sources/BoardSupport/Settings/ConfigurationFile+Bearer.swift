import TrackerCore

extension ConfigurationFile {
  /// Reads the bearer, and the settings for text messages.
  mutating func readBearer(_ root: FileNode) throws(FileError) {
    if let node = root.optional(Settings.bearer) {
      configuration.bearer = try node.choice([
        ("interface", .interface), ("modem", .modem), ("none", .none),
      ])
    }
    if let node = root.optional(Settings.apn) {
      let text = try node.text(atMost: 100, like: "internet")
      guard let name = AccessPointName(Array(text.utf8).span) else {
        throw node.error(
          "\(quoted(text)) is not an access point name; write letters, digits, \".\", \"-\" and "
            + "\"_\", for example \"internet\"")
      }
      configuration.accessPoint = name
    }
    try readTexts(root)
  }

  private mutating func readTexts(_ root: FileNode) throws(FileError) {
    if let node = root.optional(Settings.textTo) {
      let example = "+34600000000"
      let text = try node.text(atMost: 16, like: example)
      guard let number = PhoneNumber(Array(text.utf8).span) else {
        throw node.error(
          "\(quoted(text)) is not a telephone number; write digits only, for example "
            + quoted(example))
      }
      configuration.textTo = number
      guard root.optional(Settings.textAfter) != nil else {
        throw node.error("has no effect without textAfter; add for example textAfter: \"6 h\"")
      }
    }
    guard let node = root.optional(Settings.textAfter) else { return }
    configuration.textAfter = try node.duration(Settings.textAfter)
    guard configuration.textTo != nil else {
      throw node.error(
        "has no effect without a number; add for example textTo: \"+34600000000\"")
    }
    guard configuration.bearer != .none else {
      throw node.error("needs a modem, and bearer is \"none\"; remove one of the two")
    }
  }

  /// Checks that a board supports the configuration.
  ///
  /// - Parameter path: the path of this file, for errors.
  /// - Throws: if the board does not support it.
  public func check(on board: BoardDescription, path: String) throws(FileError) {
    let family = board.board.modem.family
    if configuration.bearer == .modem && family.words.http == nil {
      throw FileError(
        path: path, keyPath: "bearer",
        message: "the modem of the board \(quoted(board.identifier)), of the family "
          + "\(quoted(family.name)), cannot send requests by itself; write \"interface\"")
    }
    if configuration.bearer == .none && board.board.receiver.dialect == .modemGPS {
      throw FileError(
        path: path, keyPath: "bearer",
        message: "the receiver of the board \(quoted(board.identifier)) is in its modem, which "
          + "\"none\" does not use; write \"interface\"")
    }
  }
}
