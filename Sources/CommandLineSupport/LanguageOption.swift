import Glibc
import TrackerCore
public import Wording

extension Language {
  /// The language of the environment of this process; `nil`: none of ours.
  public static var ofEnvironment: Language? {
    .of { name in getenv(name).map { String(cString: $0) } }
  }

  /// The language in which a program talks to its user.
  ///
  /// - Parameters:
  ///   - option: of the command line; it comes first.
  ///   - configured: of a configuration file; it comes before the environment's. Without any it is
  ///     English.
  public static func chosen(_ option: Language?, configured: Language? = nil) -> Language {
    option ?? configured ?? ofEnvironment ?? .english
  }
}
