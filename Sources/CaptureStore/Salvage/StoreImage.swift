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

  /// Twice the usual limit of a store; more is not read into memory.
  static let mostBytes = 128 << 20
  /// How often reading is tried while a tracker is writing.
  private static let tries = 50

  /// - Throws: if the file cannot be opened. Unreadable parts are zeros.
  init(path: String) throws(StoreError) {
    var files = try Files(path: path)
    for _ in 1..<Self.tries where !files.isOneMoment {
      pause(milliseconds: 20)
      files = try Files(path: path)
    }
    self.init(main: files.main, log: files.log)
    // What is being written looks like damage as long as it changes.
    for _ in 1..<Self.tries where log.damage != nil {
      let log = files.log
      pause(milliseconds: 1)
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
    if version >= Schema.checkedVersion, version <= Schema.version { return true }
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
    of path: String, atMost most: Int = StoreImage.mostBytes, mayLack: Bool = false
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
