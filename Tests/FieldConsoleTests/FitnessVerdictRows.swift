import TrackerCore
import Wording

@testable import FieldConsole

// What makes each row of the table hold, and what comes just beside it.
extension FitnessVerdictTests {
  private static func sending(_ reason: Reason) -> [Change] {
    [{ $0.sending.reason = reason }]
  }

  private static let known = Milliseconds.minutes(5)

  /// A cause that is known: after so long while nothing was ever delivered, and after 20 min in the
  /// network when something was.
  private static func undelivered(
    _ row: Cause, _ cause: FailureCause, after patience: Milliseconds
  ) -> Row {
    func facts(_ change: @escaping Change) -> Change {
      {
        ($0.queue.pending, $0.sending.failing, $0.sending.lastContact) = (1, cause, nil)
        $0.identity.runningFor = patience
        change(&$0)
      }
    }
    var holds = [facts { $0.sending.failingFor = patience + 1 }]
    var beside = [
      facts { $0.sending.failingFor = patience },
      facts {
        ($0.sending.failingFor, $0.sending.failingInNetworkFor, $0.sending.lastDelivery) = (
          contact, contact, 1
        )
      },
      // In a hole of the coverage, after others.
      facts {
        ($0.sending.failingFor, $0.sending.failingInNetworkFor, $0.sending.lastDelivery) = (
          contact + contact + contact, contact + 1, 1
        )
        ($0.sending.reason, $0.modem.phase) = (.searching, .off)
      },
    ]
    let known = facts {
      ($0.sending.failingFor, $0.sending.failingInNetworkFor, $0.sending.lastDelivery) = (
        contact + 1, contact + 1, 1
      )
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
    Row(.notInstalled, [{ $0.identity.presence = .notInstalled }], not: [{ _ in }]),
    Row(.dead, [{ $0.identity.presence = .dead }], not: [{ _ in }]),
    Row(.hung, [{ $0.identity.presence = .hung }], not: [{ _ in }]),
    Row(
      .emergency, [{ $0.emergency.stage = .raised }, { $0.emergency.stage = .withdrawn }],
      not: [{ $0.emergency.stage = .ended }]),
    Row(.callAsked, [{ $0.session.callAsked = .minutes(3) }], not: [{ _ in }]),
    Row(
      .sessionStopped, [{ $0.session.state = .stopped }], not: [{ $0.session.state = .finished }]),
    Row(
      .storeFailed,
      [{ $0.store.problem = "I/O error".texts }, { $0.captures.reason = .storeFailed }],
      not: [{ $0.captures.reason = .poorAccuracy }]),
    Row(
      .diskFull,
      [{ $0.store.diskFree = (8 << 20) - 1 }, { $0.store.second = "captures.db-2".texts }],
      not: [{ $0.store.diskFree = 8 << 20 }]),
    Row(
      .batteryShort, [{ $0.battery.reachesFinish = false }],
      not: [
        { $0.battery.reachesFinish = nil },
        {
          $0.battery.reachesFinish = false
          $0.battery.isCharging = true
        },
        {
          $0.battery.reachesFinish = false
          $0.session.state = .finished
        },
      ]),
    Row(
      .batteryLow,
      [
        {
          $0.battery.isInReserve = true
          $0.battery.reachesFinish = nil
        },
        // It was in its reserve when it was last measured.
        {
          $0.battery.isInReserve = true
          $0.battery.reachesFinish = nil
          ($0.battery.state, $0.battery.isMeasured) = (.lost, false)
        },
      ],
      not: [
        { $0.battery.reachesFinish = nil },
        { $0.battery.isInReserve = true },
        {
          $0.battery.isInReserve = true
          $0.battery.reachesFinish = false
        },
        {
          $0.battery.isInReserve = true
          $0.battery.reachesFinish = nil
          $0.battery.isCharging = true
        },
        {
          $0.battery.isInReserve = true
          $0.battery.reachesFinish = nil
          $0.session.state = .finished
        },
      ]),
    Row(.receiverUnplugged, [{ $0.receiver.problem = "no such device".texts }], not: [{ _ in }]),
    Row(
      .receiverSilent, [{ $0.receiver.isSilent = true }],
      not: [
        {
          $0.receiver.isSilent = true
          $0.session.state = .finished
        }
      ]),
    Row(
      .receiverNoise,
      [
        {
          (
            $0.receiver.bytesPerMinute, $0.receiver.rejectedPerMinute,
            $0.receiver.sentencesPerMinute
          ) = (200, 6, 5)
        }
      ],
      not: [
        {
          (
            $0.receiver.bytesPerMinute, $0.receiver.rejectedPerMinute,
            $0.receiver.sentencesPerMinute
          ) = (199, 6, 5)
        },
        {
          (
            $0.receiver.bytesPerMinute, $0.receiver.rejectedPerMinute,
            $0.receiver.sentencesPerMinute
          ) = (200, 5, 5)
        },
      ]),
    Row(
      .noFix,
      [
        { $0.receiver.noFix = fix + 1 },
        {
          $0.receiver.coldStart = 100_000
          $0.receiver.noFix = 200_001
        },
        {
          $0.receiver.noFix = nil
          $0.receiver.fixAge = fix + 1
        },
      ],
      not: [
        { $0.receiver.noFix = fix },
        {
          $0.receiver.coldStart = 100_000
          $0.receiver.noFix = 200_000
        },
        // Asleep until the next capture it needs none.
        {
          $0.receiver.noFix = fix + 1
          $0.receiver.isAwake = false
        },
      ]),
    Row(
      .poorFix,
      [
        {
          $0.captures.reason = .poorAccuracy
          $0.captures.lastAge = 1_200_001
        },
        {
          $0.captures.reason = .noFix
          $0.captures.lastAge = nil
        },
      ],
      not: [
        // Two intervals of ten minutes.
        {
          $0.captures.reason = .poorAccuracy
          $0.captures.lastAge = 1_200_000
        },
        {
          $0.captures.reason = .atRest
          $0.captures.lastAge = 3_000_000
        },
        // Awake for a minute only.
        {
          $0.captures.reason = .noFix
          $0.captures.lastAge = 3_000_000
          $0.receiver.awakeFor = 60_000
        },
      ]),
    Row(
      .modemPortTaken,
      [
        { $0.modem.isPortTaken = true },
        {
          $0.modem.isPortTaken = true
          $0.modem.port = .notConnected
        },
      ],
      not: [
        {
          $0.modem.isPortTaken = true
          $0.modem.isPresent = false
        },
        {
          $0.modem.isPortTaken = true
          $0.session.state = .finished
        },
      ]),
    Row(
      .modemUnplugged, [{ $0.modem.port = .notConnected }],
      not: [
        {
          $0.modem.port = .notConnected
          $0.modem.isPresent = false
        }
      ]),
    Row(
      .modemSilent,
      sending(.modemSilent) + [
        { $0.modem.phase = .faulted }, { $0.sending.obstacle = .modemSilent },
      ],
      not: sending(.modemOff)),
    Row(.noSIM, sending(.noSIM) + [{ $0.sending.obstacle = .noSIM }], not: sending(.searching)),
    Row(.simLocked, sending(.simLocked), not: sending(.searching)),
    Row(.simLastTry, sending(.simLastTry), not: sending(.simLocked)),
    Row(.simUncertain, sending(.simUncertain), not: sending(.simLocked)),
    Row(.simBlocked, sending(.simBlocked), not: sending(.simLocked)),
    Row(.operatorLocked, sending(.operatorLocked), not: sending(.simLocked)),
    Row(.simRefused, sending(.simRefused), not: sending(.registrationDenied)),
    Row(
      .networkDenies,
      [
        {
          $0.sending.reason = .registrationDenied
          $0.sending.lastDelivery = nil
        }
      ],
      not: sending(.noBearer) + [
        // In a valley where only foreign networks are heard.
        {
          $0.sending.reason = .registrationDenied
          $0.sending.lastDelivery = 3_600_000
        }
      ]),
    Row(
      .unauthorised,
      sending(.unauthorised) + [
        {
          $0.sending.reason = .searching
          $0.sending.obstacle = .unauthorised
        }
      ], not: sending(.backingOff(status: 503))),
    Row(
      .serverRefuses,
      sending(.serverRejected(code: 400)) + [{ $0.sending.obstacle = .serverRejected(code: 400) }],
      not: sending(.backingOff(status: 0))),
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
          ($0.sending.lastContact, $0.sending.reason, $0.modem.simReady) = (nil, .searching, 0)
          $0.identity.runningFor = contact + 1
        }
      ],
      not: [
        {
          ($0.sending.lastContact, $0.sending.reason, $0.modem.simReady) = (nil, .searching, 0)
          $0.identity.runningFor = contact
        },
        {
          ($0.sending.lastContact, $0.sending.reason, $0.modem.simReady) = (nil, .searching, 0)
          ($0.identity.runningFor, $0.sending.lastDelivery) = (contact + 1, 3_600_000)
        },
      ]),
    Row(
      .neverReached,
      [
        {
          $0.sending.lastContact = nil
          $0.identity.runningFor = contact + 1
        },
        {
          $0.sending.lastContact = nil
          $0.sending.lastDelivery = .hours(6)
        },
      ],
      not: [
        {
          $0.sending.lastContact = nil
          $0.identity.runningFor = contact
        },
        {
          $0.sending.lastContact = nil
          $0.sending.lastDelivery = .hours(6) - 1
        },
      ]),
    Row(.setAside, [{ $0.queue.setAside = 1 }], not: [{ $0.queue.setAside = 0 }]),
    Row(
      .radioStuck, [{ $0.modem.isRadioStuck = true }],
      not: [
        { $0.modem.isRadioStuck = false },
        { ($0.modem.isRadioStuck, $0.session.state) = (true, .stopped) },
      ]),
    Row(
      .clockUntrusted,
      [
        {
          $0.clock.isTrusted = false
          $0.identity.runningFor = fix + 1
        }
      ],
      not: [
        {
          $0.clock.isTrusted = false
          $0.identity.runningFor = fix
        }
      ]),
    Row(.sharedIdentity, [{ $0.store.displaced = 1 }], not: [{ $0.store.displaced = 0 }]),
    Row(
      .starting, [{ $0.identity.runningFor = 5000 }, { $0.identity.runningFor = nil }],
      not: [{ $0.identity.runningFor = 5001 }], isWait: true),
    Row(
      .firstFix,
      [
        {
          $0.receiver.fixAge = nil
          $0.receiver.noFix = 2000
        },
        { $0.receiver.noFix = 60_001 }, { $0.receiver.noFix = fix },
      ],
      not: [{ $0.receiver.noFix = 60_000 }, { $0.receiver.noFix = fix + 1 }], isWait: true),
    Row(
      .firstDate,
      [
        {
          $0.clock.isTrusted = false
          $0.identity.runningFor = fix
        }
      ],
      not: [
        {
          $0.clock.isTrusted = false
          $0.identity.runningFor = fix + 1
        }
      ], isWait: true),
    Row(
      .modemStarting,
      [
        {
          $0.sending.lastContact = nil
          $0.modem.phase = .searching
          $0.identity.runningFor = contact
        }
      ],
      not: [
        {
          $0.sending.lastContact = nil
          $0.modem.phase = .searching
          $0.identity.runningFor = contact + 1
        },
        {
          $0.sending.lastContact = nil
          $0.identity.runningFor = contact
        },
      ], isWait: true),
    Row(
      .firstContact,
      [
        {
          $0.sending.lastContact = nil
          $0.identity.runningFor = contact
        }
      ],
      not: [
        {
          $0.sending.lastContact = nil
          $0.identity.runningFor = contact + 1
        },
        { $0.sending.lastContact = 0 },
      ], isWait: true),
  ]
}
