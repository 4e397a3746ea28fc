import TrackerCore
import Wording

@testable import FieldConsole

// What makes each row of the table hold, and what comes just beside it.
extension VerdictTests {
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
    undelivered(.modemTLSFailed, .modemCertificate, after: known),
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
      .radioStuck, [{ $0.isRadioStuck = true }],
      not: [{ $0.isRadioStuck = false }, { ($0.isRadioStuck, $0.session) = (true, .stopped) }]),
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
}
