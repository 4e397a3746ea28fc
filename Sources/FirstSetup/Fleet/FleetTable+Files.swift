public import BoardSupport
import Wording

/// What all trackers of a fleet have in common.
public struct FleetBase: Sendable {
  /// A configuration, to which each row adds its own; `nil`: a new one.
  let configuration: [UInt8]?
  /// For errors.
  public let path: String
  /// For rows without a board of their own; `nil`: the tracker keeps its own.
  public var board: String?

  public init(board: String? = nil) {
    configuration = nil
    path = "(a new configuration)"
    self.board = board
  }

  public init(configuration: [UInt8], path: String, board: String? = nil) {
    self.configuration = configuration
    self.path = path
    self.board = board
  }
}

extension FleetTable {
  /// The board of a row's tracker; `nil`: none is named.
  public func board(of row: Row, _ base: FleetBase) -> String? { row[.board] ?? base.board }

  /// The files of a row's tracker.
  ///
  /// - Throws: if the tracker could not use them, with the line of the table or of the base.
  public func files(for row: Row, _ base: FleetBase) throws(FileError) -> CardFiles {
    do throws(FileError) {
      let hasSecrets = row[.secret] != nil || row[.pin] != nil || row[.consolePin] != nil
      try checkBase(base, hasSecrets: hasSecrets)
      var files = CardFiles(
        configuration: try ConfigurationText.applying(
          choices(of: row, hasSecrets: hasSecrets), to: base.configuration, path: base.path),
        board: board(of: row, base))
      let root = try FileNode.parse(files.configuration, path: base.path)
      let server = try DaemonSettings(root).server
      if server.kind == .arcGIS, server.user != nil || server.clientID != nil, !has(.secret) {
        throw error(row.line, "", FleetPhrase.lacksColumn.texts(FleetColumn.secret.rawValue))
      }
      if hasSecrets { files.secrets = secrets(of: row, for: server) }
      return files
    } catch {
      throw placed(error, row, base)
    }
  }

  /// An error about a setting that the row gives is one about the row, and so is any without a
  /// base; another one is about the base.
  public func placed(_ error: FileError, _ row: Row, _ base: FleetBase) -> FileError {
    guard error.path != path else { return error }
    let column = FleetColumn.allCases.first { row[$0] != nil && $0.setting == error.keyPath }
    if let column { return self.error(row.line, name(of: column), error.message) }
    guard base.configuration == nil else { return error }
    if error.keyPath == FleetColumn.server.setting {
      return self.error(row.line, "", FleetPhrase.noServer.texts)
    }
    return self.error(row.line, error.keyPath, error.message)
  }

  /// An error about a row's board.
  public func placed(boardError error: FileError, _ row: Row) -> FileError {
    guard row[.board] != nil else { return error }
    return self.error(row.line, name(of: .board), error.texts)
  }

  /// An error about a row's secrets, of which nothing is shown.
  ///
  /// - Parameter found: names one of the secrets as the key; `nil`: the file of secrets would not
  ///   be read as it was meant.
  public func secretError(_ row: Row, _ found: FileError?) -> FileError {
    let columns = [FleetColumn.secret, .pin, .consolePin]
    let column = columns.first { $0.rawValue == found?.keyPath } ?? columns.first { row[$0] != nil }
    return error(
      row.line, name(of: column ?? .secret), found?.message ?? FleetPhrase.secretForm.texts)
  }

  private func checkBase(_ base: FleetBase, hasSecrets: Bool) throws(FileError) {
    guard let bytes = base.configuration else { return }
    let root = try FileNode.parse(bytes, path: base.path)
    if let device = root.optional("device") {
      throw device.error(FleetPhrase.ownIdentity.texts)
    }
    if !hasSecrets, let secrets = root.optional("secrets") {
      throw secrets.error(FleetPhrase.ownSecrets.texts)
    }
  }

  private func choices(of row: Row, hasSecrets: Bool) -> TrackerChoices {
    func choice(_ column: FleetColumn) -> Choice { row[column].map { .text($0) } ?? .kept }
    var choices = TrackerChoices()
    choices.team = choice(.team)
    choices.number = choice(.number)
    choices.serverAddress = choice(.server)
    choices.user = choice(.user)
    choices.language = choice(.language)
    choices.accessPoint = choice(.apn)
    choices.receiverPort = choice(.receiver)
    choices.interface = choice(.interface)
    if hasSecrets { choices.secrets = .text(CardFiles.secretsPath) }
    return choices
  }

  private func secrets(of row: Row, for server: ServerSettings) -> [UInt8] {
    let name =
      if server.user != nil { "password" } else if server.clientID != nil { "clientSecret" } else {
        "token"
      }
    var text = ""
    for (name, column) in [(name, FleetColumn.secret), ("pin", .pin), ("consolePin", .consolePin)] {
      guard let secret = row[column] else { continue }
      text = SecretsText.setting(name, to: secret, in: text) ?? text
    }
    return Array(text.utf8)
  }
}
