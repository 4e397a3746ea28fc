import FeatureService
import TrackerCore
import Wording

/// What all subscribers of a stream see alike. It is rendered once for all.
struct EventChannel: Hashable, Sendable {
  var role: Role
  /// Of a volunteer.
  var place: String?
  var language: Language
}

/// Who has a stream; when that ends, so does the stream.
enum EventAudience: Hashable, Sendable {
  /// Nobody has to log in.
  case everybody
  case session(String)
  /// Whoever came by a follower's link.
  case link(Int64)
}

extension ControlPages {
  /// The stream that a request asks for, and who asks.
  ///
  /// - Returns: `nil` if it asks for none, or may not.
  func stream(
    _ request: ServiceRequest, at time: HostTime
  ) -> (EventChannel, EventAudience)? {
    guard request.path == ["room", RoomRights.Page.events.rawValue], request.method == "GET" else {
      return nil
    }
    do throws(RoomRefusal) {
      try access.checkSource(of: request)
      let viewer = try access.viewer(of: request, at: time)
      try access.check(request, .events, viewer)
      let channel = EventChannel(
        role: viewer.role, place: viewer.place, language: request.language ?? .english)
      if let link = viewer.link { return (channel, .link(link)) }
      return (channel, viewer.csrf == nil ? .everybody : .session(request.session ?? ""))
    } catch {
      return nil
    }
  }

  /// What the subscribers of a channel see.
  func state(for channel: EventChannel, at now: UTC) -> Figure {
    state(
      for: Viewer(role: channel.role, place: channel.place), in: channel.language, now: now)
  }

  /// Whether an audience may go on looking. A database that cannot be read ends nothing.
  func mayStay(_ audience: EventAudience, at now: HostTime) -> Bool {
    switch audience {
    case .everybody: (try? access.needsLogin()) != true
    case .session(let key): (try? access.store.viewer(session: key, at: now.utc)) != .some(nil)
    case .link(let number): (try? access.store.isValid(number, at: now.utc)) != false
    }
  }
}
