/// One row as SQLite stores it in a page (sqlite.org/fileformat2.html §2.1), read without SQLite,
/// from a file that SQLite itself may not open any more.
struct RawRecord {
  enum Value {
    case null
    case integer(Int64)
    case bytes(ArraySlice<UInt8>)
    /// A type that our columns do not have.
    case other(ArraySlice<UInt8>)
  }

  var row: Int64
  var values: [Value]

  /// More columns than any of our tables has.
  private static let mostColumns = 32

  /// The rows of one page; none when it is not a table leaf. `start` is the offset of the page
  /// header: 100 on the first page, 0 on others.
  static func rows(of page: [UInt8], from start: Int) -> [RawRecord] {
    // 13 is a table leaf. Two bytes at 3 are the number of cells, each of which has a two-byte
    // offset after the header of eight bytes.
    guard page.count >= start + 8, page[start] == 13 else { return [] }
    let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
    var rows: [RawRecord] = []
    for index in 0..<count {
      let place = start + 8 + 2 * index
      guard place + 1 < page.count else { break }
      let cell = Int(page[place]) << 8 | Int(page[place + 1])
      if let record = RawRecord(cell: cell, of: page) { rows.append(record) }
    }
    return rows
  }

  private init?(cell: Int, of page: [UInt8]) {
    var reader = ByteReader(bytes: page, position: cell, end: page.count)
    guard let size = reader.variable(), let row = reader.variable(), size > 0,
      // A longer row continues on other pages; ours never do.
      size <= Int64(page.count - reader.position)
    else { return nil }
    self.row = row
    let body = reader.position
    reader.end = body + Int(size)
    guard let headerSize = reader.variable(), headerSize >= 1, headerSize <= size else {
      return nil
    }
    var header = reader
    header.end = body + Int(headerSize)
    var content = ByteReader(bytes: page, position: header.end, end: reader.end)
    values = []
    while header.position < header.end {
      guard values.count < Self.mostColumns, let type = header.variable(),
        let value = content.value(type)
      else { return nil }
      values.append(value)
    }
  }

  /// Whether its last value is the checksum of the others. The row's key is stored outside the row,
  /// which has null instead.
  var isWhole: Bool {
    guard values.count > 1, case .integer(let stored)? = values.last else { return false }
    var checksum = RowChecksum()
    for (place, value) in values.dropLast().enumerated() {
      switch value {
      case .null where place == 0: checksum.add(row)
      case .null: checksum.addNull()
      case .integer(let number): checksum.add(number)
      case .bytes(let bytes): bytes.withUnsafeBytes { checksum.add(text: $0) }
      case .other(let bytes): bytes.withUnsafeBytes { checksum.add(other: $0) }
      }
    }
    return checksum.value == stored
  }

  func text(_ column: Int) -> String? {
    guard case .bytes(let bytes) = values[column] else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  func integer(_ column: Int) -> Int64? {
    guard case .integer(let number) = values[column] else { return nil }
    return number
  }
}

/// Reads bytes that may be anything, with bounds checks.
private struct ByteReader {
  var bytes: [UInt8]
  var position: Int
  var end: Int

  private mutating func next() -> UInt8? {
    guard position >= 0, position < min(end, bytes.count) else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  /// A varint: seven bits per byte, highest first, at most nine bytes, of which the ninth has eight
  /// bits.
  mutating func variable() -> Int64? {
    var number: UInt64 = 0
    for index in 0..<9 {
      guard let byte = next() else { return nil }
      if index == 8 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
      number = number << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int64(bitPattern: number) }
    }
    return nil
  }

  /// The value of a serial type; `nil` for real numbers, which our tables do not have.
  mutating func value(_ type: Int64) -> RawRecord.Value? {
    switch type {
    case 0: return .null
    case 1...4: return integer(Int(type))
    case 5: return integer(6)
    case 6: return integer(8)
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 12...:
      let length = (type - 12) / 2
      guard length <= Int64(min(end, bytes.count) - position) else { return nil }
      defer { position += Int(length) }
      let content = bytes[position..<position + Int(length)]
      return type % 2 == 1 ? .bytes(content) : .other(content)
    default: return nil
    }
  }

  private mutating func integer(_ length: Int) -> RawRecord.Value? {
    var number: Int64 = 0
    for index in 0..<length {
      guard let byte = next() else { return nil }
      number = index == 0 ? Int64(Int8(bitPattern: byte)) : number << 8 | Int64(byte)
    }
    return .integer(number)
  }
}
