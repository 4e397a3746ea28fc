import Glibc

/// The folder of the store and the files beside it.
enum StateFolder {
  /// Creates the folder of a file if only that folder is missing, readable by owner and group only.
  /// If that fails, opening the file reports it.
  static func make(for path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    if mkdir(folder, 0o700) == 0 { chmod(folder, 0o750) }
  }
}
