import SystemCalls

/// The folder of the store and the files beside it.
enum StateFolder {
  /// Creates the folder of a file if only that folder is missing, readable by owner and group only.
  /// If that fails, opening the file reports it.
  static func make(for path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    if (try? makeFolder(folder, mode: 0o700)) != nil { try? setPermissions(0o750, of: folder) }
  }
}
