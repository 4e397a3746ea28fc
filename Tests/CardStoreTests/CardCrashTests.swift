import CardStore
import TestSupport
import Testing
import TrackerCore

/// SplitMix64, so that a seed is a run.
struct SplitMix {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}

/// A tracker's life with a card, and what the card says if it ends at any write.
@Suite struct CardCrashTests {
  /// How long a life is, and for how many captures the card has room: places of both are used
  /// again.
  static let steps = 240
  static let room: UInt32 = 24

  /// The writes of a life, each with its step, and what the store said around each step.
  struct Life {
    var writes: [(write: Medium.Write, step: Int)] = []
    var accounts: [Account] = []

    init(seed: UInt64) {
      var random = SplitMix(seed)
      let medium = Medium(captures: CardCrashTests.room)
      let store = medium.format()
      accounts.append(Account(store))
      for step in 0..<CardCrashTests.steps {
        Self.live(store, step, &random)
        for write in medium.writes[writes.count...] { writes.append((write, step)) }
        accounts.append(Account(store))
      }
    }

    private static func live(
      _ store: TestStore, _ step: Int, _ random: inout SplitMix
    ) {
      let few = UInt32(random.below(4) + 1)
      switch random.below(8) {
      case 0..<4:
        _ = store.store(capture(store.nextSequence))
        return
      case 4: remove(.freshest(limit: few), from: store)
      case 5: remove(.oldest(limit: few * 2), from: store)
      case 6:
        if let key = store.key(UInt32(random.below(9)), of: .oldest(limit: 9)) {
          if random.below(4) == 0 { store.setAside(key) } else { store.remove(key) }
        }
      default:
        store.remember((0..<random.below(1400)).map { UInt8(truncatingIfNeeded: $0 + step) })
        store.rememberPIN(isTried: random.below(2) == 0)
      }
      _ = store.commit()
    }

    private static func remove(_ selection: Selection, from store: TestStore) {
      var keys: [CaptureKey] = []
      while let key = store.key(UInt32(keys.count), of: selection) { keys.append(key) }
      for key in keys { store.remove(key) }
    }
  }

  /// What may be in a block when the power fails while it is written.
  private static func torn(_ old: [UInt8], _ new: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    var states = [("old", old), ("new", new)]
    for cut in [1, 8, 60, 256, 511] {
      states.append(("new to \(cut)", Array(new[..<cut] + old[cut...])))
      states.append(("new from \(cut)", Array(old[..<cut] + new[cut...])))
    }
    for byte in [0, 0xFF] as [UInt8] {
      states.append(("all \(byte)", [UInt8](repeating: byte, count: Block.size)))
    }
    states.append(("noise", (0..<Block.size).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ 0x5C) }))
    return states
  }

  /// The tracker that starts then stores what comes next beside what there is.
  private static func goOn(_ medium: Medium, _ before: Account, _ seed: UInt64) {
    let new = before.nextSequence
    guard medium.mount().store(capture(new)) else { return }
    let after = Account(medium.mount())
    #expect(
      after.captures.count == before.captures.count + 1 && after.nextSequence == new + 1
        && before.captures.allSatisfy { after.captures[$0] == $1 }
        && after.captures.values.contains(capture(new)),
      "\(before.nextSequence); \(again(seed))")
  }

  private static func again(_ seed: UInt64) -> String {
    "repeat with: SHARE=all swift test --filter CardCrashTests; seed \(seed)"
  }

  @Test(arguments: Share.of(Array(UInt64(1)...3)))
  func `A power cut at any write leaves what was before the step, or after it`(_ seed: UInt64) {
    let life = Life(seed: seed)
    #expect(life.writes.count > Self.steps, "the life writes")
    #expect(life.accounts.last?.nextSequence ?? 0 > Self.room, "the card is overwritten")
    let medium = Medium(captures: Self.room)
    _ = medium.format()
    for (index, (write, step)) in life.writes.enumerated() {
      let old = medium.block(write.number)
      // The first is the formatting itself; of the others a third is enough.
      let isCut = index >= 4 && step % 3 == Int(seed % 3)
      for state in isCut ? Self.torn(old, write.bytes) : [] {
        medium.put((write.number, state.bytes))
        let store = medium.mount()
        let account = Account(store)
        #expect(
          store.finding == .mounted
            && (account == life.accounts[step] || account == life.accounts[step + 1]),
          "write \(index) of step \(step), \(state.name); \(Self.again(seed))")
        Self.goOn(Medium(copying: medium), account, seed)
      }
      medium.put(write)
    }
  }

  /// It says that a block is written, and loses up to three of the last ones, in any order.
  @Test(arguments: Share.of(Array(UInt64(1)...2)))
  func `A card that lies loses what it lied about, and nothing else`(_ seed: UInt64) {
    let life = Life(seed: seed)
    let medium = Medium(captures: Self.room)
    _ = medium.format()
    for index in stride(from: 4, to: life.writes.count - 3, by: 2) {
      let last = life.writes[index..<index + 3]
      let saved = last.map { ($0.write.number, medium.block($0.write.number)) }
      let steps = last.first.map(\.step)!...(last.last.map(\.step)! + 1)
      // Whatever waited all the time, and was not written by one of these.
      let sure = steps.map { Set(life.accounts[$0].captures.keys) }
        .reduce(Set(life.accounts[steps.lowerBound].captures.keys)) { $0.intersection($1) }
      for mask in 0..<8 {
        for (bit, entry) in last.enumerated() where mask >> bit & 1 == 1 { medium.put(entry.write) }
        let store = medium.mount()
        let account = Account(store)
        let comment = "writes \(index)..., \(mask) of them carried out; \(Self.again(seed))"
        #expect(store.finding == .mounted, "\(comment)")
        #expect(sure.isSubset(of: account.captures.keys), "\(comment)")
        for (_, found) in account.captures {
          #expect(found == capture(found.sequence), "\(comment)")
        }
        for save in saved.reversed() { medium.put(save) }
      }
      for (write, _) in life.writes[index..<index + 2] { medium.put(write) }
    }
  }
}
