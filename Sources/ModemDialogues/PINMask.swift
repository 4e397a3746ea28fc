/// Hides the digits of the SIM's PIN in a modem's output, in whatever form the modem repeats them:
/// `AT+CPIN="1234"`, `+CPIN: 1234`, part of an echo, split over any number of reads.
///
/// Tracker and recording get the same bytes, so that a replay takes the same decisions. Other
/// reports (`+CBC: 0,80,3812`) are unchanged: there the same digits are not a PIN.
public struct PINMask: Sendable {
  /// ETSI TS 102 221, §9.5.1.
  public static let longestPIN = 8
  /// Reports that may be about a PIN (3GPP TS 27.007).
  private static let secretReports = ["CPIN", "CPIN2", "CLCK", "CPWD"]
  private static let star = UInt8(ascii: "*")

  private let pin: [UInt8]
  /// Digits that may be the beginning of the PIN; what follows decides.
  private var held: [UInt8] = []
  /// Within a number that is not the PIN.
  private var isInNumber = false
  /// Whether the PIN has been sent and not been answered yet.
  private var isEntering = false
  /// The beginning of the line.
  private var line: [UInt8] = []
  private static let keptLineBytes = 16
  private var isReport = false

  public init(_ pin: [UInt8]) { self.pin = pin }

  /// The PIN is being sent: until the answer every digit of an echo is hidden.
  public mutating func enters() { isEntering = true }

  /// - Returns: the bytes to pass on now. Digits at the end may be held back until the next call.
  public mutating func pass(_ bytes: [UInt8]) -> [UInt8] {
    var passed: [UInt8] = []
    passed.reserveCapacity(held.count + bytes.count)
    for byte in bytes { pass(byte, into: &passed) }
    return passed
  }

  /// Returns what is held back, when the line is used otherwise or has gone.
  public mutating func release() -> [UInt8] {
    defer { self = PINMask(pin) }
    return held
  }

  private mutating func pass(_ byte: UInt8, into passed: inout [UInt8]) {
    let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    if isDigit && !isReport {
      if isEntering && !line.isStartOfReport {
        passed.append(Self.star)
      } else if isInNumber {
        passed.append(byte)
      } else {
        held.append(byte)
        if !pin.starts(with: held) {
          isInNumber = true
          passed += held
          held.removeAll()
        }
      }
    } else {
      passed += held == pin ? held.map { _ in Self.star } : held
      held.removeAll()
      isInNumber = false
      passed.append(byte)
    }
    follow(byte)
  }

  /// Keeps track of the line's beginning.
  private mutating func follow(_ byte: UInt8) {
    if byte == 0x0D || byte == 0x0A {
      let text = String(decoding: line, as: UTF8.self)
      if text == "OK" || text == "ERROR" || text.hasPrefix("+CME ERROR") { isEntering = false }
      line.removeAll(keepingCapacity: true)
      isReport = false
      return
    }
    if byte == UInt8(ascii: ":"), line.isStartOfReport {
      let name = String(decoding: line.dropFirst(), as: UTF8.self)
      isReport = !Self.secretReports.contains(name.uppercased())
    }
    if line.count < Self.keptLineBytes { line.append(byte) }
  }
}

extension [UInt8] {
  /// `+CBC`, `^SYSINFO`, `*PSUTTZ`: a sign and a name.
  fileprivate var isStartOfReport: Bool {
    guard let sign = first, "+^*%#$".utf8.contains(sign) else { return false }
    return dropFirst().allSatisfy { byte in
      let scalar = Unicode.Scalar(byte)
      return scalar == " " || scalar.isASCII && scalar.properties.isAlphabetic
        || scalar.properties.numericType == .decimal
    }
  }
}
