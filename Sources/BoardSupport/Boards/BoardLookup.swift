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
    return try BoardDescription(
      Combination(parts, identifier: identifiers.joined(separator: "+")))
  }

  /// Reads a board file, or the `board.json5` in a board's folder.
  ///
  /// - Throws: for the first thing that is missing, unknown or impossible.
  public static func load(path: String) throws(FileError) -> BoardDescription {
    try load(named: path.contains("/") ? path : "./\(path)")
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
