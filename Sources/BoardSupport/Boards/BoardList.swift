import SystemCalls

extension BoardDescription {
  /// The boards and parts that can be named, sorted by kind and name. A file that cannot be read is
  /// left out, and complained of.
  ///
  /// - Throws: if there are none.
  public static func list() throws(FileError) -> (
    parts: [BoardAssembly.Part], complaints: [FileError]
  ) {
    guard let directory = boardDirectories().first(where: { !boardNames(in: $0).isEmpty }) else {
      throw FileError(
        path: "boards", message: "there is no such directory here; change to one that has it")
    }
    var parts: [BoardAssembly.Part] = []
    var complaints: [FileError] = []
    for name in boardNames(in: directory) {
      do {
        parts.append(BoardAssembly.Part(try BoardPart(path: "\(directory)/\(name)")))
      } catch {
        complaints.append(error)
      }
    }
    let kinds = BoardKind.allCases
    let order = { (part: BoardAssembly.Part) in kinds.firstIndex(of: part.kind) ?? 0 }
    return (
      parts.sorted { a, b in (order(a), a.identifier) < (order(b), b.identifier) }, complaints
    )
  }

  /// The names of the parts of a kind, for what to do about a missing one.
  static func partNames(of kind: BoardKind) -> [String] {
    let parts = (try? list())?.parts ?? []
    return parts.filter { $0.kind == kind }.map(\.identifier)
  }

  /// The boards of a directory, sorted.
  static func boardNames(in directory: String) -> [String] {
    names(inFolder: directory).sorted().filter {
      SystemCalls.kind(ofPath: "\(directory)/\($0)/board.json5") != nil
    }
  }

  /// The directories to search for boards, in order.
  static func boardDirectories() -> [String] { PackageFolder.places(of: "boards") }

  /// The board file for a path: the path itself, or the board file in a folder.
  static func boardFile(at path: String) -> String {
    guard SystemCalls.kind(ofPath: path) == .folder else { return path }
    return path.hasSuffix("/") ? path + "board.json5" : path + "/board.json5"
  }

  /// The name of the folder that contains a board file, or of the file if there is no folder.
  static func boardIdentifier(of path: String) -> String {
    let parts = path.split(separator: "/")
    if parts.count > 1, parts.last == "board.json5" { return String(parts[parts.count - 2]) }
    let name = parts.last ?? "board"
    return String(name.hasSuffix(".json5") ? name.dropLast(6) : name)
  }
}

extension BoardPart {
  /// Reads a board file, or the `board.json5` in a folder.
  init(path: String) throws(FileError) {
    let file = BoardDescription.boardFile(at: path)
    try self.init(
      try FileNode.load(path: file), identifier: BoardDescription.boardIdentifier(of: file))
  }
}
