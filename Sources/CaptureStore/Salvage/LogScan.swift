/// The write-ahead log of a damaged store up to its last whole commit
/// (sqlite.org/fileformat2.html §4).
struct LogScan {
  private let bytes: [UInt8]
  private let pageBytes: Int
  /// Where the last committed content of each page begins.
  private var places: [Int: Int] = [:]
  private(set) var highestPage = 0

  private static let headerBytes = 32
  private static let frameHeaderBytes = 24

  init(_ bytes: [UInt8], pageBytes: Int) {
    self.bytes = bytes
    self.pageBytes = pageBytes
    guard bytes.count >= Self.headerBytes, word(0) & ~1 == 0x377F_0682, word(8) == pageBytes
    else { return }
    // The last bit of the mark tells the byte order of the checksums.
    var sums = Checksum(isBigEndian: word(0) & 1 == 1)
    sums.add(bytes[0..<24])
    guard sums.first == word(24), sums.second == word(28) else { return }
    readFrames(&sums)
  }

  func page(_ number: Int) -> [UInt8]? {
    places[number].map { Array(bytes[$0..<$0 + pageBytes]) }
  }

  private mutating func readFrames(_ sums: inout Checksum) {
    var begin = Self.headerBytes
    var uncommitted: [(page: Int, place: Int)] = []
    while begin + Self.frameHeaderBytes + pageBytes <= bytes.count {
      let content = begin + Self.frameHeaderBytes
      sums.add(bytes[begin..<begin + 8])
      sums.add(bytes[content..<content + pageBytes])
      // The salts of the header and a checksum over all before: else the log ends here.
      guard word(begin + 8) == word(16), word(begin + 12) == word(20),
        sums.first == word(begin + 16), sums.second == word(begin + 20)
      else { return }
      uncommitted.append((Int(word(begin)), content))
      // The size of the database in pages stands in a commit's last frame, 0 in others.
      if word(begin + 4) != 0 {
        for frame in uncommitted {
          places[frame.page] = frame.place
          highestPage = max(highestPage, frame.page)
        }
        uncommitted = []
      }
      begin = content + pageBytes
    }
  }

  /// Four bytes, the highest first.
  private func word(_ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private struct Checksum {
    var isBigEndian: Bool
    var first: UInt32 = 0
    var second: UInt32 = 0

    /// - Parameter bytes: a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
      for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
        first = first &+ word(bytes, place) &+ second
        second = second &+ word(bytes, place + 4) &+ first
      }
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
      let word =
        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
        | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
      return isBigEndian ? word : word.byteSwapped
    }
  }
}
