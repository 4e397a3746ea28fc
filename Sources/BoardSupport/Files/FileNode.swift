public import JSONReading
public import Wording

/// One place in a settings file: its value, and its position for errors.
public struct FileNode: Sendable {
  /// The data shared by all places of a file.
  struct File: Sendable {
    var path: String
    var outline: JSONOutline
    /// For a file put together from several: where each place comes from. Empty for others.
    var origins: [String: Origin] = [:]
  }

  /// A line of a file.
  struct Origin: Sendable, Equatable, CustomStringConvertible {
    var path: String
    /// `nil` for the file as a whole.
    var line: Int?

    var description: String { line.map { "\(path):\($0)" } ?? path }
  }

  let file: File
  /// The path of this place in the outline.
  let place: String
  /// The path that errors show; empty for the whole file.
  public internal(set) var keyPath: String
  public let value: JSONValue

  /// Reads a JSON5 file.
  ///
  /// - Throws: `FileError` if it cannot be read, is empty, or is not valid JSON5.
  public static func load(path: String) throws(FileError) -> FileNode {
    try parse(try readFile(path), path: path)
  }

  /// Reads JSON5 text; `path` is for errors only.
  public static func parse(_ bytes: [UInt8], path: String) throws(FileError) -> FileNode {
    guard bytes.count <= largestFileBytes else {
      throw FileError(path: path, message: "is larger than 1 MiB; use a JSON5 file")
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw FileError(path: path, message: "is not text; use a JSON5 file in UTF-8")
    }
    guard text.contains(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) else {
      throw FileError(path: path, message: "is empty; write { … } with at least one key")
    }
    do {
      let (value, outline) = try JSONOutline.read(bytes)
      return FileNode(
        file: File(path: path, outline: outline), place: "", keyPath: "", value: value)
    } catch {
      throw FileError(error, in: bytes, path: path)
    }
  }

  /// The line of this place; `nil` for the whole file.
  public var line: Int? { origin.line }

  /// The file and line of this place, or of the nearest place around it that was written.
  var origin: Origin {
    if file.origins.isEmpty { return Origin(path: file.path, line: file.outline.lines[place]) }
    var place = place[...]
    while !place.isEmpty {
      if let origin = file.origins[String(place)] { return origin }
      place = place[..<(place.lastIndex { $0 == "." || $0 == "[" } ?? place.startIndex)]
    }
    return Origin(path: file.path, line: nil)
  }

  /// An error about this place that only somebody who writes files can cause: in English.
  public func error(_ message: String) -> FileError { error(message.texts) }

  /// An error about this place that a person on a console can cause, too.
  public func error(_ message: Texts) -> FileError {
    let origin = origin
    return FileError(
      path: origin.path, line: origin.line, keyPath: singleLine(keyPath), message: message)
  }

  func child(_ key: String, _ value: JSONValue) -> FileNode {
    FileNode(
      file: file, place: place.isEmpty ? key : "\(place).\(key)",
      keyPath: keyPath.isEmpty ? key : "\(keyPath).\(key)", value: value)
  }

  func child(_ index: Int, _ value: JSONValue) -> FileNode {
    FileNode(
      file: file, place: "\(place)[\(index)]", keyPath: "\(keyPath)[\(index)]", value: value)
  }
}
