import Foundation

/// What takes too long to be run whole each time.
public enum Share {
  public static let chosen = ProcessInfo.processInfo.environment["SHARE"]

  /// A share of all that there is, for one test run.
  ///
  /// - Parameter which: `.ci/run` takes the next one for each commit (`SHARE=17`), `.ci/long` takes
  ///   everything (`SHARE=all`); without that variable it is the first one.
  public static func of<Element>(
    _ all: [Element], atOnce count: Int = 1, which: String? = chosen
  ) -> [Element] {
    if which == "all" { return all }
    let first = which.flatMap { Int($0) } ?? 0
    return (0..<count).map { all[(first * count + $0) % all.count] }
  }
}
