import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// The table that decides whether a tracker may go, row by row.
@Suite struct VerdictTests {
  typealias Change = @Sendable (inout TrackerFacts) -> Void

  /// What makes a row hold, and what comes just beside it.
  struct Row: Sendable {
    var cause: Cause
    var holds: [Change]
    var beside: [Change]
    /// Whether it is a wait.
    var isWait = false

    init(_ cause: Cause, _ holds: [Change], not beside: [Change], isWait: Bool = false) {
      self.cause = cause
      self.holds = holds
      self.beside = beside
      self.isWait = isWait
    }
  }

  private static let again: Comment = "repeat with: swift test --filter VerdictTests"
  private static let fix = Milliseconds.minutes(3).count
  private static let contact = Milliseconds.minutes(20).count

  private static func verdict(_ changes: Change...) -> Verdict {
    var facts = TrackerFacts.healthy
    for change in changes { change(&facts) }
    return Verdict(of: facts)
  }

  private static func sending(_ names: String...) -> [Change] {
    names.map { name in { $0.sending = name } }
  }

  private static let known = Milliseconds.minutes(5).count

  /// A cause that is known: after so long while nothing was ever delivered, and after 20 min in the
  /// network when something was.
  private static func undelivered(
    _ row: Cause, _ cause: FailureCause, after patience: Int64
  ) -> Row {
    func facts(_ change: @escaping Change) -> Change {
      {
        ($0.pending, $0.failing, $0.lastContact) = (1, cause.rawValue, nil)
        $0.runningFor = patience
        change(&$0)
      }
    }
    var holds = [facts { $0.failingFor = patience + 1 }]
    var beside = [
      facts { $0.failingFor = patience },
      facts { ($0.failingFor, $0.failingInNetworkFor, $0.lastDelivery) = (contact, contact, 1) },
      // In a hole of the coverage, after others.
      facts {
        ($0.failingFor, $0.failingInNetworkFor, $0.lastDelivery) = (contact * 3, contact + 1, 1)
        ($0.sending, $0.modem) = ("searching", "off")
      },
    ]
    let known = facts {
      ($0.failingFor, $0.failingInNetworkFor, $0.lastDelivery) = (contact + 1, contact + 1, 1)
    }
    // A hole in the coverage looks the same.
    if row == .noDataConnection || row == .noInterface {
      beside.append(known)
    } else {
      holds.append(known)
    }
    return Row(row, holds, not: beside)
  }

  /// The order of the table: the gravest first.
  static let rows: [Row] = [
    Row(.notInstalled, [{ $0.presence = .notInstalled }], not: [{ _ in }]),
    Row(.dead, [{ $0.presence = .dead }], not: [{ _ in }]),
    Row(.hung, [{ $0.presence = .hung }], not: [{ _ in }]),
    Row(
      .sessionStopped, [{ $0.session = .stopped }], not: [{ $0.session = .finished }]),
    Row(
      .storeFailed, [{ $0.storeProblem = "I/O error".texts }, { $0.capturing = "storeFailed" }],
      not: [{ $0.capturing = "poorAccuracy" }]),
    Row(
      .diskFull, [{ $0.diskFree = (8 << 20) - 1 }, { $0.secondStore = "captures.db-2".texts }],
      not: [{ $0.diskFree = 8 << 20 }]),
    Row(
      .batteryShort, [{ $0.batteryReaches = false }],
      not: [
        { $0.batteryReaches = nil },
        {
          $0.batteryReaches = false
          $0.isCharging = true
        },
        {
          $0.batteryReaches = false
          $0.session = .finished
        },
      ]),
    Row(
      .batteryLow,
      [
        {
          $0.isInReserve = true
          $0.batteryReaches = nil
        },
        // It was in its reserve when it was last measured.
        {
          $0.isInReserve = true
          $0.batteryReaches = nil
          ($0.batteryState, $0.isBatteryMeasured) = (.lost, false)
        },
      ],
      not: [
        { $0.batteryReaches = nil },
        { $0.isInReserve = true },
        {
          $0.isInReserve = true
          $0.batteryReaches = false
        },
        {
          $0.isInReserve = true
          $0.batteryReaches = nil
          $0.isCharging = true
        },
        {
          $0.isInReserve = true
          $0.batteryReaches = nil
          $0.session = .finished
        },
      ]),
    Row(.receiverUnplugged, [{ $0.receiverProblem = "no such device".texts }], not: [{ _ in }]),
    Row(
      .receiverSilent, [{ $0.isReceiverSilent = true }],
      not: [
        {
          $0.isReceiverSilent = true
          $0.session = .finished
        }
      ]),
    Row(
      .receiverNoise,
      [
        {
          ($0.bytesPerMinute, $0.rejectedPerMinute, $0.sentencesPerMinute) = (200, 6, 5)
        }
      ],
      not: [
        { ($0.bytesPerMinute, $0.rejectedPerMinute, $0.sentencesPerMinute) = (199, 6, 5) },
        { ($0.bytesPerMinute, $0.rejectedPerMinute, $0.sentencesPerMinute) = (200, 5, 5) },
      ]),
    Row(
      .noFix,
      [
        { $0.noFix = fix + 1 },
        {
          $0.coldStart = 100_000
          $0.noFix = 200_001
        },
        {
          $0.noFix = nil
          $0.fixAge = fix + 1
        },
      ],
      not: [
        { $0.noFix = fix },
        {
          $0.coldStart = 100_000
          $0.noFix = 200_000
        },
        // Asleep until the next capture it needs none.
        {
          $0.noFix = fix + 1
          $0.isReceiverAwake = false
        },
      ]),
    Row(
      .poorFix,
      [
        {
          $0.capturing = "poorAccuracy"
          $0.lastCaptureAge = 1_200_001
        },
        {
          $0.capturing = "noFix"
          $0.lastCaptureAge = nil
        },
      ],
      not: [
        // Two intervals of ten minutes.
        {
          $0.capturing = "poorAccuracy"
          $0.lastCaptureAge = 1_200_000
        },
        {
          $0.capturing = "atRest"
          $0.lastCaptureAge = 3_000_000
        },
        // Awake for a minute only.
        {
          $0.capturing = "noFix"
          $0.lastCaptureAge = 3_000_000
          $0.receiverAwakeFor = 60_000
        },
      ]),
    Row(
      .modemPortTaken,
      [
        { $0.isModemPortTaken = true },
        {
          $0.isModemPortTaken = true
          $0.modemPort = TrackerFacts.notConnected
        },
      ],
      not: [
        {
          $0.isModemPortTaken = true
          $0.hasModem = false
        },
        {
          $0.isModemPortTaken = true
          $0.session = .finished
        },
      ]),
    Row(
      .modemUnplugged, [{ $0.modemPort = TrackerFacts.notConnected }],
      not: [
        {
          $0.modemPort = TrackerFacts.notConnected
          $0.hasModem = false
        }
      ]),
    Row(
      .modemSilent,
      sending("modemSilent") + [{ $0.modem = "faulted" }, { $0.obstacle = "modemSilent" }],
      not: sending("modemOff")),
    Row(.noSIM, sending("noSIM") + [{ $0.obstacle = "noSIM" }], not: sending("searching")),
    Row(.simLocked, sending("simLocked"), not: sending("searching")),
    Row(.simLastTry, sending("simLastTry"), not: sending("simLocked")),
    Row(.simUncertain, sending("simUncertain"), not: sending("simLocked")),
    Row(.simBlocked, sending("simBlocked"), not: sending("simLocked")),
    Row(.operatorLocked, sending("operatorLocked"), not: sending("simLocked")),
    Row(.simRefused, sending("simRefused"), not: sending("registrationDenied")),
    Row(
      .networkDenies,
      [
        {
          $0.sending = "registrationDenied"
          $0.lastDelivery = nil
        }
      ],
      not: sending("noBearer") + [
        // In a valley where only foreign networks are heard.
        {
          $0.sending = "registrationDenied"
          $0.lastDelivery = 3_600_000
        }
      ]),
    Row(
      .unauthorised,
      sending("unauthorised") + [
        {
          $0.sending = "searching"
          $0.obstacle = "unauthorised"
        }
      ], not: sending("backingOff 503")),
    Row(
      .serverRefuses, sending("serverRejected 400") + [{ $0.obstacle = "serverRejected 400" }],
      not: sending("backingOff 0")),
    undelivered(.portal, .portal, after: 0),
    undelivered(.accessPointRefused, .accessPoint, after: known),
    undelivered(.noDataConnection, .dataConnection, after: known),
    undelivered(.noInterface, .interface, after: known),
    undelivered(.otherAddressFamily, .addressFamily, after: 0),
    undelivered(.nameNotFound, .name, after: known),
    undelivered(.tlsFailed, .certificate, after: known),
    undelivered(.proxyRefuses, .proxy, after: known),
    undelivered(.foreignServer, .foreignServer, after: known),
    undelivered(.settingsUnusable, .settings, after: 0),
    undelivered(.weakSupply, .supply, after: known),
    undelivered(.noConnection, .connection, after: known),
    undelivered(.serverBusy, .busy, after: contact),
    undelivered(.serverSilent, .silence, after: contact),
    Row(
      .noNetwork,
      [
        {
          ($0.lastContact, $0.sending, $0.simReady) = (nil, "searching", 0)
          $0.runningFor = contact + 1
        }
      ],
      not: [
        {
          ($0.lastContact, $0.sending, $0.simReady) = (nil, "searching", 0)
          $0.runningFor = contact
        },
        {
          ($0.lastContact, $0.sending, $0.simReady) = (nil, "searching", 0)
          ($0.runningFor, $0.lastDelivery) = (contact + 1, 3_600_000)
        },
      ]),
    Row(
      .neverReached,
      [
        {
          $0.lastContact = nil
          $0.runningFor = contact + 1
        },
        {
          $0.lastContact = nil
          $0.lastDelivery = Milliseconds.hours(6).count
        },
      ],
      not: [
        {
          $0.lastContact = nil
          $0.runningFor = contact
        },
        {
          $0.lastContact = nil
          $0.lastDelivery = Milliseconds.hours(6).count - 1
        },
      ]),
    Row(.setAside, [{ $0.setAside = 1 }], not: [{ $0.setAside = 0 }]),
    Row(
      .clockUntrusted,
      [
        {
          $0.isClockTrusted = false
          $0.runningFor = fix + 1
        }
      ],
      not: [
        {
          $0.isClockTrusted = false
          $0.runningFor = fix
        }
      ]),
    Row(.sharedIdentity, [{ $0.displaced = 1 }], not: [{ $0.displaced = 0 }]),
    Row(
      .starting, [{ $0.runningFor = 5000 }, { $0.runningFor = nil }],
      not: [{ $0.runningFor = 5001 }], isWait: true),
    Row(
      .firstFix,
      [
        {
          $0.fixAge = nil
          $0.noFix = 2000
        },
        { $0.noFix = 60_001 }, { $0.noFix = fix },
      ],
      not: [{ $0.noFix = 60_000 }, { $0.noFix = fix + 1 }], isWait: true),
    Row(
      .firstDate,
      [
        {
          $0.isClockTrusted = false
          $0.runningFor = fix
        }
      ],
      not: [
        {
          $0.isClockTrusted = false
          $0.runningFor = fix + 1
        }
      ], isWait: true),
    Row(
      .modemStarting,
      [
        {
          $0.lastContact = nil
          $0.modem = "searching"
          $0.runningFor = contact
        }
      ],
      not: [
        {
          $0.lastContact = nil
          $0.modem = "searching"
          $0.runningFor = contact + 1
        },
        {
          $0.lastContact = nil
          $0.runningFor = contact
        },
      ], isWait: true),
    Row(
      .firstContact,
      [
        {
          $0.lastContact = nil
          $0.runningFor = contact
        }
      ],
      not: [
        {
          $0.lastContact = nil
          $0.runningFor = contact + 1
        },
        { $0.lastContact = 0 },
      ], isWait: true),
  ]

  @Test func `The rows are those of the table, in its order`() {
    #expect(Self.rows.map(\.cause) == Cause.allCases, Self.again)
    for row in Self.rows { #expect(row.cause.isWait == row.isWait, "\(row.cause); \(Self.again)") }
  }

  @Test(arguments: rows)
  func `A row holds on its side of the threshold, first and alone of its kind`(_ row: Row) {
    for (index, change) in row.holds.enumerated() {
      var facts = TrackerFacts.healthy
      change(&facts)
      let verdict = Verdict(of: facts)
      let note: Comment = "\(row.cause) \(index); \(Self.again)"
      #expect(verdict.cause == row.cause, note)
      #expect(verdict.kind == (row.isWait ? .wait : .noGo), note)
      #expect(verdict.exitCode == (row.isWait ? 3 : 1), note)
      let others = Cause.allCases.filter { !$0.isWait && $0.finding(in: facts) != nil }
      #expect(others == (row.isWait ? [] : [row.cause]), note)
    }
    for (index, change) in row.beside.enumerated() {
      let verdict = Self.verdict(change)
      #expect(verdict.cause != row.cause, "beside \(row.cause) \(index); \(Self.again)")
    }
  }

  @Test func `Of two causes that hold the earlier one wins, but of two waits the longer`() {
    var pairs = 0
    for (index, first) in Self.rows.enumerated() {
      for second in Self.rows[(index + 1)...] where !(first.isWait && second.isWait) {
        for changes in [[first, second], [second, first]] {
          var facts = TrackerFacts.healthy
          for row in changes { row.holds[0](&facts) }
          // Some exclude each other, as two words for the same fact do.
          guard first.cause.finding(in: facts) != nil, second.cause.finding(in: facts) != nil
          else { continue }
          pairs += 1
          guard !first.cause.isWait else { continue }
          let found = Verdict(of: facts).cause
          let isFirst = found == first.cause || found.map { $0.place < first.cause.place } ?? false
          #expect(isFirst, "\(first.cause) before \(second.cause): \(found as Any); \(Self.again)")
        }
      }
    }
    #expect(pairs > 200, "\(pairs); \(Self.again)")
  }

  @Test func `NO-GO comes before WAIT, and a wait lasts until the longest is over`() {
    let both = Self.verdict(
      {
        $0.fixAge = nil
        $0.noFix = 2000
      }, { $0.setAside = 1 })
    #expect(both.cause == .setAside && both.kind == .noGo, Self.again)
    let waits = Self.verdict(
      {
        $0.fixAge = nil
        $0.noFix = 60_000
        $0.runningFor = 60_000
        $0.lastContact = nil
      })
    #expect(waits.cause == .firstContact && waits.word == "WAIT 19:00", Self.again)
  }

  @Test func `A healthy tracker is GO, and so is one that waits for coverage`() {
    #expect(Self.verdict().kind == .go && Self.verdict().exitCode == 0, Self.again)
    func text(_ change: Change) -> String {
      var facts = TrackerFacts.healthy
      change(&facts)
      let verdict = Verdict(of: facts)
      return verdict.word + " " + verdict.explanation(of: facts, in: .english)
    }
    #expect(text { _ in } == "GO ", Self.again)
    for reason in ["searching", "noBearer", "backingOff 0"] {
      #expect(
        text { ($0.pending, $0.sending) = (12, reason) } == "GO 12 waiting for coverage",
        Self.again)
    }
    #expect(
      text { ($0.pending, $0.sending) = (3, "backingOff 503") } == "GO 3 waiting for the server",
      Self.again)
    #expect(text { ($0.pending, $0.sending) = (1, "notDue") } == "GO 1 to send", Self.again)
  }

  @Test func `A finished tracker is GO, with what it still has to send`() {
    func text(_ change: Change) -> String {
      var facts = TrackerFacts.healthy
      facts.session = .finished
      facts.isReceiverAwake = false
      change(&facts)
      let verdict = Verdict(of: facts)
      return verdict.word + " " + verdict.explanation(of: facts, in: .english)
    }
    #expect(text { _ in } == "GO finished", Self.again)
    #expect(text { $0.pending = 4 } == "GO finished, 4 to send", Self.again)
    #expect(text { $0.isBatteryMeasured = false } == "GO finished", Self.again)
  }

  @Test func `What is wrong with a store is said without its path and without the cure`() {
    var facts = TrackerFacts.healthy
    facts.store = "/var/lib/trailtracker/captures.db"
    for (problem, text) in [
      (
        "/var/lib/trailtracker/captures.db: the disk is full; make room on it (SQLite 13)",
        "captures cannot be stored: the disk is full"
      ), ("/mnt/b: is damaged", "captures cannot be stored: /mnt/b: is damaged"),
    ] {
      facts.storeProblem = problem.texts
      #expect(Verdict(of: facts).explanation(of: facts, in: .english) == text, Self.again)
    }
  }

  @Test func `A hung tracker's process and its last sign of life are told`() {
    var facts = TrackerFacts.healthy
    (facts.presence, facts.lastSignOfLife) = (.hung, 90_000)
    facts.systemd = Texts(ca: "ca", es: "es", en: "process 812 is stopped", fr: "arrêté")
    #expect(
      Verdict(of: facts).explanation(of: facts, in: .english)
        == "trackerd does not answer: process 812 is stopped; last sign of life 90 s ago",
      Self.again)
    #expect(
      Verdict(of: facts).explanation(of: facts, in: .french)
        == "trackerd ne répond pas : arrêté ; dernier signe de vie il y a 90 s", Self.again)
  }

  @Test func `What was days ago is told by its date, if the date is known`() {
    var facts = TrackerFacts()
    (facts.presence, facts.utc) = (.dead, Walk.start.milliseconds)
    func text(_ age: Int64?, _ language: Language = .english) -> String {
      facts.lastSignOfLife = age
      return Verdict(of: facts).explanation(of: facts, in: language)
    }
    let hours = Milliseconds.hours(48).count
    let date = CalendarText.text(Walk.start + .hours(-48)).dropLast(3)
    #expect(text(hours - 1) == "trackerd does not run, for 47 h 59 min", Self.again)
    #expect(text(hours) == "trackerd does not run, since \(date) UTC", Self.again)
    #expect(text(hours, .catalan) == "trackerd no funciona, des de \(date) UTC", Self.again)
    #expect(text(nil) == "trackerd does not run", Self.again)
    facts.utc = nil
    #expect(text(hours) == "trackerd does not run, for 2 d", Self.again)
  }

  @Test func `What nothing measures and a finish that nobody set are no causes`() {
    var facts = TrackerFacts.healthy
    (facts.batteryState, facts.isBatteryMeasured, facts.batteryReaches) = (.noSensor, false, nil)
    facts.untilFinish = nil
    let verdict = Verdict(of: facts)
    #expect(verdict.kind == .go, Self.again)
    #expect(
      verdict.explanation(of: facts, in: .english) == "battery not measured", Self.again)
  }
}

extension Cause {
  fileprivate var place: Int { Cause.allCases.firstIndex(of: self) ?? 0 }
}
