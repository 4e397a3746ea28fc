/// The rows of CSV (RFC 4180), one after the other.
struct CSVRows {
  /// The byte order mark that some spreadsheets write before UTF-8.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let bytes: [UInt8]
  private let separator: UInt8
  /// What to do about a line that is not a row.
  private let cure: String
  /// Of the next row.
  private(set) var place = FilePlace()

  init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), cure: String) {
    self.bytes = bytes
    self.separator = separator
    self.cure = cure
    place.byte = bytes.count - Self.withoutMark(bytes).count
  }

  static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
  }

  /// The fields of the next row; `nil` at the end.
  mutating func row() throws(ImportError) -> [String]? {
    guard place.byte < bytes.count else { return nil }
    var fields: [String] = []
    repeat { fields.append(try field()) } while takeComma()
    if place.byte < bytes.count, bytes[place.byte] == 0x0D { place.byte += 1 }
    guard place.byte < bytes.count, bytes[place.byte] == 0x0A else {
      throw place.error("a quotation mark within a field; \(cure)")
    }
    step()
    return fields
  }

  private mutating func takeComma() -> Bool {
    guard place.byte < bytes.count, bytes[place.byte] == separator else { return false }
    place.byte += 1
    return true
  }

  private mutating func step() {
    if bytes[place.byte] == 0x0A { place.line += 1 }
    place.byte += 1
  }

  private mutating func field() throws(ImportError) -> String {
    let quote = UInt8(ascii: "\"")
    guard place.byte < bytes.count, bytes[place.byte] == quote else {
      let start = place.byte
      let isEnd: (UInt8) -> Bool = {
        $0 == separator || $0 == 0x0D || $0 == 0x0A || $0 == quote
      }
      place.byte = bytes[start...].firstIndex(where: isEnd) ?? bytes.count
      return String(decoding: bytes[start..<place.byte], as: UTF8.self)
    }
    var text: [UInt8] = []
    place.byte += 1
    while place.byte < bytes.count {
      if bytes[place.byte] == quote {
        place.byte += 1
        guard place.byte < bytes.count, bytes[place.byte] == quote else {
          return String(decoding: text, as: UTF8.self)
        }
      }
      text.append(bytes[place.byte])
      step()
    }
    throw place.cut("it ends within quotation marks")
  }
}
