import Glibc

/// What is at a path, through symbolic links.
public enum PathKind: Sendable {
  case folder, other
}

/// - Returns: `nil` if there is nothing, or it cannot be looked at.
public func kind(ofPath path: String) -> PathKind? {
  var status = stat()
  guard stat(path, &status) == 0 else { return nil }
  return status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
}

/// Where a symbolic link leads, unchanged; `nil` if it is not a link.
public func destination(ofLink path: String) -> String? {
  var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &bytes, bytes.count)
  if count < 0 { return nil }
  return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The names of a folder's entries in the kernel's order, without `.` and `..`; none if it cannot
/// be read.
public func names(inFolder path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    // A record ends behind its name, and not behind the 256 bytes that the type has for it.
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
    let bytes = UnsafeRawPointer(entry) + offset
    let name = String(cString: bytes.assumingMemoryBound(to: CChar.self))
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}
