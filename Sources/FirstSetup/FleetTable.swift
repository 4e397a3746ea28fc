public import BoardSupport
import Wording

/// An organiser's table of trackers: a row of names, then a row for each tracker.
public struct FleetTable: Sendable {
  public struct Row: Sendable {
    /// Counts from 1.
    let line: Int
    /// The row's cells, without empty ones.
    let cells: [FleetColumn: String]
    /// The name of the tracker's folder: its number and its team, for any file system.
    public fileprivate(set) var folder = ""

    public var number: String { cells[.number] ?? "" }
    public var team: String { cells[.team] ?? "" }
    public var phone: String? { cells[.phone] }
    /// Whether the team agreed to be shown to followers.
    public var isPublic: Bool {
      ["yes", "si", "oui", "true", "1", "x"].contains(PlainLetters.folded(cells[.isPublic] ?? ""))
    }

    subscript(column: FleetColumn) -> String? { cells[column] }
  }

  let path: String
  public private(set) var rows: [Row] = []
  private var columns: [(column: FleetColumn?, name: String)] = []

  /// Whether there is such a column.
  func has(_ column: FleetColumn) -> Bool { columns.contains { $0.column == column } }

  /// - Parameter path: for errors, which name file, line and column.
  /// - Throws: for the first mistake.
  public init(_ bytes: [UInt8], path: String) throws(FileError) {
    self.path = path
    var rows = try SheetTable(bytes, path: path).rows[...]
    guard let header = rows.popFirst() else {
      throw FileError(path: path, message: FleetPhrase.noRows.texts)
    }
    try readHeader(header)
    guard !rows.isEmpty else { throw FileError(path: path, message: FleetPhrase.noRows.texts) }
    for row in rows { self.rows.append(try read(row)) }
    try refuseTwins(.team) { Self.key(ofTeam: $0) }
    try refuseTwins(.number) { Self.key(ofNumber: $0) }
    nameFolders()
  }

  /// The column's name as the table has it, for errors.
  func name(of column: FleetColumn) -> String {
    columns.first { $0.column == column }?.name ?? column.rawValue
  }

  private mutating func readHeader(_ header: SheetTable.Row) throws(FileError) {
    for name in header.cells {
      guard let column = FleetColumn(header: name) else {
        if name.isEmpty {
          columns.append((nil, ""))
          continue
        }
        let known = FleetColumn.near(name).map { FleetPhrase.didYouMean.texts($0) }
        throw error(
          header.line, name,
          known
            ?? FleetPhrase.unknownColumn.texts(listed(plain: FleetColumn.allCases.map(\.rawValue))))
      }
      if let first = columns.first(where: { $0.column == column }) {
        throw error(header.line, name, FleetPhrase.columnTwice.texts(first.name))
      }
      columns.append((column, name))
    }
    for column in FleetColumn.required where !has(column) {
      throw error(header.line, "", FleetPhrase.lacksColumn.texts(column.rawValue))
    }
  }

  private func read(_ row: SheetTable.Row) throws(FileError) -> Row {
    var cells: [FleetColumn: String] = [:]
    for (index, cell) in row.cells.enumerated() where !cell.isEmpty {
      guard index < columns.count, let column = columns[index].column else {
        throw error(row.line, "", FleetPhrase.strayCell.texts("\(index + 1)"))
      }
      // No value needs such characters: each could begin another line, or hide in this one.
      guard cell.isVisible else {
        throw error(row.line, columns[index].name, FleetPhrase.control.texts)
      }
      cells[column] = cell
    }
    // A table with a column for secrets needs one for each tracker.
    for column in FleetColumn.required + [.secret] where has(column) && cells[column] == nil {
      throw error(row.line, name(of: column), FleetPhrase.emptyCell.texts)
    }
    return Row(line: row.line, cells: cells)
  }

  private func refuseTwins(
    _ column: FleetColumn, _ key: (String) -> String
  ) throws(FileError) {
    var seen: [String: Int] = [:]
    for row in rows {
      guard let cell = row[column] else { continue }
      if let first = seen.updateValue(row.line, forKey: key(cell)) {
        throw error(row.line, name(of: column), FleetPhrase.twin.texts(cell, "\(first)"))
      }
    }
  }

  /// Teams do not differ only in capitals or blanks.
  private static func key(ofTeam team: String) -> String {
    team.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// A server would distinguish 07 and 7, but people would not.
  private static func key(ofNumber number: String) -> String {
    guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return number.lowercased() }
    return String(number.drop { $0 == "0" })
  }

  private mutating func nameFolders() {
    var taken: Set<String> = []
    for index in rows.indices {
      let number = PlainLetters.fileName(rows[index][.number] ?? "", atMost: 24)
      let team = PlainLetters.fileName(rows[index][.team] ?? "", atMost: 40)
      // Windows reserves names such as "con"; none has a hyphen.
      let name = (number.isEmpty ? "tracker" : number) + "-" + (team.isEmpty ? "team" : team)
      var folder = name
      var count = 1
      while !taken.insert(folder).inserted {
        count += 1
        folder = "\(name)-\(count)"
      }
      rows[index].folder = folder
    }
  }

  func error(_ line: Int, _ column: String, _ message: Texts) -> FileError {
    FileError(path: path, line: line, keyPath: column, message: message)
  }
}

/// What a column of an organiser's table says about each tracker.
enum FleetColumn: String, Sendable, CaseIterable {
  case team, number, secret, user, language, board, apn, server, receiver, interface, pin
  case consolePin
  /// For the control room.
  case phone
  case isPublic = "public"

  /// The names that a header may have, in small letters and without accents.
  var names: [String] {
    switch self {
    case .team: ["team", "equip", "equipo", "equipe"]
    case .number: ["number", "numero", "num", "dorsal", "dossard"]
    case .secret: ["secret", "secreto", "password", "contrasenya", "contrasena", "mot de passe"]
    case .user: ["user", "usuari", "usuario", "utilisateur"]
    case .language: ["language", "idioma", "llengua", "langue"]
    case .board: ["board", "placa", "carte"]
    case .apn: ["apn"]
    case .server: ["server", "servidor", "serveur"]
    case .receiver: ["receiver", "receptor", "recepteur"]
    case .interface: ["interface", "interficie", "interfaz"]
    case .pin: ["pin", "pin sim", "sim pin"]
    case .consolePin: ["consolepin", "console pin", "pin consola", "pin console"]
    case .phone: ["phone", "telefon", "telefono", "telephone"]
    case .isPublic: ["public", "publica", "publico", "publique"]
    }
  }

  /// The columns that a table must have.
  static let required: [FleetColumn] = [.team, .number]

  /// The setting of the configuration that the column gives; `nil`: none, it goes elsewhere.
  var setting: String? {
    switch self {
    case .team: "team"
    case .number: "server.device"
    case .user: "server.user"
    case .language: "language"
    case .apn: "apn"
    case .server: "server.address"
    case .receiver: "receiverPort"
    case .interface: "network.interface"
    case .secret, .board, .pin, .consolePin, .phone, .isPublic: nil
    }
  }

  init?(header: String) {
    let name = PlainLetters.folded(header)
    guard let found = Self.allCases.first(where: { $0.names.contains(name) }) else { return nil }
    self = found
  }

  /// The name that was probably meant.
  static func near(_ header: String) -> String? {
    nearest(to: PlainLetters.folded(header), in: allCases.flatMap(\.names))
  }
}

/// What a fleet's trackers have in common.
public struct FleetBase: Sendable {
  /// A configuration, to which each row adds its own; `nil`: a new one.
  let configuration: [UInt8]?
  /// For errors.
  public let path: String
  /// For rows without a board of their own; `nil`: the tracker keeps its own.
  var board: String?

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
  func board(of row: Row, _ base: FleetBase) -> String? { row[.board] ?? base.board }

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

  /// An error is about the row if the row gives the setting or there is no base; otherwise about
  /// the base.
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

/// What the boot partition of a tracker's card has for its first start: a folder of these files.
/// The partition is FAT, so that any computer can write it.
public struct CardFiles: Sendable, Equatable {
  /// The folder's name, on the top level of the partition.
  public static let folder = "trailtracker"
  public static let configurationName = "trackerd.json5"
  public static let boardName = "board"
  public static let secretsName = "secrets"
  /// Where the tracker keeps its secrets after the first start; the configuration says so.
  public static let secretsPath = "/etc/trailtracker/secrets"

  /// A configuration in JSON5.
  public var configuration: [UInt8]
  /// A name for trackerd's option `--board`; `nil`: the tracker's stays as it is.
  public var board: String?
  /// Lines `name = value`; `nil`: the server needs none.
  public var secrets: [UInt8]?

  public init(configuration: [UInt8], board: String? = nil, secrets: [UInt8]? = nil) {
    self.configuration = configuration
    self.board = board
    self.secrets = secrets
  }

  /// Each file's name and content.
  public var all: [(name: String, bytes: [UInt8])] {
    var all = [(Self.configurationName, configuration)]
    if let board { all.append((Self.boardName, Array("\(board)\n".utf8))) }
    if let secrets { all.append((Self.secretsName, secrets)) }
    return all
  }
}
