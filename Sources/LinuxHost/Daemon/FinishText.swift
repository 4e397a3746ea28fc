public import TrackerCore

/// The configured finish, for people.
public enum FinishText {
  public static func text(of configuration: Configuration) -> String {
    guard let finish = configuration.finish else {
      return "none; the battery has to last for 32 h"
    }
    let text =
      switch finish {
      case .at(let utc): CalendarText.text(utc) + " UTC"
      case .after(let length): "\(ContactText.text(of: length)) after the session's first start"
      }
    guard let grace = configuration.endAfterFinish else { return text + "; the session continues" }
    return text + "; the session ends \(ContactText.text(of: grace)) later"
  }
}
