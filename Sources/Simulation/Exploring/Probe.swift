/// What exploring is to have met. Counted by what happened in a race, not by what was drawn.
public enum Probe: String, Sendable, CaseIterable {
  case capture, delivery, reconcile, setAside
  case storeFailed
  case busy, unauthorised, refused, ambiguous, unreachable, refusedCapture
  case link, modemInUse, modemStarting
  case modemSearching, modemFaulted
  case powerCycle, secondCycle, radioCycle
  case joinedAgain
  case freshestSent, withheld
  case positionPosted, longWait, smallRequestTaken
  case modemScript, modemAskedAgain
  case noSIM, simLocked, denied
  case pinEntered, pinOrdered, simRefused, simLastTry
  case noBearer, reconnectFloor
  case textSent
  case receiverSilent, receiverHeard
  case receiverSleeps
  case fixRejected, rollover, clockTrusted
  case sessionStopped, sessionFinished, atRest
  case callAsked
  case emergency, emergencyDelivered
  case emergencyWithdrawn
  case kill, killAtEffect, powerCut, halt
  case killWhileSending, killWhileStoring
  case killInWrite, powerCutInWrite, unflushedLost
  case clockJump, slowDisk, diskLoss, identifiersTaken
  case batteryReserve, batteryEmpty
  case stillPending
  case settingsEdited, settingsReloaded, boardChanged, modemLeft
  case cardMoved, secondTracker, twin
  case noteArrived, messageArrived
  case orderObeyed, orderAgain, orderLate
  case callRead, callEnded

  /// Those that must be met in races of a controller.
  public static let ofControllers: [Probe] = [
    .capture, .delivery, .freshestSent, .setAside, .storeFailed, .diskLoss, .busy, .unauthorised,
    .unreachable, .ambiguous, .refusedCapture, .kill, .powerCut, .killInWrite, .powerCutInWrite,
    .emergency, .emergencyDelivered,
  ]
}
