import FoundationEssentials

/// A folder of the package, such as `boards`: the one in the current directory or, if it is not
/// there, that of the package that the program was built in.
public enum PackageFolder {
  /// The places to search, in order.
  static func places(of folder: String) -> [String] {
    var places = [folder]
    // SwiftPM builds into <package>/.build/<triple>/<configuration>/.
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var parts = (link ?? "").split(separator: "/").dropLast()
    while !parts.isEmpty {
      let parent = "/" + parts.joined(separator: "/")
      if FileManager.default.fileExists(atPath: "\(parent)/Package.swift") {
        places.append("\(parent)/\(folder)")
        break
      }
      parts.removeLast()
    }
    return places
  }

  /// The JSON5 file of a name, `nil` if there is none.
  public static func file(named name: String, in folder: String) -> String? {
    places(of: folder).map { "\($0)/\(name).json5" }.first {
      FileManager.default.fileExists(atPath: $0)
    }
  }

  /// The names of the JSON5 files, sorted.
  public static func names(in folder: String) -> [String] {
    for place in places(of: folder) {
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      let names = entries.filter { $0.hasSuffix(".json5") }.map { String($0.dropLast(6)) }
      if !names.isEmpty { return names.sorted() }
    }
    return []
  }
}
