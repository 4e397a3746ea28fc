import Glibc

/// The folder of the store and of what stands beside it.
enum StateFolder {
  /// Makes the folder of a file where only that is missing. Others than its owner and its group do
  /// not see what is in it. Where it cannot be made, whoever opens the file says so.
  static func make(for path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    if mkdir(folder, 0o700) == 0 { chmod(folder, 0o750) }
  }
}
