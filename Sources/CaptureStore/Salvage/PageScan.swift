internal import Glibc

/// The pages of a damaged store, as its last whole commit left them: those of the file, and over
/// them those of the write-ahead log.
struct PageScan {
  private let main: [UInt8]
  private let log: LogScan
  private let pageBytes: Int
  let count: Int

  /// What cannot be read is taken for empty.
  init(path: String, mostBytes: Int) {
    main = Self.bytes(of: path, atMost: mostBytes)
    // Two bytes at 16 give the size of a page, 1 meaning 65536. Where they are spoilt, it is the
    // size that SQLite gives to every store.
    var size = main.count > 17 ? Int(main[16]) << 8 | Int(main[17]) : 0
    if size == 1 { size = 65_536 }
    pageBytes = size >= 512 && size & (size - 1) == 0 ? size : 4096
    log = LogScan(Self.bytes(of: path + "-wal", atMost: mostBytes), pageBytes: pageBytes)
    count = max((main.count + pageBytes - 1) / pageBytes, log.highestPage)
  }

  /// - Parameter number: from 1.
  func rows(ofPage number: Int) -> [RawRecord] {
    let start = number == 1 ? 100 : 0
    if let page = log.page(number) { return RawRecord.rows(of: page, from: start) }
    let begin = (number - 1) * pageBytes
    guard begin < main.count else { return [] }
    return RawRecord.rows(
      of: Array(main[begin..<min(main.count, begin + pageBytes)]), from: start)
  }

  /// As much of a file as can be read; a part that the disk does not give is zeros.
  private static func bytes(of path: String, atMost most: Int) -> [UInt8] {
    let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return [] }
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
