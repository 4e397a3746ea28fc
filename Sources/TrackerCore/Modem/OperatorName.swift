/// The name of a network's operator, as the modem writes it: `Movistar`, or `21407`. Printable
/// ASCII; empty: unknown.
///
/// 3GPP TS 27.007 §7.3 allows 16 characters, and 5 or 6 digits for a number; some modems write
/// longer names, which are cut.
public typealias OperatorName = InlineText<24>

extension ModemLineBuffer {
  /// The operator in `+COPS: 0,0,"Movistar",7`, with or without quotation marks. Without a network
  /// the line is `+COPS: 0`.
  var operatorName: OperatorName {
    var name = OperatorName()
    guard let format = firstComma(after: 6), let comma = firstComma(after: format + 1) else {
      return name
    }
    var index = comma + 1
    while self[index] == 0x20 { index += 1 }
    let isQuoted = self[index] == 0x22
    if isQuoted { index += 1 }
    let start = index
    var isHexadecimal = true
    while index < count && self[index] != (isQuoted ? 0x22 : 0x2C) {
      name.append(self[index])
      if !self[index].isHexadecimal { isHexadecimal = false }
      index += 1
    }
    // UCS2 in hexadecimal digits, if somebody has set the modem so (AT+CSCS, §5.5): nothing that a
    // person could read.
    let length = index - start
    return isHexadecimal && length >= 8 && length % 4 == 0 ? OperatorName() : name
  }
}

extension UInt8 {
  fileprivate var isHexadecimal: Bool {
    isDigit || (self | 0x20) >= 0x61 && (self | 0x20) <= 0x66
  }
}
