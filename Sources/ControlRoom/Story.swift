import Courses
import TrackerCore

/// Everything that one tracker has delivered, in whatever order it came.
///
/// Two stories that were told the same are equal, however often and in whichever order.
struct Story: Sendable {
  /// A moment in which the tracker was heard.
  struct Contact: Sendable, Equatable {
    var at: UTC
    var promise: UTC?
    var silence: PlannedSilence
  }

  let tracker: String
  /// By time, then by identifier.
  private(set) var captures: [DeliveredCapture] = []
  /// Those without a time, which are on no way.
  private var timeless: [UniqueID: DeliveredCapture] = [:]
  /// By time; one for each moment.
  private(set) var contacts: [Contact] = []
  /// The way that the captures show.
  private(set) var way = Walk()
  /// Along the course at each of `captures`, metres; -1: not on it, or there is none.
  private(set) var alongs: [Int32] = []
  /// A capture from before the last one has come: way and `alongs` are to be made anew.
  private var isStale = false
  private var known: Set<UniqueID> = []
  /// When captures that ask for help arrived first, also those without a time.
  private var emergencies: [UniqueID: UTC] = [:]
  /// Those that have sent captures which the server has stored.
  private(set) var devices: Set<DeliveredCapture.Origin> = []
  /// Those of `known` that the server did not store, when it said so first, and why.
  private var refusals: [UniqueID: (at: UTC, reason: String)] = [:]

  init(tracker: String) { self.tracker = tracker }

  /// The last of its names.
  var name: String {
    if let team = captures.last(where: { !$0.team.isEmpty })?.team { return team }
    let named = timeless.values.filter { !$0.team.isEmpty }
    return named.max { ($0.at, $0.id.high, $0.id.low) < ($1.at, $1.id.high, $1.id.low) }?.team ?? ""
  }
  var last: DeliveredCapture? { captures.last }
  var contact: Contact? { contacts.last }

  /// `settle` has to follow.
  ///
  /// - Returns: whether it says anything new.
  mutating func take(_ arrival: DeliveredCapture, on course: MappedCourse?) -> Bool {
    // A text message promises nothing, and does not end a silence that needs a human.
    let isNewContact =
      arrival.phone == nil
      && note(Contact(at: arrival.at, promise: arrival.promise, silence: arrival.silence))
    if arrival.isEmergency {
      emergencies[arrival.id] = min(emergencies[arrival.id] ?? arrival.at, arrival.at)
    }
    if arrival.phone == nil, arrival.refusal == nil { devices.insert(arrival.origin) }
    guard known.insert(arrival.id).inserted else {
      return takeAgain(arrival, on: course) || isNewContact
    }
    if let reason = arrival.refusal { refusals[arrival.id] = (arrival.at, reason) }
    keep(arrival, on: course)
    return true
  }

  private mutating func keep(_ arrival: DeliveredCapture, on course: MappedCourse?) {
    guard let taken = arrival.taken else {
      timeless[arrival.id] = arrival
      return
    }
    insert(arrival, taken, on: course)
  }

  private mutating func insert(
    _ arrival: DeliveredCapture, _ taken: UTC, on course: MappedCourse?
  ) {
    let key = (taken.milliseconds, arrival.id.high, arrival.id.low)
    let index = captures.partitionPoint {
      ($0.taken?.milliseconds ?? 0, $0.id.high, $0.id.low) > key
    }
    captures.insert(arrival, at: index)
    if index == captures.count - 1, !isStale {
      alongs.append(way.take(arrival, on: course))
    } else {
      isStale = true
    }
  }

  /// A capture that was refused and then stored is the one that was stored.
  private mutating func takeAgain(_ arrival: DeliveredCapture, on course: MappedCourse?) -> Bool {
    guard let refusal = refusals[arrival.id] else {
      return arrival.refusal == nil && keepFirst(arrival)
    }
    if let reason = arrival.refusal {
      guard arrival.at < refusal.at else { return false }
      refusals[arrival.id] = (arrival.at, reason)
      return keepFirst(arrival)
    }
    refusals[arrival.id] = nil
    if let index = captures.firstIndex(where: { $0.id == arrival.id }) {
      captures.remove(at: index)
      isStale = true
    }
    timeless[arrival.id] = nil
    keep(arrival, on: course)
    return true
  }

  /// A repeated capture: the first time that it came counts.
  private mutating func keepFirst(_ arrival: DeliveredCapture) -> Bool {
    if let known = timeless[arrival.id], arrival.at < known.at {
      timeless[arrival.id]?.at = arrival.at
      return true
    }
    guard let index = captures.firstIndex(where: { $0.id == arrival.id }),
      arrival.at < captures[index].at
    else { return false }
    captures[index].at = arrival.at
    return true
  }

  private mutating func note(_ contact: Contact) -> Bool {
    let index = contacts.partitionPoint { $0.at > contact.at }
    guard index > 0, contacts[index - 1].at == contact.at else {
      contacts.insert(contact, at: index)
      return true
    }
    // Requests that were stored in the same millisecond: what promises more counts.
    let before = contacts[index - 1]
    let promise = [before.promise, contact.promise].compactMap(\.self).max()
    contacts[index - 1].promise = promise
    if contact.silence.rawValue > before.silence.rawValue {
      contacts[index - 1].silence = contact.silence
    }
    return contacts[index - 1] != before
  }

  /// To be called after what arrived together, which may be thousands: a capture from before the
  /// last one may change all that followed it.
  mutating func settle(on course: MappedCourse?) {
    guard isStale else { return }
    isStale = false
    way = Walk()
    alongs = captures.map { way.take($0, on: course) }
  }

  // MARK: What follows from it

  /// How many captures have no time.
  var undated: Int { timeless.count }

  /// What the server did not store; `nil`: it stored all that came.
  var refused: (since: UTC, evidence: Evidence)? {
    guard let first = refusals.values.map(\.at).min(),
      let last = refusals.values.max(by: { ($0.at, $0.reason) < ($1.at, $1.reason) })
    else { return nil }
    return (first, .refused(captures: refusals.count, reason: last.reason))
  }

  /// When the last emergency was first heard of; `nil`: there was none. Its captures follow each
  /// other until one says that it is over, or that all goes on as usual.
  var emergency: UTC? {
    guard !emergencies.isEmpty else { return nil }
    var first: UTC?
    var later: UTC?
    for (taken, capture) in inOrderOfTaking.reversed() {
      guard capture.isEmergency else {
        if first != nil, capture.trigger?.isWithinEmergency == false { break }
        continue
      }
      if let later, later - taken > Bounds.emergencyGap { break }
      later = taken
      guard let heard = emergencies[capture.id] else { continue }
      first = min(first ?? heard, heard)
    }
    return first
  }

  /// When each was taken, at the latest: one without a time before those with a higher number, and
  /// before it came. Without a fix several have the position and the time of the same one.
  private var inOrderOfTaking: [(taken: UTC, capture: DeliveredCapture)] {
    func number(_ capture: DeliveredCapture) -> UInt32 { capture.sequence ?? 0 }
    var next: [DeliveredCapture.Origin: UTC] = [:]
    let all = (captures + timeless.values).sorted {
      (number($0), $0.id.high, $0.id.low) > (number($1), $1.id.high, $1.id.low)
    }
    let timed = all.map { capture in
      var taken = capture.taken ?? capture.at
      if capture.sequence != nil {
        let later = next[capture.origin] ?? taken
        if capture.taken == nil { taken = min(taken, later) }
        next[capture.origin] = min(taken, later)
      }
      return (taken: taken, capture: capture)
    }
    return timed.sorted {
      ($0.taken, number($0.capture), $0.capture.id.high, $0.capture.id.low)
        < ($1.taken, number($1.capture), $1.capture.id.high, $1.capture.id.low)
    }
  }

  /// When the last of its captures was taken.
  var asked: UTC? { captures.last(where: \.isEmergency)?.taken }
  /// When the team withdrew its last emergency, or the tracker heard that it was ended.
  var emergencyOver: UTC? {
    guard !emergencies.isEmpty else { return nil }
    let last = inOrderOfTaking.last {
      $0.capture.isEmergency || $0.capture.trigger == .emergencyOver
    }
    return last?.capture.trigger == .emergencyOver ? last?.taken : nil
  }

  /// Its last call for help by text message; `nil`: there is none.
  var caller: DeliveredCapture? {
    (captures + timeless.values).filter { $0.isEmergency && $0.phone != nil }
      .max { ($0.at, $0.id.high, $0.id.low) < ($1.at, $1.id.high, $1.id.low) }
  }

  /// The telephones from which it has sent text messages.
  var phones: [String] { (captures + timeless.values).compactMap(\.phone) }

  /// Whether its emergency is known by text message alone.
  var calledByText: Bool {
    let calls = inOrderOfTaking.lazy.map(\.capture).filter(\.isEmergency)
    return calls.last?.phone != nil
  }

  /// Since when two devices send under this code at the same time, from a copied card; `nil`: they
  /// do not. One that replaces another begins after the other's last capture.
  var clonedSince: UTC? {
    var spans: [DeliveredCapture.Origin: (first: UTC, last: UTC)] = [:]
    for capture in captures {
      guard let taken = capture.taken, capture.phone == nil else { continue }
      let span = spans[capture.origin]
      spans[capture.origin] = (span?.first ?? taken, taken)
    }
    let all = spans.values.sorted { ($0.first, $0.last) < ($1.first, $1.last) }
    for (a, b) in zip(all, all.dropFirst()) where b.first < a.last { return b.first }
    return nil
  }

  /// The captures that the tracker has set aside: in each contact it sends what waits, so that what
  /// is missing in several after a later one has come does not come any more.
  var passedOver: Int {
    let captures = captures.filter { $0.phone == nil }
    guard undated == 0, captures.allSatisfy({ $0.sequence != nil }) else { return 0 }
    // A device that replaces another one counts from 1 again.
    return Dictionary(grouping: captures, by: \.origin).values.reduce(0) {
      $0 + Self.passedOver(in: $1)
    }
  }

  /// - Parameter captures: of one device.
  private static func passedOver(in captures: [DeliveredCapture]) -> Int {
    let arrivals = captures.compactMap { capture in
      capture.sequence.map { (number: $0, at: capture.at) }
    }.sorted { ($0.number, $0.at) > ($1.number, $1.at) }
    var contacts: [UTC] = []
    var before: UTC?
    for at in arrivals.map(\.at).sorted() {
      if before.map({ at - $0 > Bounds.oneContact }) ?? true { contacts.append(at) }
      before = at
    }
    var missing = 0
    var earliest: UTC?
    for (later, arrival) in zip(arrivals, arrivals.dropFirst()) {
      let came = min(earliest ?? later.at, later.at)
      earliest = came
      let since = contacts.count - contacts.partitionPoint { $0 > came }
      // A gap that no tracker has is a number that nobody counted.
      guard since >= Bounds.contactsPassed, later.number > arrival.number,
        later.number - arrival.number <= Bounds.captures
      else { continue }
      missing += Int(later.number - arrival.number) - 1
    }
    return missing
  }

  /// When the battery will be empty, by its trend; `nil`: there is none.
  var batteryEnd: UTC? {
    guard let last = captures.last(where: { $0.batteryPercent != nil }), let end = last.taken else {
      return nil
    }
    let span = Bounds.batterySpan
    let points: [(hours: Double, percent: Double)] = captures.reversed().prefix {
      $0.taken.map { end - $0 <= span } ?? false
    }.compactMap { capture in
      guard let percent = capture.batteryPercent, let taken = capture.taken else { return nil }
      return (Double((taken - end).count) / 3_600_000, percent)
    }
    guard points.count > 2, let first = points.last,
      -first.hours * 3 >= Double(span.count) / 3_600_000
    else { return nil }
    let count = Double(points.count)
    let middle = points.reduce(0) { $0 + $1.hours } / count
    let mean = points.reduce(0) { $0 + $1.percent } / count
    let above = points.reduce(0) { $0 + ($1.hours - middle) * ($1.percent - mean) }
    let below = points.reduce(0) { $0 + ($1.hours - middle) * ($1.hours - middle) }
    guard below > 0 else { return nil }
    let slope = above / below
    guard slope * -first.hours <= -Bounds.batteryFall else { return nil }
    let now = mean - slope * middle
    let hours = min(max(0, now / -slope), 1000)
    return end + Milliseconds(Int64(hours * 3_600_000))
  }

  /// Metres per second along the course in the last hour before the last capture; `nil`: unknown.
  var pace: Double? {
    guard let end = captures.last?.taken, let done = alongs.last, done >= 0 else { return nil }
    for index in captures.indices.reversed() {
      guard let taken = captures[index].taken, end - taken >= Bounds.paceSpan else { continue }
      guard alongs[index] >= 0 else { return nil }
      return Double(done - alongs[index]) * 1000 / Double((end - taken).count)
    }
    return nil
  }
}

extension Array {
  /// The index before which everything comes that does not hold, if all that holds is at the end.
  func partitionPoint(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The way of a team, one capture after another in the order of their times.
struct Walk: Sendable {
  private(set) var progress = CourseProgress()
  private var forecast = ArrivalForecast()
  /// Where it stands, and since when.
  private(set) var standing: (at: Coordinate, since: UTC)?
  private(set) var saysBatteryEnds = false
  /// Where it was last, and when.
  private var here: (position: Coordinate, utc: UTC)?

  /// - Returns: metres along the course, -1: not on it.
  mutating func take(_ capture: DeliveredCapture, on course: MappedCourse?) -> Int32 {
    guard let utc = capture.taken else { return -1 }
    here = (capture.position, utc)
    saysBatteryEnds = capture.trigger == .batteryEnd
    let moved = standing.map { $0.at.distanceMillimetres(to: capture.position) }
    if moved.map({ $0 > Bounds.standingMetres * 1000 }) ?? true {
      standing = (capture.position, utc)
    }
    guard let course else { return -1 }
    var passages = Passages()
    progress.move(
      to: capture.position, accuracyMetres: nil, at: Instant(milliseconds: utc.milliseconds),
      on: course, into: &passages)
    guard let done = progress.doneMetres, progress.offCourseSince == nil else { return -1 }
    forecast.walked(
      to: done, checkpoints: course.courseCheckpoints(upTo: done), at: utc,
      isNight: Sun.isDown(at: utc, from: capture.position))
    return done
  }

  var offCourseSince: UTC? { progress.offCourseSince.map { UTC(milliseconds: $0.milliseconds) } }
  var backwardsSince: UTC? { progress.backwardsSince.map { UTC(milliseconds: $0.milliseconds) } }

  /// When it has walked on so far; `nil`: too little is known.
  func arrival(after metres: Int32, on course: MappedCourse) -> ExpectedArrival? {
    guard let here, let done = progress.doneMetres, progress.offCourseSince == nil else {
      return nil
    }
    let between = course.places.count {
      let along = $0.place.alongMillimetres / 1000
      return $0.place.kind == .checkpoint && along > done && along < done + metres
    }
    return forecast.arrival(
      after: max(0, metres), checkpoints: Int16(clamping: between), at: here.utc,
      near: here.position)
  }

  /// When it arrives at a place that is still to come; `nil`: too little is known.
  func arrival(at place: Int, on course: MappedCourse) -> ExpectedArrival? {
    guard let here, let done = progress.doneMetres, progress.offCourseSince == nil else {
      return nil
    }
    let target = course.places[place].place
    let between = course.places[..<place].count {
      $0.place.kind == .checkpoint && $0.place.alongMillimetres / 1000 > done
    }
    return forecast.arrival(
      after: max(0, target.alongMillimetres / 1000 - done), checkpoints: Int16(clamping: between),
      at: here.utc, near: here.position)
  }
}

extension Trigger {
  /// Whether a tracker takes it while an emergency stands, beside those of the emergency.
  fileprivate var isWithinEmergency: Bool {
    switch self {
    case .emergency, .entered, .left, .inferred, .test, .batteryEnd: true
    case .start, .interval, .distance, .heartbeat, .command, .end, .emergencyOver: false
    }
  }
}
