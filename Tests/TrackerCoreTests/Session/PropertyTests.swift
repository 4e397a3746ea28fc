import Testing

@testable import TrackerCore

/// What must hold whatever happens: thousands of random events, faults and orders.
@Suite struct PropertyTests {
  static let policies: [CapturePolicy] = [
    .standard(interval: .minutes(10), minimumDistanceMetres: 0, heartbeat: .minutes(30)),
    .standard(interval: .seconds(20), minimumDistanceMetres: 30, heartbeat: .minutes(2)),
    .significant, .proximity, .route(everyMetres: 100), .adaptive(interval: .minutes(1)),
  ]

  /// A bench whose world changes at random; everything comes from the seed.
  private static func bench(_ seed: UInt64, _ seeded: inout Seeded) -> Bench {
    let policy = policies[Int(seed % UInt64(policies.count))]
    var bench = Bench {
      $0.capture = policy
      $0.betweenUploads = seed % 5 == 0 ? .attached : .off
      $0.receiverUse = seed % 3 == 0 ? .dutyCycle : .always
      $0.reconnectFloor = seed % 2 == 0 ? .minutes(10) : .seconds(0)
      $0.transmitInterval = seed % 4 == 0 ? .minutes(1) : .minutes(10)
      $0.bearer = [.interface, .interface, .modem, .none][Int(seed / 4 % 4)]
      $0.textAfter = seed % 3 == 0 ? .hours(1) : nil
      $0.textTo = PhoneNumber([0x31, 0x31, 0x32].span)
    }
    bench.reportEvery = .seconds(5)
    bench.metresPerReport = Int64(seed % 8)
    return bench
  }

  private static func disturb(_ bench: inout Bench, _ seeded: inout Seeded) {
    let refusal = Int32(truncatingIfNeeded: seeded.next())
    switch seeded.next() % 25 {
    case 0: bench.sky = .fix(accuracyMetres: Int32(seeded.next() % 400))
    case 1: bench.sky = .noFix
    case 2: bench.sky = .silent
    case 3, 4: bench.sky = .fix(accuracyMetres: 5)
    case 5: bench.disk = .fails
    case 6, 7: bench.disk = .works
    case 8: bench.isModemMute.toggle()
    case 9: bench.simAnswer = seeded.chance(70) ? "+CPIN: READY" : "+CME ERROR: 10"
    case 10: bench.registrationAnswer = "+CREG: 0,\(seeded.next() % 7)"
    case 11: bench.registrationAnswer = "+CREG: 0,1"
    case 12: bench.hasBearer = seeded.chance(70)
    case 13: bench.server = .refuses(code: refusal)
    case 14: bench.server = .losesAnswer
    case 15: bench.server = .ends(.busy(status: 503, retryAfter: .seconds(Int64(refusal))))
    case 16: bench.server = seeded.chance(50) ? .mute : .ends(.unreachable)
    case 17, 18: bench.server = .accepts
    case 19: bench.handle(.linkChanged(isUp: seeded.chance(50)))
    case 20: order(&bench, &seeded)
    case 21: bench.handle(.lineChanged(.modem, isPresent: seeded.chance(50)))
    case 22: bench.handle(.lineChanged(.receiver, isPresent: seeded.chance(50)))
    case 23: bench.takesText.toggle()
    default: bench.date = seeded.chance(30) ? nil : UTC(milliseconds: 1_780_000_000_000)
    }
  }

  private static func order(_ bench: inout Bench, _ seeded: inout Seeded) {
    switch seeded.next() % 6 {
    case 0: bench.handle(.commandGiven(.stop, from: .script))
    case 1, 2: bench.handle(.commandGiven(.start, from: .script))
    case 3: bench.handle(.commandGiven(.captureNow, from: .script))
    case 4: bench.handle(.commandGiven(.sendNow, from: .script))
    default:
      let millivolts = 6000 + Int32(seeded.next() % 3000)
      bench.handle(.batteryMeasured(BatteryReading(millivolts: millivolts)))
    }
  }

  @Test(arguments: UInt64(0)..<16)
  func `Sequences have no gap, nothing is sent twice, and nothing is lost`(_ seed: UInt64) {
    var seeded = Seeded(seed)
    var bench = Self.bench(seed, &seeded)
    for _ in 0..<80 {
      Self.disturb(&bench, &seeded)
      bench.run(seconds: Int64(seeded.next() % 400))
    }
    // The world comes right, and the tracker has a day to bring everything home.
    bench.sky = .fix(accuracyMetres: 5)
    bench.disk = .works
    bench.isModemMute = false
    bench.handle(.lineChanged(.modem, isPresent: true))
    bench.handle(.lineChanged(.receiver, isPresent: true))
    if bench.bearer == .none { bench.handle(.linkChanged(isUp: true)) }
    bench.simAnswer = "+CPIN: READY"
    bench.registrationAnswer = "+CREG: 0,1"
    bench.hasBearer = true
    bench.server = .accepts
    bench.handle(.commandGiven(.start, from: .script))
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 9000)))
    bench.run(seconds: 4 * 3600)
    bench.handle(.commandGiven(.stop, from: .script))
    bench.run(seconds: 2 * 3600)

    let comment = again(Self.self, "seed \(seed), pending \(bench.queue);")
    #expect(bench.sequences == Array(1...UInt32(bench.stored.count)), comment)
    #expect(bench.stored.count > 3, comment)
    #expect(bench.queue.isEmpty && bench.tracker.pending == 0, comment)
    #expect((bench.received + bench.setAside).sorted() == bench.sequences, comment)
    // A server that comes right within the two seconds of a suspicion convicts one; a person has
    // it.
    #expect(bench.setAside.count <= 1, comment)
    Self.checkRequests(bench.log, comment)
    #expect(bench.tracker.nextDeadline == nil, comment)
  }

  /// Uploads and reconciliations come one at a time, and captures too.
  private static func checkRequests(_ log: [Bench.Entry], _ comment: Comment) {
    var lastID: UInt32 = 0
    var open: UInt32?
    for entry in log {
      switch entry.effect {
      case .upload(let request):
        #expect(request.id.number == lastID + 1, comment)
        lastID = request.id.number
      case .reconcile(let id), .fetch(let id):
        #expect(id.number == lastID + 1, comment)
        lastID = id.number
      case .store(let capture):
        #expect(open == nil || open == capture.sequence, comment)
        open = capture.sequence
      case .note(.captured(let sequence)):
        #expect(open == sequence, comment)
        open = nil
      case .note, .setAside, .pulse, .setPin, .setLight, .sendToModem, .sendToReceiver, .setLink,
        .sendText, .readTexts, .rememberPIN, .setModemBaud, .halt:
        break
      }
    }
  }

  @Test(arguments: UInt64(0)..<8)
  func `No request is made while another is in flight`(_ seed: UInt64) {
    var seeded = Seeded(seed &+ 100)
    var bench = Self.bench(seed, &seeded)
    var inFlight: UploadContact.State?
    for _ in 0..<3000 {
      if seeded.chance(5) { Self.disturb(&bench, &seeded) }
      let before = bench.log.count
      bench.run(seconds: 1)
      let requests = bench.log[before...].filter {
        switch $0.effect {
        case .upload, .reconcile: true
        default: false
        }
      }
      // Within one second no upload (2 s) or reconciliation (1.5 s) of the bench can end.
      let comment = again(Self.self, "seed \(seed) at \(bench.now);")
      #expect(requests.count <= 1, comment)
      if case .sending(_, _, let giveUpAt) = inFlight, !requests.isEmpty {
        let isOver = bench.tracker.uploader.state != inFlight || bench.now >= giveUpAt
        #expect(isOver, comment)
      }
      inFlight = bench.tracker.uploader.state
    }
  }

  @Test func `Two trackers that are told the same are equal, and do the same`() {
    var logs: [[Bench.Entry]] = []
    var trackers: [Tracker] = []
    for _ in 0..<2 {
      var seeded = Seeded(77)
      var bench = Self.bench(77, &seeded)
      for _ in 0..<60 {
        Self.disturb(&bench, &seeded)
        bench.run(seconds: Int64(seeded.next() % 300))
      }
      logs.append(bench.log)
      trackers.append(bench.tracker)
    }
    #expect(logs[0] == logs[1] && logs[0].count > 100, again(Self.self))
    #expect(trackers[0] == trackers[1], again(Self.self))
  }
}
