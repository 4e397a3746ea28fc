import FoundationEssentials

extension BoardDescription {
  /// Finds a board by name or path and reads it.
  ///
  /// A name with a `/` or the ending `.json5` is a path. Any other is a folder in `boards/` in the
  /// current directory or, if it is not there, in the package that the program was built in.
  ///
  /// - Throws: if there is none, with a list of the boards, or if its file is not valid.
  public static func load(named name: String) throws(FileError) -> BoardDescription {
    try load(path: try path(named: name))
  }

  /// The path of a board: its folder or its file.
  ///
  /// - Throws: if there is none, with a list of the boards.
  public static func path(named name: String) throws(FileError) -> String {
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
      if FileManager.default.fileExists(atPath: "\(folder)/board.json5") {
        return folder
      }
    }
    let directory = directories.first { !boardNames(in: $0).isEmpty }
    guard let directory else {
      throw FileError(
        path: "boards", message: "there is no such directory here; give a path to a board.json5")
    }
    let names = boardNames(in: directory)
    let near = nearest(to: name, in: names).map { "did you mean \(quoted($0))?" }
    throw FileError(
      path: directory,
      message: "has no board \(quoted(name)); \(near ?? "there are \(listed(names))")")
  }

  /// The boards of a directory, sorted.
  static func boardNames(in directory: String) -> [String] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return entries.sorted().filter {
      FileManager.default.fileExists(atPath: "\(directory)/\($0)/board.json5")
    }
  }

  /// The directories to search for boards, in order.
  private static func boardDirectories() -> [String] {
    var directories = ["boards"]
    // SwiftPM builds into <package>/.build/<triple>/<configuration>/.
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var parts = (link ?? "").split(separator: "/").dropLast()
    while !parts.isEmpty {
      let parent = "/" + parts.joined(separator: "/")
      if FileManager.default.fileExists(atPath: "\(parent)/Package.swift") {
        directories.append("\(parent)/boards")
        break
      }
      parts.removeLast()
    }
    return directories
  }

  /// The board file for a path: the path itself, or the board file in a folder.
  static func boardFile(at path: String) -> String {
    var isDirectory = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory
    else { return path }
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
