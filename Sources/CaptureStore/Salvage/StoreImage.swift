internal import SystemCalls

/// The content of a store's files at one moment, read without SQLite and without writing: whether
/// in use, killed or cleanly stopped, and without write permission.
struct StoreImage {
  private(set) var main: [UInt8]
  private(set) var log: LogScan
  /// Whether its header is torn and it holds nothing that the file does not have.
  let isLogObsolete: Bool
  let pageBytes: Int
  /// Pages of the file and of the log.
  let count: Int

  /// - Throws: if the file cannot be opened. Unreadable parts are zeros.
  init(path: String) throws(StoreError) {
    var files = try Files(path: path)
    for _ in 1..<StoreBounds.imageTries where !files.isOneMoment {
      pause(StoreBounds.imagePause)
      files = try Files(path: path)
    }
    self.init(main: files.main, log: files.log)
    // What is being written looks like damage as long as it changes.
    for _ in 1..<StoreBounds.imageTries where log.damage != nil {
      let log = files.log
      pause(StoreBounds.logPause)
      files = try Files(path: path)
      if files.isOneMoment { self.init(main: files.main, log: files.log) }
      if files.log == log { break }
    }
  }

  /// The log of a store that no other process is writing.
  static func log(of path: String) throws(StoreError) -> LogScan {
    let log = try Files.bytes(of: path + "-wal", mayLack: true)
    let head = log.isEmpty ? [] : try Files.bytes(of: path, atMost: 100)
    return LogScan(log, pageBytes: pageBytes(of: head))
  }

  init(main: [UInt8], log: [UInt8]) {
    self.main = main
    pageBytes = Self.pageBytes(of: main)
    let scan = LogScan(log, pageBytes: pageBytes)
    isLogObsolete = scan.isObsolete(in: main)
    self.log = isLogObsolete ? LogScan([], pageBytes: pageBytes) : scan
    count = max((main.count + pageBytes - 1) / pageBytes, self.log.highestPage)
  }

  /// Whether nothing was ever stored: the first page is empty, or the first write did not arrive,
  /// or only a part of it.
  var isUnbegun: Bool {
    main.count <= 4096 && log.committedPages == nil && log.damage == nil
      && zip(main, "SQLite format 3\0".utf8).allSatisfy { $0 == 0 || $0 == $1 }
      // Its header, and that of a page without cells: one change, one page, no schema, no mark.
      && main.indices.allSatisfy { index in
        switch index {
        case 27, 31: main[index] <= 1
        case 24..<92, 108...: main[index] == 0
        default: true
        }
      }
  }

  /// Whether that is so of a store that no other process is using. Only a small file is read.
  static func isUnbegun(_ path: String) throws(StoreError) -> Bool {
    guard Disk.isThere(path), Disk.size(of: path) <= 4096 else { return false }
    return try StoreImage(path: path).isUnbegun
  }

  /// Two bytes at 16 are the page size, 1 meaning 65536. If they are damaged, SQLite's default is
  /// assumed.
  private static func pageBytes(of main: [UInt8]) -> Int {
    guard main.count > 17 else { return 4096 }
    let size = Int(main[16]) << 8 | Int(main[17])
    if size == 1 { return 65_536 }
    return size >= 512 && size & (size - 1) == 0 ? size : 4096
  }

  /// - Parameter number: from 1.
  func page(_ number: Int) -> ArraySlice<UInt8> {
    if let page = log.page(number) { return page }
    let begin = (number - 1) * pageBytes
    return main[min(begin, main.count)..<min(main.count, begin + pageBytes)]
  }

  func rows(ofPage number: Int) -> [RawRecord] {
    RawRecord.rows(of: Array(page(number)), from: number == 1 ? 100 : 0)
  }

  /// The rows, page by page, those of pages with an unknown number last.
  ///
  /// - Parameter isChecked: whether they have checksums: then damaged frames of the log are
  ///   searched too.
  func allRows(isChecked: Bool) -> some Sequence<[RawRecord]> {
    let others = (isChecked ? log.doubtfulPages : []) + log.strays
    let pages = (1...max(1, count)).lazy.map { rows(ofPage: $0) }
    return [
      AnySequence(pages), AnySequence(others.lazy.map { RawRecord.rows(of: Array($0), from: 0) }),
    ]
    .joined()
  }

  /// Whether the first bytes of a file contain our application id, in the four at 68.
  static func isMarked(_ head: [UInt8]) -> Bool {
    head.dropFirst(68).prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) } == Schema.applicationID
  }

  /// Whether the rows have checksums. If the version number is damaged, a row decides.
  var isChecked: Bool {
    if version >= Schema.Migration.checksums.version, version <= Schema.version { return true }
    return (1...max(1, count)).contains { number in
      rows(ofPage: number).contains { CaptureRow.mayBe($0, isChecked: true) }
    }
  }

  /// The schema version, in the four bytes at 60 of the first page.
  var version: Int32 {
    Int32(bitPattern: page(1).dropFirst(60).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }

  /// The database after the last complete commit, in a form that needs no log.
  func database() -> [UInt8] {
    var bytes = main
    if let committed = log.committedPages {
      let missing = committed * pageBytes - bytes.count
      if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
      for number in log.pages where number <= committed {
        let begin = (number - 1) * pageBytes
        bytes.replaceSubrange(begin..<begin + pageBytes, with: log.page(number) ?? [])
      }
      bytes.removeLast(bytes.count - committed * pageBytes)
    }
    // The read and write versions: 2 means a write-ahead log, which an in-memory database cannot
    // have.
    for place in 18...19 where bytes.count > place && bytes[place] == 2 { bytes[place] = 1 }
    return bytes
  }
}

/// The bytes of a store's two files, and whether they are consistent.
private struct Files {
  var main: [UInt8]
  var log: [UInt8]
  /// Whether no log was begun, ended or moved into the file while they were read.
  var isOneMoment: Bool

  init(path: String) throws(StoreError) {
    let before = try Stamp(path)
    // The file first: whatever is moved from the log into it meanwhile is still in the log, which
    // is read afterwards.
    main = try Self.bytes(of: path)
    log = try Self.bytes(of: path + "-wal", mayLack: true)
    let after = try Stamp(path)
    isOneMoment =
      before.log == after.log && before.log == Array(log.prefix(32))
      // Without a log only the file's times can tell.
      && (!before.log.isEmpty || before.time == after.time)
  }

  /// What changes when a log is begun or ended.
  private struct Stamp {
    var log: [UInt8]
    var time: [Int]

    init(_ path: String) throws(StoreError) {
      log = try Files.bytes(of: path + "-wal", atMost: 32, mayLack: true)
      time =
        (try? FileStatus(path)).map {
          [Int($0.number), Int($0.size), $0.modified.seconds, $0.modified.nanoseconds]
        } ?? []
    }
  }

  /// As much of a file as can be read; unreadable parts are zeros.
  static func bytes(
    of path: String, atMost most: Int = StoreBounds.imageBytes, mayLack: Bool = false
  ) throws(StoreError) -> [UInt8] {
    let file: Descriptor
    do throws(SystemError) { file = try Descriptor(opening: path, .read) } catch {
      if mayLack, error.code == Errno.noSuchFile { return [] }
      throw StoreError(path, code: error.code)
    }
    let size: Int
    do throws(SystemError) { size = min(Int(try file.status().size), most) } catch {
      throw StoreError(path, code: error.code)
    }
    let number = file.number
    var bytes = [UInt8](repeating: 0, count: size)
    let step = 4096
    bytes.withUnsafeMutableBytes { buffer in
      for begin in stride(from: 0, to: size, by: step) {
        let part = UnsafeMutableRawBufferPointer(
          rebasing: buffer[begin..<min(size, begin + step)])
        // A bad block must not prevent reading what comes after it.
        _ = Descriptor.read(number, at: begin, into: part)
      }
    }
    _ = consume file
    return bytes
  }
}

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
      guard values.count < StoreBounds.rowColumns, let type = header.variable(),
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
