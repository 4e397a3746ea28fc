import Testing
import TrackerCore

/// What requests tell of the path: how large they may be, and how long an answer takes.
@Suite struct PathEstimateTests {
  private let again: Comment = "repeat with: swift test --filter PathEstimateTests"

  /// A path that swallows requests above `limit` bytes, and a queue of captures of 400 bytes each.
  private struct Walk {
    var path = PathEstimate()
    var now = Instant.start
    var limit: Int32 = .max
    /// The captures in each request, negative where it was lost.
    var requests: [Int32] = []

    mutating func send(_ waiting: Int32) {
      var left = waiting
      while left > 0 {
        let most = path.limit(mayProbe: true, at: now).map { max(1, $0 / 400) }
        let count = min(left, most ?? 100, 100)
        if count * 400 <= limit {
          path.answered(after: .seconds(1))
          path.carried(count * 400)
          left -= count
          requests.append(count)
        } else {
          path.lost(at: now)
          path.swallowed(count * 400, at: now)
          requests.append(-count)
        }
        now = now + .seconds(2)
      }
    }
  }

  @Test func `Requests become small, stay as large as the path carries, and are seldom larger`() {
    var walk = Walk(limit: 2000)
    walk.send(60)
    // A larger one is lost twice before that is believed.
    #expect(walk.requests.prefix(9) == [-60, 1, 2, 4, -8, 4, -8, 4, 4], again)
    #expect(walk.requests.dropFirst(7).allSatisfy { $0 > 0 }, "\(walk.requests); \(again)")
    #expect(walk.path.knownLimit == 1600, again)
    // Eleven minutes later one is tried, and an hour later at the most another one each hour.
    walk.requests = []
    walk.now = walk.now + .minutes(11)
    walk.send(20)
    #expect(walk.requests == [-8, 4, 4, 4, 4, 4], again)
    walk.requests = []
    for _ in 0..<48 {
      walk.now = walk.now + .minutes(30)
      walk.send(10)
    }
    #expect(walk.requests.count { $0 < 0 } <= 25, "\(walk.requests); \(again)")
  }

  @Test func `Where the path carries more again, requests grow again`() {
    var walk = Walk(limit: 2000)
    walk.send(60)
    walk.limit = .max
    walk.requests = []
    walk.now = walk.now + .minutes(11)
    walk.send(420)
    #expect(walk.requests == [8, 16, 32, 64, 100, 100, 100], "\(walk.requests); \(again)")
    #expect(walk.path.knownLimit == nil && walk.path.limit(mayProbe: false, at: walk.now) == nil)
  }

  @Test func `A single loss costs a few small requests and no verdict on the path`() {
    var walk = Walk(limit: 2000)
    walk.send(0)
    walk.path.swallowed(40_000, at: walk.now)
    walk.limit = .max
    walk.send(500)
    #expect(walk.requests.prefix(8) == [1, 2, 4, 8, 16, 32, 64, 100], "\(walk.requests); \(again)")
    #expect(walk.path.knownLimit == nil, again)
  }

  @Test func `A network that loses everything for a while says nothing about sizes`() {
    var walk = Walk()
    for _ in 0..<50 {
      walk.path.lost(at: walk.now)
      walk.path.swallowed(400, at: walk.now)
    }
    #expect(walk.path.knownLimit == nil, again)
    #expect(walk.path.limit(mayProbe: true, at: walk.now) == 0, again)
    walk.send(500)
    #expect(walk.requests.prefix(4) == [1, 2, 4, 8], again)
  }

  @Test func `What was lost goes over new connections for ten minutes`() {
    var path = PathEstimate()
    #expect(!path.wantsNewConnection(at: .start), again)
    path.lost(at: .start)
    #expect(path.wantsNewConnection(at: .start + .minutes(9)), again)
    #expect(!path.wantsNewConnection(at: .start + .minutes(10)), again)
    path.swallowed(400, at: .start)
    #expect(path.wantsNewConnection(at: .start + .minutes(10)), again)
  }

  @Test func `Every other request after a loss waits no longer than without one`() {
    var path = PathEstimate()
    path.answered(after: .seconds(1))
    let waits = (0..<6).map { _ in
      defer { path.lost(at: .start) }
      return path.patience(bytes: 0).count / 1000
    }
    #expect(waits == [15, 30, 15, 60, 15, 60], again)
  }

  @Test func `The patience follows from the answers, within bounds`() {
    var path = PathEstimate()
    #expect(path.patience(bytes: 0) == .seconds(30), again)
    path.lost(at: .start)
    #expect(path.patience(bytes: 0) == .seconds(60), again)
    path.answered(after: .seconds(1))
    #expect(path.patience(bytes: 0) == .seconds(15), again)
    #expect(path.patience(bytes: 40_000) == .seconds(35), again)
    path.answered(after: .seconds(5))
    #expect(path.patience(bytes: 0) == .seconds(30), again)
    for _ in 0..<200 { path.lost(at: .start) }
    #expect(path.patience(bytes: .max) == .seconds(60), again)
    for _ in 0..<60 { path.answered(after: .seconds(1)) }
    #expect(path.patience(bytes: 0) == .seconds(15), again)
  }
}
