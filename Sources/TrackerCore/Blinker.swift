/// When a status light is lit: the code of a `Light`, again and again. It has no clock of its own.
public struct Blinker: Sendable {
  private var light: Light?
  private var isLit = false
  /// Of the code in progress, how many of its blinks are over.
  private var blinksDone = 0
  /// When `change` has to be called again; `nil`: nothing changes by itself.
  public private(set) var dueAt: Instant?

  /// A dark one.
  public init() {}

  public mutating func show(_ light: Light, at now: Instant) {
    guard light != self.light else { return }
    self.light = light
    // The code in progress would be miscounted if it were continued as another one.
    blinksDone = 0
    if dueAt == nil || light.isUrgent { dueAt = now }
  }

  /// - Returns: whether it is lit from now on; `nil`: it is as before.
  public mutating func change(at now: Instant) -> Bool? {
    guard let light, let dueAt, now >= dueAt else { return nil }
    let blinks = light.blinks
    guard blinks > 0 else {
      self.dueAt = nil
      if isLit { return nil }
      isLit = true
      return true
    }
    if isLit {
      // Before another code there is a pause, too.
      let isWithin = blinksDone > 0 && blinksDone < blinks
      self.dueAt = now + (isWithin ? light.gap : light.pause)
    } else {
      if blinksDone >= blinks { blinksDone = 0 }
      self.dueAt = now + light.blink(blinksDone)
      blinksDone += 1
    }
    isLit.toggle()
    return isLit
  }
}

/// How long each part of a code takes: blinks that can be counted by eye, and a pause that
/// separates two codes.
private enum Blink {
  static let on = Milliseconds(200)
  static let off = Milliseconds(300)
  static let pause = Milliseconds(2500)
  /// The one long blink while no session is running, and those of an emergency.
  static let long = Milliseconds(1500)
  /// Those of an emergency that a server has: slow, so that nobody takes them for "two blinks".
  static let slow = Milliseconds(900)
  /// While a button that will call for help is being held.
  static let flicker = Milliseconds(80)
}

extension Light {
  /// How many blinks its code has; 0: it is lit all the time.
  fileprivate var blinks: Int {
    switch self {
    case .emergencyRead: 0
    case .working, .stopped, .emergencyAhead: 1
    case .waiting, .emergencyDelivered: 2
    case .noPosition: 3
    case .modemTrouble, .callAsked: 4
    case .serverTrouble: 5
    case .storeTrouble, .emergencyRaised: 6
    }
  }

  /// How long one of them is, from 0.
  fileprivate func blink(_ index: Int) -> Milliseconds {
    switch self {
    case .stopped: Blink.long
    case .emergencyAhead: Blink.flicker
    case .emergencyRaised: index < 3 ? Blink.on : Blink.long
    case .emergencyDelivered: Blink.slow
    case .callAsked: index % 2 == 0 ? Blink.long : Blink.on
    case .working, .waiting, .noPosition, .modemTrouble, .serverTrouble, .storeTrouble,
      .emergencyRead:
      Blink.on
    }
  }

  /// Between two of its blinks.
  fileprivate var gap: Milliseconds { self == .emergencyDelivered ? Blink.slow : Blink.off }

  fileprivate var pause: Milliseconds { self == .emergencyAhead ? Blink.flicker : Blink.pause }

  /// Whether it does not wait for the pause of the code before.
  fileprivate var isUrgent: Bool {
    switch self {
    case .emergencyAhead, .emergencyRaised, .emergencyDelivered, .emergencyRead: true
    case .working, .waiting, .noPosition, .modemTrouble, .serverTrouble, .storeTrouble, .stopped,
      .callAsked:
      false
    }
  }
}
