import JSONReading

/// A settings file put together from parts of others. Errors about it name the file and line that
/// the place came from.
struct MergedFile {
  private var members: [String: JSONValue] = [:]
  private var origins: [String: FileNode.Origin] = [:]

  /// Puts a place of a file, with everything in it, at a key of the root or of a section.
  ///
  /// What is there already stays: of an object, the members that are missing are added.
  ///
  /// - Parameter value: instead of the place's own value.
  mutating func put(
    _ node: FileNode, at key: String, in section: String? = nil, as value: JSONValue? = nil
  ) {
    let place = section.map { "\($0).\(key)" } ?? key
    if let section {
      var inner: [String: JSONValue] = [:]
      if case .object(let old) = members[section] { inner = old }
      inner[key] = value ?? node.value
      members[section] = .object(inner)
      if origins[section] == nil {
        let parent = node.place.split(separator: ".").dropLast().joined(separator: ".")
        let line = node.file.outline.lines[parent]
        origins[section] = FileNode.Origin(path: node.file.path, line: line)
      }
    } else if members[key] != nil {
      for (inner, child) in node.children where !has(inner, in: key) {
        put(child, at: inner, in: key)
      }
      return
    } else {
      members[key] = value ?? node.value
    }
    origins[place] = node.origin
    for (old, line) in node.file.outline.lines where old.hasPrefix(node.place) {
      let rest = old.dropFirst(node.place.count)
      guard rest.first == "." || rest.first == "[" else { continue }
      origins[place + rest] = FileNode.Origin(path: node.file.path, line: line)
    }
  }

  private func has(_ key: String, in section: String) -> Bool {
    guard case .object(let inner) = members[section] else { return false }
    return inner[key] != nil
  }

  /// - Parameter path: for errors about the file as a whole.
  func root(path: String) -> FileNode {
    FileNode(
      file: FileNode.File(path: path, outline: JSONOutline(), origins: origins), place: "",
      keyPath: "", value: .object(members))
  }
}

extension FileNode {
  /// The members of an object in the order of the file.
  var children: [(key: String, node: FileNode)] {
    guard case .object(let members) = value else { return [] }
    let pairs = members.map { (key: $0.key, node: child($0.key, $0.value)) }
    return pairs.sorted { a, b in (a.node.line ?? 0, a.key) < (b.node.line ?? 0, b.key) }
  }
}
