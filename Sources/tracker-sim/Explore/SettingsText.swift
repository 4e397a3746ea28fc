/// A settings file, cut into its members, so that each can be left out.
enum SettingsText {
  /// The members of the outermost object of JSON5 that has been read before, without comments.
  static func members(of bytes: [UInt8]) -> [String] {
    var members: [[UInt8]] = [[]]
    var depth = 0
    var index = 0
    while index < bytes.count {
      let end = tokenEnd(in: bytes, from: index)
      defer { index = end }
      let token = bytes[index..<end]
      switch token.first {
      case UInt8(ascii: "/"): continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth == 1 { continue }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { continue }
      case UInt8(ascii: ",") where depth == 1:
        members.append([])
        continue
      default: break
      }
      if depth == 0 { continue }
      let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(token.first)
      if !isBlank {
        members[members.count - 1] += token
      } else if members.last?.last.map({ $0 != 0x20 }) ?? false {
        members[members.count - 1].append(0x20)
      }
    }
    return members.map { String(decoding: $0.last == 0x20 ? $0.dropLast() : $0, as: UTF8.self) }
      .filter { !$0.isEmpty }
  }

  /// The end of a comment, a string or a single byte.
  private static func tokenEnd(in bytes: [UInt8], from start: Int) -> Int {
    let rest = bytes[start...]
    switch bytes[start] {
    case UInt8(ascii: "/") where rest.starts(with: "//".utf8):
      return rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
      let ends = rest.indices.dropFirst(3).first {
        bytes[$0] == UInt8(ascii: "/") && bytes[$0 - 1] == UInt8(ascii: "*")
      }
      return ends.map { $0 + 1 } ?? bytes.count
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      var index = start + 1
      while index < bytes.count, bytes[index] != bytes[start] {
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      return min(bytes.count, index + 1)
    default: return start + 1
    }
  }
}
