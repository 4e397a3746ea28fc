import SystemCalls

public enum InputFile {
  /// Reads a small file.
  public static func bytes(of path: String, atMost limit: Int) throws(FileProblem) -> [UInt8] {
    do throws(ReadFailure) {
      return try readWhole(path, atMost: limit)
    } catch {
      switch error {
      case .system(let code): throw FileProblem("cannot read", path, code: code)
      case .tooLarge:
        throw FileProblem(
          "cannot read", path, reason: "larger than \(limit >> 20) MiB: use a smaller file")
      }
    }
  }
}
