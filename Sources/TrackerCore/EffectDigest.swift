/// A hash of a tracker's effects in their order: two runs with the same one did the same.
///
/// A controller records it in place of the effects (`CardRecording`), and has no room for their
/// names. Each effect counts with all its values but, of what is remembered, only those that change
/// with a person's orders, the charge and the course. 32-bit FNV-1a of words, which is not
/// cryptographic.
public struct EffectDigest: Sendable, Equatable {
  public private(set) var value: UInt32 = 0x811C_9DC5

  public init() {}

  private mutating func mix(_ word: UInt32) {
    value = (value ^ word) &* 0x0100_0193
    // The multiplication moves nothing towards the lower bits.
    value ^= value >> 15
  }

  @inline(never) private mutating func add(_ number: Int64) {
    mix(UInt32(truncatingIfNeeded: number))
    mix(UInt32(truncatingIfNeeded: number >> 32))
  }

  private mutating func add(_ number: Int32?) { add(number.map { Int64($0) } ?? .min) }
  private mutating func add(_ date: UTC?) { add(date?.milliseconds ?? .min) }

  private mutating func add<let capacity: Int>(_ text: InlineText<capacity>) {
    add(Int64(text.count))
    for index in 0..<text.count { mix(UInt32(text[index])) }
  }

  /// A tag, and a number that belongs to it.
  @inline(never) private mutating func add(_ tag: UInt8, _ number: Int64) {
    mix(UInt32(tag))
    add(number)
  }

  // MARK: Effects

  @inline(never) public mutating func add(_ effect: Effect) {
    switch effect {
    case .store(let capture): add(capture)
    case .upload(let request): add(request)
    case .reconcile(let id): add(3, Int64(id.number))
    case .fetch(let id): add(4, Int64(id.number))
    case .setAside(.refusedOfLastUpload): add(5, -1)
    case .setAside(.capture(let key, let code)):
      add(6, Int64(key.number))
      add(Int64(code))
    case .pulse(let pin, let length): add(7 + pin.rawValue, length.count)
    case .setPin(let pin, let isActive): add(9 + pin.rawValue, isActive ? 1 : 0)
    case .setLight(let light): add(11, Int64(light.rawValue))
    case .sendToModem(let command): add(12, Int64(command.rawValue))
    case .setModemBaud(let baud):
      add(13, 0)
      add(baud)
    case .sendToReceiver(let command): add(14, Int64(command.rawValue))
    case .setLink(let isUp): add(15, isUp ? 1 : 0)
    case .sendText(let id): add(16, Int64(id.number))
    case .readTexts(let id): add(17, Int64(id.number))
    case .rememberPIN(let isTried): add(18, isTried ? 1 : 0)
    case .halt(let time): add(19, time.count)
    case .note(let note): add(note)
    }
  }

  @inline(never) private mutating func add(_ capture: Capture) {
    add(1, Int64(capture.sequence))
    add(capture.utc)
    add(capture.isTimeTrusted ? 1 : Int64(0))
    add(capture.position?.latitude)
    add(capture.position?.longitude)
    add(capture.altitudeMillimetres)
    add(capture.speedMillimetresPerSecond)
    add(capture.courseMillidegrees)
    add(capture.accuracyMetres)
    add(capture.satellites.map { Int32($0) })
    add(capture.batteryPercent.map { Int32($0) })
    add(capture.batteryMillivolts)
    add(Int64(capture.trigger.rawValue))
    add(capture.team)
    add(capture.mark?.doneMetres)
    add(capture.mark?.toGoMetres)
    add(capture.mark?.place.map { Int32($0) })
  }

  private mutating func add(_ request: UploadRequest) {
    add(2, Int64(request.id.number))
    switch request.selection {
    case .freshest(let limit): add(0, Int64(limit))
    case .oldest(let limit): add(1, Int64(limit))
    }
    add(request.nextContactBy)
    add(Int64(request.silence.rawValue))
  }

  @inline(never) private mutating func add(_ note: Note) {
    switch note {
    case .sessionStarted: add(32, 0)
    case .sessionStopped: add(33, 0)
    case .sessionFinished: add(34, 0)
    case .orderEnded(let key): add(35, Int64(key.rawValue))
    case .captured(let sequence): add(36, Int64(sequence))
    case .notCaptured(let reason): add(37, reason)
    case .capturing(let reason): add(38, reason)
    case .sending(let reason): add(39, reason)
    case .modem(let phase): add(40, Int64(phase.rawValue))
    case .fixRejected(let rejection): add(41, Int64(rejection.rawValue))
    case .clockTrusted(let utc): add(42, utc.milliseconds)
    case .weekRolloverCorrected(let weeks): add(43, Int64(weeks))
    case .receiverSilent: add(44, 0)
    case .receiverHeard: add(45, 0)
    case .receiverFloods(let bytesPerSecond): add(46, Int64(bytesPerSecond))
    case .signal(let dBm): add(47, Int64(dBm))
    case .networkOperator(let name):
      add(48, 0)
      add(name)
    case .modemSupply(let millivolts): add(49, Int64(millivolts))
    case .subscriber(let number):
      add(50, 0)
      add(number)
    case .equipment(let number):
      add(51, 0)
      add(number)
    case .modemRecovery(let rung): add(52, Int64(rung.rawValue))
    case .modemRestarted: add(53, 0)
    case .modemStatusContradicted: add(54, 0)
    case .radioStaysOn: add(55, 0)
    case .externalPower(let isPresent): add(56, isPresent ? 1 : 0)
    case .accessPointRefused: add(57, 0)
    case .pinRefused: add(58, 0)
    case .textFinished(let wasSent): add(59, wasSent ? 1 : 0)
    case .passage(let passage):
      add(60 + passage.kind.rawValue, Int64(passage.place))
      add(passage.at.milliseconds)
    case .offCourse(let since, let metres):
      add(64, since.milliseconds)
      add(Int64(metres))
    case .backOnCourse: add(65, 0)
    case .backwards(let since): add(66, since.milliseconds)
    case .forwards: add(67, 0)
    case .courseChanged: add(68, 0)
    case .emergency(let stage): add(69, Int64(stage.rawValue))
    case .callRequest(let isOpen): add(70, isOpen ? 1 : 0)
    }
  }

  private mutating func add(_ tag: UInt8, _ reason: Reason?) {
    guard let reason else { return add(tag, -1) }
    let key = reason.key
    add(tag, Int64(key.utf8CodeUnitCount))
    for index in 0..<key.utf8CodeUnitCount { mix(UInt32(key.utf8Start[index])) }
    add(reason.detail)
  }

  // MARK: What is remembered

  @inline(never) public mutating func add(_ memory: Memory) {
    add(128, Int64(memory.session?.number ?? 0))
    add((memory.session?.ending?.rawValue).map { Int32($0) })
    add((memory.sessionOrder?.value).map { $0 ? 1 : 0 })
    if let order = memory.teamOrder { add(order.value) }
    add(memory.charge?.charge)
    add(memory.charge?.drain)
    add(memory.course?.done)
    add(memory.sleep?.alarm.count ?? .min)
    add((memory.emergency?.stage.rawValue).map { Int32($0) })
    if let emergency = memory.emergency { add(emergency.person) }
  }
}
