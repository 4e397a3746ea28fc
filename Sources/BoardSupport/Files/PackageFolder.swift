import SystemCalls

/// A folder of the package, such as `boards`: the one in the current directory or, if it is not
/// there, that which was installed with the program, or that of the package that the program was
/// built in.
public enum PackageFolder {
  /// The places to search, in order.
  static func places(of folder: String) -> [String] {
    places(of: folder, for: destination(ofLink: "/proc/self/exe") ?? "")
  }

  /// - Parameter program: the path of the running program.
  static func places(of folder: String, for program: String) -> [String] {
    var places = [folder]
    var parts = program.split(separator: "/").dropLast()
    // A package's programs are in /usr/bin, its data in /usr/share.
    if parts.last == "bin" {
      let prefix = parts.dropLast().map { "/\($0)" }.joined()
      places.append("\(prefix)/share/trailtracker/\(folder)")
    }
    // SwiftPM builds into <package>/.build/<triple>/<configuration>/.
    while !parts.isEmpty {
      let parent = "/" + parts.joined(separator: "/")
      if kind(ofPath: "\(parent)/Package.swift") != nil {
        places.append("\(parent)/\(folder)")
        break
      }
      parts.removeLast()
    }
    return places
  }

  /// A file of the package, such as `traces/race.nmea`; `nil` if there is none.
  public static func path(of file: String) -> String? {
    places(of: file).first { kind(ofPath: $0) != nil }
  }

  /// The JSON5 file of a name, `nil` if there is none.
  public static func file(named name: String, in folder: String) -> String? {
    places(of: folder).map { "\($0)/\(name).json5" }.first { kind(ofPath: $0) != nil }
  }

  /// The names of the JSON5 files, sorted.
  public static func names(in folder: String) -> [String] {
    for place in places(of: folder) {
      let names = SystemCalls.names(inFolder: place).filter { $0.hasSuffix(".json5") }.map {
        String($0.dropLast(6))
      }
      if !names.isEmpty { return names.sorted() }
    }
    return []
  }
}
