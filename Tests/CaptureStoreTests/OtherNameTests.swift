import CaptureStore
import SystemCalls
import Testing
import TrackerCore

/// A store's file under another name, or under none.
@Suite struct OtherNameTests {
  private let note = again("OtherNameTests")
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func open(_ path: String) throws(StoreError) -> CaptureStore {
    try CaptureStore.open(.file(path), at: start)
  }

  @Test func `A symbolic link leads to the store, its lock and its log`() throws {
    let store = try scratch.open()
    try store.fill(3)
    let link = scratch.path + ".link"
    try makeLink(link, to: scratch.path)
    let error = refusal { () throws(StoreError) in try open(link) }
    #expect(error?.kind == .inUse, "\(String(describing: error)); \(note)")
    #expect(try CaptureStore.openForReading(link).tally.pending == 3, note)
    try CaptureStore.noteHandedOut(link, through: CaptureKey(2))
    #expect(try store.page(limit: 9).map(\.attempts) == [1, 1, 0], note)
    #expect(!scratch.names.contains { $0.hasPrefix("race.store.link-") }, "\(scratch.names)")
  }

  @Test func `A link to nothing is not a store`() throws {
    let link = scratch.path + ".link"
    try makeLink(link, to: scratch.path + ".nothing")
    let error = refusal { () throws(StoreError) in try open(link) }
    #expect(error?.kind == .cannotOpen, "\(String(describing: error)); \(note)")
  }

  @Test func `A store of two names is refused under both`() throws {
    do { try scratch.open().fill(3) }
    try linkFile(scratch.path, as: scratch.path + ".other")
    for path in [scratch.path, scratch.path + ".other"] {
      let error = refusal { () throws(StoreError) in try open(path) }
      #expect(error?.kind == .linked, "\(String(describing: error)); \(note)")
    }
    try removeFile(scratch.path + ".other")
    #expect(try scratch.open().numbers() == [1, 2, 3], note)
  }

  @Test func `No lock is made through a link`() throws {
    try makeLink(scratch.path + ".lock", to: scratch.path + ".victim")
    let error = refusal { () throws(StoreError) in try scratch.open() }
    #expect(error != nil, note)
    #expect(!may(.exist, scratch.path + ".victim"), note)
  }

  @Test(arguments: [false, true])
  func `Nothing is announced into a file that was removed or replaced`(
    _ isReplaced: Bool
  ) throws {
    let store = try scratch.open()
    try store.fill(3)
    try renameFile(scratch.path, to: scratch.path + ".away")
    if isReplaced { try scratch.write([]) }
    let error = refusal { () throws(StoreError) in
      try store.append(capture(4), at: start)
      return store
    }
    #expect(error?.kind == .gone, "\(String(describing: error)); \(note)")
    #expect(store.nextSequence == 4, note)
    try renameFile(scratch.path + ".away", to: scratch.path)
    try store.fill(1)
    #expect(store.nextSequence == 5, note)
  }
}
