import Glibc

/// Gives back to the kernel the pages of programs and libraries that only the start needed.
///
/// They stay in the page cache while there is room, so that what is needed again comes back without
/// a read; on a board with little memory they are the first to go.
public enum MemoryTrim {
  /// Lets go of what can be had again from its file, byte for byte: mappings that cannot be written
  /// and of which no page differs from the file (those that the dynamic linker changed do).
  public static func run() {
    guard let file = fopen("/proc/self/smaps", "re") else { return }
    defer { fclose(file) }
    var mapping: Range<UInt>?
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let parts = text.split(whereSeparator: \.isWhitespace)
      if let range = range(parts) {
        mapping = parts.count >= 6 && isReadOnlyFile(parts) ? range : nil
      } else if parts.first == "Private_Dirty:", parts.count > 1, parts[1] == "0", let mapping,
        let start = UnsafeMutableRawPointer(bitPattern: mapping.lowerBound)
      {
        madvise(start, mapping.count, MADV_DONTNEED)
      }
    }
  }

  /// `7f10a2000000-7f10a2021000 r-xp 00026000 fe:01 1835 /usr/lib/…` begins a mapping.
  private static func range(_ parts: [Substring]) -> Range<UInt>? {
    guard let ends = parts.first?.split(separator: "-"), ends.count == 2,
      let start = UInt(ends[0], radix: 16), let end = UInt(ends[1], radix: 16), start < end
    else { return nil }
    return start..<end
  }

  private static func isReadOnlyFile(_ parts: [Substring]) -> Bool {
    parts[1].hasPrefix("r") && !parts[1].contains("w") && parts[5].hasPrefix("/")
  }
}
