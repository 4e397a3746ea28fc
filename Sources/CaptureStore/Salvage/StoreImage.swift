internal import Glibc
internal import SystemCalls

/// What the files of a store hold at one moment, read without SQLite and without leaving a trace:
/// in use, killed or cleanly stopped, and by somebody who may not write.
struct StoreImage {
  private(set) var main: [UInt8]
  private(set) var log: LogScan
  let pageBytes: Int
  /// Pages of the file and of the log.
  let count: Int

  /// A store of twice the usual limit; more is not read into memory.
  static let mostBytes = 128 << 20
  /// Tries until a tracker that writes meanwhile leaves a moment.
  private static let tries = 50

  /// - Throws: that the file cannot be opened. A part that the disk does not give is zeros.
  init(path: String) throws(StoreError) {
    var files = try Files(path: path)
    for _ in 1..<Self.tries where !files.isOneMoment {
      usleep(20_000)
      files = try Files(path: path)
    }
    self.init(main: files.main, log: files.log)
    // A frame on its way to the disk looks like damage, once.
    if log.damage != nil {
      files = try Files(path: path)
      if files.isOneMoment { self.init(main: files.main, log: files.log) }
    }
  }

  /// The log of a store that nobody else writes.
  static func log(of path: String) throws(StoreError) -> LogScan {
    let log = try Files.bytes(of: path + "-wal", mayLack: true)
    let head = log.isEmpty ? [] : try Files.bytes(of: path, atMost: 100)
    return LogScan(log, pageBytes: pageBytes(of: head))
  }

  init(main: [UInt8], log: [UInt8]) {
    self.main = main
    pageBytes = Self.pageBytes(of: main)
    self.log = LogScan(log, pageBytes: pageBytes)
    count = max((main.count + pageBytes - 1) / pageBytes, self.log.highestPage)
  }

  /// Two bytes at 16 give the size of a page, 1 meaning 65536. Where they are spoilt, it is the
  /// size that SQLite gives to every store.
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

  /// The rows of one page after the other, last those of pages whose number nobody knows.
  ///
  /// - Parameter isChecked: they carry checksums: then frames of the log that are damaged elsewhere
  ///   are looked through too.
  func allRows(isChecked: Bool) -> some Sequence<[RawRecord]> {
    let others = (isChecked ? log.doubtfulPages : []) + log.strays
    let pages = (1...max(1, count)).lazy.map { rows(ofPage: $0) }
    return [
      AnySequence(pages), AnySequence(others.lazy.map { RawRecord.rows(of: Array($0), from: 0) }),
    ]
    .joined()
  }

  /// Whether our mark stands in the first bytes of a file, in the four at 68.
  static func isMarked(_ head: [UInt8]) -> Bool {
    head.dropFirst(68).prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) } == Schema.applicationID
  }

  /// Whether the rows carry checksums. Where the number of the version is damaged, a row tells.
  var isChecked: Bool {
    if version >= Schema.checkedVersion, version <= Schema.version { return true }
    return (1...max(1, count)).contains { number in
      rows(ofPage: number).contains { CaptureRow.mayBe($0, isChecked: true) }
    }
  }

  /// The version of the schema, which stands in the four bytes at 60 of the first page.
  var version: Int32 {
    Int32(bitPattern: page(1).dropFirst(60).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }

  /// The database as the last whole commit left it, in a form that needs no log.
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
    // Versions of reading and writing: 2 is a write-ahead log, which memory has not.
    for place in 18...19 where bytes.count > place && bytes[place] == 2 { bytes[place] = 1 }
    return bytes
  }
}

/// The bytes of a store's two files, and whether they belong together.
private struct Files {
  var main: [UInt8]
  var log: [UInt8]
  /// No other log was begun, ended or played into the file while they were read.
  var isOneMoment: Bool

  init(path: String) throws(StoreError) {
    let before = try Stamp(path)
    // The file first: what of the log is played into it meanwhile is in the log, which comes after.
    main = try Self.bytes(of: path)
    log = try Self.bytes(of: path + "-wal", mayLack: true)
    let after = try Stamp(path)
    isOneMoment =
      before.log == after.log && before.log == Array(log.prefix(32))
      // Without a log nothing tells but the file's own times.
      && (!before.log.isEmpty || before.time == after.time)
  }

  /// What changes when a log is begun or ended.
  private struct Stamp {
    var log: [UInt8]
    var time: [Int]

    init(_ path: String) throws(StoreError) {
      log = try Files.bytes(of: path + "-wal", atMost: 32, mayLack: true)
      var status = stat()
      time =
        stat(path, &status) == 0
        ? [Int(status.st_ino), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec] : []
    }
  }

  /// As much of a file as can be read; a part that the disk does not give is zeros.
  static func bytes(
    of path: String, atMost most: Int = StoreImage.mostBytes, mayLack: Bool = false
  ) throws(StoreError) -> [UInt8] {
    let descriptor = retryingOnInterrupt { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      if mayLack, errno == ENOENT { return [] }
      throw StoreError(path, code: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StoreError(path, code: errno) }
    let size = min(Int(clamping: status.st_size), most)
    var bytes = [UInt8](repeating: 0, count: size)
    let step = 4096
    bytes.withUnsafeMutableBytes { buffer in
      for begin in stride(from: 0, to: size, by: step) {
        let part = UnsafeMutableRawBufferPointer(
          rebasing: buffer[begin..<min(size, begin + step)])
        // A bad block costs itself, not what comes after it.
        _ = pread(descriptor, part.baseAddress, part.count, off_t(begin))
      }
    }
    return bytes
  }
}
