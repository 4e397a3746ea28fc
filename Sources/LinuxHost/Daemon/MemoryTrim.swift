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
    while fgets(&line, Int32(line.count), file) != nil { list.read(line) }
    fclose(file)
    for range in list.disposable {
      guard let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
      madvise(start, range.count, MADV_DONTNEED)
    }
  }
}

/// The mappings of a process as `/proc/PID/smaps` lists them (proc_pid_smaps(5)).
///
/// Read with C's functions, because the pages of Swift's String would be most of the peak.
struct MappingList {
  /// Read-only mappings of files without private pages. Mappings that the dynamic linker has
  /// relocated have private pages: if dropped, they would be read from the file again without their
  /// relocations.
  private(set) var disposable: [Range<UInt>] = []
  private var mayDispose = false

  /// The counters of private pages, in memory and in swap. A page that has been swapped out counts
  /// neither as dirty nor as anonymous, only as swapped.
  private static let own: [StaticString] = ["Anonymous:", "Private_Dirty:", "Swap:"]

  mutating func read(_ line: UnsafePointer<CChar>) {
    if let (range, rest) = Self.range(line) {
      mayDispose = strncmp(rest, " r-", 3) == 0 && strstr(rest, " /") != nil
      if mayDispose { disposable.append(range) }
    } else if mayDispose, Self.own.contains(where: { Self.count($0, in: line) > 0 }) {
      mayDispose = false
      disposable.removeLast()
    }
  }

  /// `7f10a2000000-7f10a2021000 r-xp 00026000 fe:01 1835 /usr/lib/…` begins a mapping.
  ///
  /// - Returns: its range, and what follows that.
  private static func range(
    _ line: UnsafePointer<CChar>
  ) -> (Range<UInt>, rest: UnsafePointer<CChar>)? {
    var end: UnsafeMutablePointer<CChar>?
    let lower = strtoul(line, &end, 16)
    guard let dash = end, strncmp(dash, "-", 1) == 0 else { return nil }
    let upper = strtoul(dash + 1, &end, 16)
    guard let end, lower < upper else { return nil }
    return (lower..<upper, UnsafePointer(end))
  }

  /// The figure of a line that begins with that name; 0 for any other line.
  private static func count(_ name: StaticString, in line: UnsafePointer<CChar>) -> UInt {
    let length = name.utf8CodeUnitCount
    let begins = name.utf8Start.withMemoryRebound(to: CChar.self, capacity: length) {
      strncmp(line, $0, length) == 0
    }
    return begins ? strtoul(line + length, nil, 10) : 0
  }
}
