public import TrackerCore

/// What tells a call for help by text message from others: the device that calls, and which of its
/// emergencies it is. Answers name the emergency.
///
///     #7K3QXM4F
///
/// Digits and capital letters without I, L, O and U, so that people can copy them.
public struct CallCode: Sendable, Equatable {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  private static let deviceLetters = 6
  private static let emergencyLetters = 2

  /// Of a device, as far as the identifiers of its captures show which it is.
  public let device: String
  /// Of one of its emergencies.
  public let emergency: String

  /// - Parameter firstSequence: of the emergency.
  public init(device: UniqueID, firstSequence: UInt32) {
    self.device = Self.device(of: UniqueID(device: device, sequence: 0)) ?? ""
    emergency = Self.letters(UInt64(firstSequence), Self.emergencyLetters)
  }

  /// - Returns: `nil`: the word is something else.
  init?(_ word: Substring) {
    guard word.first == "#", word.count == 1 + Self.deviceLetters + Self.emergencyLetters,
      word.dropFirst().allSatisfy({ Self.alphabet.contains($0) })
    else { return nil }
    device = String(word.dropFirst().prefix(Self.deviceLetters))
    emergency = String(word.suffix(Self.emergencyLetters))
  }

  var text: String { "#\(device)\(emergency)" }

  /// The device's letters, from the identifier of any of its captures; `nil`: no tracker has given
  /// that.
  public static func device(of capture: UniqueID) -> String? {
    guard capture.high & 0xF000 == 0x8000 else { return nil }
    // The halves that depend on the device alone; they are hashes.
    return letters(capture.high ^ capture.high >> 32 ^ capture.low >> 32, deviceLetters)
  }

  /// The emergency that an answer names at its end, and the answer without it.
  ///
  ///     OK Marta #4F
  static func taking(from answer: Substring) -> (emergency: String?, rest: Substring) {
    let text = answer.trimmed
    let word = text.suffix(1 + emergencyLetters)
    guard word.first == "#", word.count == 1 + emergencyLetters,
      word.dropFirst().allSatisfy({ alphabet.contains($0) }),
      text.dropLast(word.count).last?.isWhitespace ?? true
    else { return (nil, text) }
    return (String(word.dropFirst()), text.dropLast(word.count).trimmed)
  }

  /// Bits above those that the letters have room for do not count.
  private static func letters(_ value: UInt64, _ count: Int) -> String {
    String((0..<count).reversed().map { alphabet[Int(value >> (5 * UInt64($0)) & 31)] })
  }
}

extension Substring {
  /// Without white space at either end.
  var trimmed: Substring {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}
