import Foundation
import HTTPTransfer
import SystemCalls
import TrackerCore
import Uplink

/// Many trackers that report to one basecamp on this machine, with trackerd's requests and its
/// client: each keeps its connection, sends its newest captures first, and waits as it is told.
final class SeasonFleet {
  /// What all of them have seen.
  struct Tally {
    var made = 0
    var acknowledged = 0
    /// Acknowledged, and there before: their first answer was lost.
    var found = 0
    var requests = 0
    /// Requests that were not answered with success, by how.
    var failures: [String: Int] = [:]
    /// From a request to its answer, seconds.
    var answers: [Double] = []
    /// From a call for help, as soon as it is made, to its acknowledgement.
    var emergencies: [Double] = []
  }

  fileprivate struct Made {
    var number: UInt32
    var time: Date
    var isEmergency = false
  }

  /// One tracker.
  final class Member {
    fileprivate let number: Int
    fileprivate let device: UniqueID
    fileprivate var client: HTTPClient
    fileprivate var dialogue: ArcGISDialogue
    fileprivate var transfer: (id: TransferID, since: Date)?
    /// What its transfer waits for; asked for after each step only.
    fileprivate var interests: [PollInterest] = []
    fileprivate var dueAt = Date.distantFuture
    /// The newest last.
    fileprivate var waiting: [Made] = []
    fileprivate var sending: [Made] = []
    fileprivate var wasSent: Set<UInt32> = []
    fileprivate var last: UInt32 = 0
    fileprivate var notBefore = Date.distantPast

    init(_ number: Int, _ layer: LayerAddress) throws {
      self.number = number
      device = SeasonFleet.device(number)
      client = try HTTPClient()
      var configuration = ArcGISConfiguration(address: layer)
      configuration.deviceCode = "\(number)"
      dialogue = try ArcGISDialogue(configuration)
    }

    fileprivate func look() {
      interests = client.interests
      dueAt =
        client.timeoutMilliseconds.map { Date(timeIntervalSinceNow: Double($0) / 1000) }
        ?? .distantFuture
    }
  }

  private(set) var tally = Tally()
  let members: [Member]
  /// Captures in one request.
  private let batch: Int
  private var active: [Int: Member] = [:]
  /// Watched beside them: is told when there is something to read, and says whether it goes on.
  var watched: (descriptor: Int32, body: () -> Bool)?
  /// What was acknowledged last, and when.
  private(set) var newest: (sequence: UInt32, of: Int, at: Date)?

  init(_ count: Int, on camp: BenchedCamp, batch: Int = 100) throws {
    let layer = try LayerAddress("http://127.0.0.1:\(camp.port)\(BenchedCamp.layer)")
    members = try (1...count).map { try Member($0, layer) }
    self.batch = batch
  }

  var isQuiet: Bool { active.isEmpty && members.allSatisfy(\.waiting.isEmpty) }
  var waiting: Int { members.reduce(0) { $0 + $1.waiting.count + $1.sending.count } }

  func isIdle(_ member: Member) -> Bool { member.transfer == nil && member.waiting.isEmpty }

  /// A tracker takes captures, one each ten seconds until now. A call for help ends a wait that the
  /// server has asked for, as in the core.
  func capture(_ member: Member, count: Int = 1, isEmergency: Bool = false) {
    let now = Date()
    for age in (0..<count).reversed() {
      member.last += 1
      let time = now - Double(age) * Self.pace
      member.waiting.append(
        Made(number: member.last, time: time, isEmergency: isEmergency && age == 0))
    }
    tally.made += count
    if isEmergency { member.notBefore = .distantPast }
  }

  /// The core's, for a call for help.
  private static let urgentBatch = 8
  /// Seconds between two captures of one tracker.
  static let pace = 10.0

  /// Begins to send what is waiting, if it may now.
  func send(_ member: Member) {
    guard member.transfer == nil, !member.waiting.isEmpty, Date() >= member.notBefore else {
      return
    }
    let isUrgent = member.waiting.last?.isEmergency ?? false
    member.sending = Array(member.waiting.suffix(isUrgent ? Self.urgentBatch : batch))
    member.waiting.removeLast(member.sending.count)
    let outgoing = member.sending.reversed().map { Self.outgoing($0, of: member) }
    let now = Date().utc
    act(
      on: member.dialogue.begin(
        .upload(outgoing, nextContactBy: now + .minutes(20)), at: now), member)
  }

  static func device(_ number: Int) -> UniqueID {
    UniqueID(high: 0x5EA5_0000_0000_4000, low: 0xA000_0000_0000_0000 | UInt64(number))
  }

  /// No two trackers have the same, and none has it again soon: to six digits, with which it is
  /// found in the room.
  static func latitude(_ sequence: UInt32, of number: Int) -> Int32 {
    420_000_000 + Int32(clamping: number) * 1000 + Int32(sequence % 99) * 10 + 5
  }

  static func capture(
    _ sequence: UInt32, of number: Int, at time: Date, isEmergency: Bool = false
  ) -> Capture {
    var capture = Capture(
      sequence: sequence, utc: time.utc, isTimeTrusted: true,
      position: Coordinate(
        latitude: latitude(sequence, of: number),
        longitude: 24_890_000 + Int32(clamping: sequence % 10_000) * 31),
      team: InlineText(Array("Team \(number)".utf8).span),
      trigger: isEmergency ? .emergency : .interval)
    capture.accuracyMetres = 5
    capture.batteryPercent = UInt8(100 - sequence % 90)
    return capture
  }

  private static func outgoing(_ made: Made, of member: Member) -> OutgoingCapture {
    let capture = capture(
      made.number, of: member.number, at: made.time, isEmergency: made.isEmergency)
    var outgoing = OutgoingCapture(
      capture, key: CaptureKey(made.number), device: member.device,
      wasSent: member.wasSent.contains(made.number))
    outgoing.asksForHelp = made.isEmergency
    return outgoing
  }

  private func act(on step: UplinkStep, _ member: Member) {
    switch step {
    case .send(var request):
      let (high, low) = (member.number / 250, member.number % 250 + 1)
      request.headers.append(HTTPHeader("X-Forwarded-For", "10.1.\(high).\(low)"))
      member.transfer = (member.client.start(request), Date())
      member.look()
      active[member.number] = member
      tally.requests += 1
    case .done(let result): end(result, member)
    }
  }

  private func end(_ result: UplinkResult, _ member: Member) {
    active[member.number] = nil
    let done = Set(result.acknowledged.map(\.number))
    tally.acknowledged += done.count
    tally.found += result.found.count
    if let number = done.max() { newest = (number, member.number, Date()) }
    for made in member.sending where made.isEmergency && done.contains(made.number) {
      tally.emergencies.append(Date().timeIntervalSince(made.time))
    }
    member.wasSent.formUnion(result.doubtful.map(\.number))
    member.wasSent.subtract(done)
    // A call that came after this request is not put off with it.
    let isCalling = member.waiting.last?.isEmergency ?? false
    let left = member.sending.filter { !done.contains($0.number) }
    if !left.isEmpty {
      member.waiting = (member.waiting + left).sorted { $0.number < $1.number }
    }
    member.sending = []
    guard case .upload(let outcome) = result.outcome else { return }
    switch outcome {
    case .answered, .empty: return
    case .busy(let status, let wait):
      tally.failures["\(status)", default: 0] += 1
      let seconds = Double((wait ?? .seconds(5)).count) / 1000
      member.notBefore = isCalling ? .distantPast : Date(timeIntervalSinceNow: seconds)
    default:
      let name = "\(outcome)".prefix { $0 != "(" }
      tally.failures[String(name), default: 0] += 1
      member.notBefore = isCalling ? .distantPast : Date(timeIntervalSinceNow: 5)
    }
  }

  /// Sends until nothing is waiting.
  func drain(atMost limit: Double = 600) throws {
    let end = Date(timeIntervalSinceNow: limit)
    while !isQuiet {
      guard Date() < end else {
        throw BenchError(description: "\(waiting) captures are left after \(Int(limit)) s")
      }
      for member in members { send(member) }
      turn(within: 0.01)
    }
  }

  /// Waits for answers, and handles them.
  ///
  /// - Parameter seconds: the longest wait.
  func turn(within seconds: Double) {
    var polled: [pollfd] = []
    var owners: [Member?] = []
    for member in active.values {
      for interest in member.interests {
        let events =
          (interest.events.contains(.readable) ? POLLIN : 0)
          | (interest.events.contains(.writable) ? POLLOUT : 0)
        polled.append(pollfd(fd: interest.descriptor, events: Int16(events), revents: 0))
        owners.append(member)
      }
    }
    if let watched {
      polled.append(pollfd(fd: watched.descriptor, events: Int16(POLLIN), revents: 0))
      owners.append(nil)
    }
    // libcurl's timers are for connections that do not come about, and begin transfers.
    let due = active.values.lazy.map(\.dueAt).min() ?? .distantFuture
    let wait = min(seconds, due.timeIntervalSinceNow)
    Glibc.poll(&polled, nfds_t(polled.count), Int32(max(0, (wait * 1000).rounded(.up))))
    var found: [Int: [PollInterest]] = [:]
    for (index, entry) in polled.enumerated() where entry.revents != 0 {
      guard let member = owners[index] else {
        if watched?.body() == false { watched = nil }
        continue
      }
      var events: PollEvents = []
      if Int32(entry.revents) & POLLIN != 0 { events.insert(.readable) }
      if Int32(entry.revents) & POLLOUT != 0 { events.insert(.writable) }
      if Int32(entry.revents) & (POLLERR | POLLHUP) != 0 { events.insert(.failed) }
      found[member.number, default: []].append(PollInterest(entry.fd, events))
    }
    let now = Date()
    for member in Array(active.values) {
      let answered = found[member.number] ?? []
      guard !answered.isEmpty || member.dueAt <= now else { continue }
      for completion in member.client.step(answered) { receive(completion, member) }
      member.look()
    }
  }

  private func receive(_ completion: HTTPCompletion, _ member: Member) {
    guard let transfer = member.transfer, transfer.id == completion.id else { return }
    member.transfer = nil
    tally.answers.append(Date().timeIntervalSince(transfer.since))
    act(on: member.dialogue.receive(completion.reply, at: Date().utc), member)
  }
}

extension Date {
  var utc: UTC { UTC(milliseconds: Int64(timeIntervalSince1970 * 1000)) }
}
