import Glibc

/// Returns pages of programs and libraries to the kernel that were only needed at the start.
///
/// They stay in the page cache while there is room, so that they are mapped again without a read;
/// on a board with little memory they can be evicted.
public enum MemoryTrim {
  /// Drops pages that can be read again from their files unchanged.
  public static func run() {
    guard let file = fopen("/proc/self/smaps", "re") else { return }
    var list = MappingList()
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      list.read(
        String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    fclose(file)
    for range in list.disposable {
      guard let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
      madvise(start, range.count, MADV_DONTNEED)
    }
  }
}

/// The mappings of a process as `/proc/PID/smaps` lists them (proc_pid_smaps(5)).
struct MappingList {
  /// Read-only mappings of files without private pages. Mappings that the dynamic linker has
  /// relocated have private pages: if dropped, they would be read from the file again without their
  /// relocations.
  private(set) var disposable: [Range<UInt>] = []
  private var mayDispose = false

  /// The counters of private pages, in memory and in swap. A page that has been swapped out counts
  /// neither as dirty nor as anonymous, only as swapped.
  private static let own: Set<Substring> = ["Anonymous:", "Private_Dirty:", "Swap:"]

  mutating func read(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count > 1 else { return }
    if let range = Self.range(words[0]) {
      mayDispose =
        words.count >= 6 && words[1].hasPrefix("r-") && words[5].hasPrefix("/")
      if mayDispose { disposable.append(range) }
    } else if mayDispose, Self.own.contains(words[0]), words[1] != "0" {
      mayDispose = false
      disposable.removeLast()
    }
  }

  /// `7f10a2000000-7f10a2021000 r-xp 00026000 fe:01 1835 /usr/lib/…` begins a mapping.
  private static func range(_ word: Substring) -> Range<UInt>? {
    let ends = word.split(separator: "-")
    guard ends.count == 2, let start = UInt(ends[0], radix: 16), let end = UInt(ends[1], radix: 16),
      start < end
    else { return nil }
    return start..<end
  }
}
