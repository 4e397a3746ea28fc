import SystemCalls
import Wording

extension BoardDescription {
  /// Finds a board by name or path and reads it.
  ///
  /// Parts are joined by `+`: `pi-4b+waveshare-sim7600+./my-ups`. Each is a name or a path. A name
  /// with a `/` or the ending `.json5` is a path. Any other is a folder in `boards/` in the current
  /// directory or, if it is not there, in the package that the program was built in.
  ///
  /// - Throws: if there is none, with a list of the boards, or if a file is not valid, or if the
  ///   parts do not fit together.
  public static func load(named name: String) throws(FileError) -> BoardDescription {
    var parts: [BoardPart] = []
    var identifiers: [String] = []
    for path in try paths(named: name) {
      let part = try BoardPart(path: path)
      identifiers.append(part.identifier)
      for node in part.combines {
        var member = try saved(node, beside: path)
        member.combination = part.identifier
        parts.append(member)
      }
      parts.append(part)
    }
    // A saved combination may have been given what people used to add to it.
    let saved = parts.filter { $0.combination != nil }.map(\.root.file.path)
    parts.removeAll { $0.combination == nil && saved.contains($0.root.file.path) }
    return try BoardDescription(
      Combination(parts, identifier: identifiers.joined(separator: "+")))
  }

  /// The board files of a board, one for each part, and those that a saved combination names.
  ///
  /// - Throws: if there is none, with a list of the boards.
  public static func files(named name: String) throws(FileError) -> [String] {
    var files: [String] = []
    for path in try paths(named: name) {
      let part = try BoardPart(path: path)
      for node in part.combines { files.append(try saved(node, beside: path).root.origin.path) }
      files.append(part.root.origin.path)
    }
    return files
  }

  /// The part that a saved combination names: beside it, or among the boards.
  private static func saved(_ node: FileNode, beside path: String) throws(FileError) -> BoardPart {
    let name = try node.text(atMost: 100, like: "pi-4b")
    let folder = boardFile(at: path).split(separator: "/", omittingEmptySubsequences: false)
      .dropLast(2).joined(separator: "/")
    let isBeside = kind(ofPath: "\(folder)/\(name)/board.json5") != nil
    let path = isBeside ? "\(folder)/\(name)" : try named(by: node, name)
    let part = try BoardPart(path: path)
    guard !part.isCombination else {
      throw node.error("combines parts itself; write its parts here instead")
    }
    return part
  }

  private static func named(by node: FileNode, _ name: String) throws(FileError) -> String {
    do throws(FileError) {
      return try path(named: name)
    } catch {
      throw node.error(error.message)
    }
  }

  /// The folder or file of each part.
  private static func paths(named name: String) throws(FileError) -> [String] {
    // A path may have a + in it.
    if name.contains("/"), kind(ofPath: name) != nil { return [name] }
    let words = name.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    var paths: [String] = []
    for word in words {
      let path = try path(named: word)
      guard !paths.contains(path) else {
        throw FileError(path: path, message: "is given twice; name each part once")
      }
      paths.append(path)
    }
    return paths
  }

  /// The path of a board or part: its folder or its file.
  ///
  /// - Throws: if there is none, with a list of the boards.
  static func path(named name: String) throws(FileError) -> String {
    if name.contains("/") || name.hasSuffix(".json5") { return name }
    return try path(named: name, in: boardDirectories())
  }

  /// Finds a board by the name of its folder in the first directory that has it.
  static func path(
    named name: String, in directories: [String]
  ) throws(FileError) -> String {
    guard !name.isEmpty else {
      throw FileError(path: "boards", message: "no board was named; name one, or give a path")
    }
    for directory in directories {
      let folder = "\(directory)/\(name)"
      if kind(ofPath: "\(folder)/board.json5") != nil { return folder }
    }
    let directory = directories.first { !boardNames(in: $0).isEmpty }
    guard let directory else {
      throw FileError(
        path: "boards", message: "there is no such directory here; give a path to a board.json5")
    }
    let names = boardNames(in: directory)
    let near = nearest(to: name, in: names).map { "did you mean \(quoted($0))?" }
    let all = names.count > 8 ? "trackerctl boards lists them" : "there are \(listed(names))"
    throw FileError(
      path: directory, message: "has no board \(quoted(name)); \(near ?? all)")
  }
}

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

/// A folder of the package, such as `boards`: the one in the current directory or, if it is not
/// there, that which was installed with the program, or that of the package that the program was
/// built in.
public enum PackageFolder {
  /// The places to search, in order.
  static func places(of folder: String) -> [String] {
    places(of: folder, for: destination(ofLink: "/proc/self/exe") ?? "")
  }

  /// - Parameter program: the path of the running program.
  static func places(of folder: String, for program: String) -> [String] {
    var places = [folder]
    var parts = program.split(separator: "/").dropLast()
    // A package's programs are in /usr/bin, its data in /usr/share.
    if parts.last == "bin" {
      let prefix = parts.dropLast().map { "/\($0)" }.joined()
      places.append("\(prefix)/share/trailtracker/\(folder)")
    }
    // SwiftPM builds into <package>/.build/<triple>/<configuration>/.
    while !parts.isEmpty {
      let parent = "/" + parts.joined(separator: "/")
      if kind(ofPath: "\(parent)/Package.swift") != nil {
        places.append("\(parent)/\(folder)")
        break
      }
      parts.removeLast()
    }
    return places
  }

  /// A file of the package, such as `traces/race.nmea`; `nil` if there is none.
  public static func path(of file: String) -> String? {
    places(of: file).first { kind(ofPath: $0) != nil }
  }

  /// The JSON5 file of a name, `nil` if there is none.
  public static func file(named name: String, in folder: String) -> String? {
    places(of: folder).map { "\($0)/\(name).json5" }.first { kind(ofPath: $0) != nil }
  }

  /// The names of the JSON5 files, sorted.
  public static func names(in folder: String) -> [String] {
    for place in places(of: folder) {
      let names = SystemCalls.names(inFolder: place).filter { $0.hasSuffix(".json5") }.map {
        String($0.dropLast(6))
      }
      if !names.isEmpty { return names.sorted() }
    }
    return []
  }
}
