public import TrackerCore
import Wording

/// How the language of a page is chosen.
public struct PageLanguage: Sendable, Equatable {
  /// For everybody, whatever a browser asks for.
  public var always: Language?
  /// Where a browser asks for none of ours; `nil`: English.
  public var otherwise: Language?

  public init() {}

  /// - Parameter header: of the request, Accept-Language.
  func choice(_ header: String?) -> Language? {
    always ?? header.flatMap { Language(acceptLanguage: $0) } ?? otherwise
  }
}
