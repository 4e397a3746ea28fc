/// The rates of receivers' and modems' serial lines, the likeliest first.
///
/// Factory settings: u-blox up to M8, CASIC and MediaTek 9600; modems and some HATs 115200; u-blox
/// from M9 on 38400; SiRF 4800.
public enum LineRate {
  public static let count: Int8 = 7

  /// The rate with this number, from 1 on, bits per second; `nil`: there is no such number.
  public static func likely(_ number: Int8) -> Int32? {
    switch number {
    case 1: 9600
    case 2: 115_200
    case 3: 38_400
    case 4: 4800
    case 5: 57_600
    case 6: 19_200
    case 7: 230_400
    default: nil
    }
  }
}

/// Finds the rate of a modem that has fallen silent: it may have restarted at the one stored in it.
///
/// Before its power is cycled only the likeliest rates are tried, once in a contact: meanwhile its
/// radio is on. After that all are.
struct RateSearch: Sendable, Equatable {
  /// The rate of its line: its number in `LineRate`; 0: the configured one.
  private(set) var rate: Int8 = 0
  /// The rate at which it last answered a question.
  private var proven: Int8 = 0
  /// What was tried since it was last in the network: below 0 the likeliest rates, from 0 on its
  /// own and then each.
  private var tried = -Bounds.likeliestRates

  /// It has answered no question at this rate yet.
  var isOnTrial: Bool { rate != proven }

  /// A contact begins, or it is in the network.
  mutating func begin() { tried = -Bounds.likeliestRates }

  /// Changes to the next rate. Returns whether there is one; otherwise it is back at its own.
  mutating func next(isBrief: Bool) -> Bool {
    while isBrief && tried < 0 {
      tried += 1
      rate = tried + Bounds.likeliestRates
      if isOnTrial { return true }
    }
    tried = max(tried, 0)
    guard !isBrief, tried <= LineRate.count else {
      rate = proven
      return false
    }
    rate = tried == 0 ? proven : tried
    tried += 1
    return true
  }

  /// Changes to the next of all rates, in turn.
  mutating func turn() { rate = rate < LineRate.count ? rate + 1 : 0 }

  /// It is no longer sought: back to its own rate.
  mutating func end() { rate = proven }

  /// It has said that it is there.
  mutating func answered() { if isOnTrial { tried = max(tried, 0) } }

  /// It has answered a question, or confirmed that it is off.
  mutating func prove() { proven = rate }
}
