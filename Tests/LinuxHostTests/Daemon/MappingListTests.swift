import Testing

@testable import LinuxHost

/// Which of a process's mappings may be given back, by what `/proc/self/smaps` says of them.
@Suite struct MappingListTests {
  private func disposable(_ header: String, _ figures: [String: Int]) -> [Range<UInt>] {
    var list = MappingList()
    list.read(header)
    for name in ["Size", "Rss", "Private_Clean", "Private_Dirty", "Anonymous", "Swap"] {
      list.read("\(name):          \(figures[name] ?? 0) kB")
    }
    list.read("VmFlags: rd mr mw me sd")
    return list.disposable
  }

  private static let library = "/usr/lib/x86_64-linux-gnu/libc.so.6"
  private let code = "7f10a2000000-7f10a2021000 r-xp 00026000 fe:01 1835 \(library)"

  @Test func `Code of which nothing differs from its file may go`() {
    #expect(disposable(code, ["Private_Clean": 84]) == [0x7f10_a200_0000..<0x7f10_a202_1000])
  }

  @Test(arguments: ["Private_Dirty", "Anonymous", "Swap"])
  func `A page that is the process's own keeps its mapping, also when it is swapped out`(
    _ name: String
  ) {
    #expect(disposable(code, ["Private_Clean": 84, name: 4]).isEmpty)
  }

  @Test(arguments: [
    "7f10a2000000-7f10a2021000 rw-p 00026000 fe:01 1835 \(library)",
    "7f10a2000000-7f10a2021000 rw-s 00026000 fe:01 1835 /var/lib/tracker/queue.db-shm",
    "7f10a2000000-7f10a2021000 ---p 00026000 fe:01 1835 \(library)",
    "7f10a2000000-7f10a2021000 r--p 00000000 00:00 0 ",
    "7ffd5b1c2000-7ffd5b1c4000 r-xp 00000000 00:00 0                          [vdso]",
    "not a mapping at all",
    "7f10a2021000-7f10a2000000 r-xp 00026000 fe:01 1835 \(library)",
  ])
  func `What can be written, and what has no file, stays`(_ header: String) {
    #expect(disposable(header, [:]).isEmpty)
  }

  @Test func `Each mapping is judged by its own figures`() {
    var list = MappingList()
    for line in [
      code, "Swap:  0 kB", "7f10a2021000-7f10a2025000 r--p 00047000 fe:01 1835 \(Self.library)",
      "Anonymous:  0 kB", "Swap:  16 kB", "Swap:  16 kB",
    ] { list.read(line) }
    #expect(list.disposable == [0x7f10_a200_0000..<0x7f10_a202_1000])
  }
}
