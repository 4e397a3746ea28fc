import Courses
import TrackerCore

/// Everything that one tracker has delivered, in whatever order it came.
///
/// Two stories that were told the same are equal, however often and in whichever order.
struct Story: Sendable {
  /// A moment in which the tracker was heard.
  struct Contact: Sendable, Equatable {
    /// There are as many as captures, so its time and its silence share a word.
    private var word: Int64
    private var promised: Int64

    init(_ capture: DeliveredCapture) {
      word = capture.at.milliseconds << 8 | Int64(capture.silence.rawValue)
      promised = capture.promise?.milliseconds ?? .min
    }

    var at: UTC { UTC(milliseconds: word >> 8) }
    var promise: UTC? { promised == .min ? nil : UTC(milliseconds: promised) }
    var silence: PlannedSilence { PlannedSilence(rawValue: UInt8(word & 0xFF)) ?? .none }

    /// Of requests that were stored in the same millisecond what promises more counts.
    mutating func join(_ other: Contact) {
      promised = max(promised, other.promised)
      word = max(word, other.word)
    }
  }

  let tracker: String
  /// By time, then by identifier.
  private(set) var captures: KeptCaptures
  /// Those without a time, which are on no way.
  private var timeless: [UniqueID: DeliveredCapture] = [:]
  /// By time; one for each moment.
  private(set) var contacts = Chunks<Contact>()
  /// Those before the promise of the one before them, by their places, and how early each was.
  private(set) var early: [(contact: Int, by: Milliseconds)] = []
  /// So many of `contacts` have been looked at for that.
  private var judged = 0
  /// The contacts with which captures came that have come more than once.
  private var repeats: [UniqueID: [Contact]] = [:]
  /// The way that the captures show.
  private(set) var way = Walk()
  /// Along the course at each of `captures`, metres; -1: not on it, or there is none.
  private(set) var alongs = Chunks<Int32>()
  /// Whether any of these is on it.
  private(set) var wasOnCourse = false
  /// So many of `captures`, from the first one on, are known to have numbers without gaps.
  private var unbroken = 0
  /// A capture from before the last one has come: way and `alongs` are to be made anew.
  private var isStale = false
  private var known = KnownIDs()
  /// When captures that ask for help arrived first, also those without a time.
  private var emergencies: [UniqueID: UTC] = [:]
  /// What holds of those of `known` that ask for help, or that the server has changed since.
  private var standings: [UniqueID: Standing] = [:]
  /// The numbers of those that are gone, which the tracker has not set aside.
  private var gone: [UniqueID: UInt32] = [:]
  /// When a telephone's app was heard last.
  private var phoneHeard: UTC?
  /// Those of `known` that the server did not store, when it said so first, and why.
  private var refusals: [UniqueID: (at: UTC, reason: String)] = [:]

  /// How much what a server says of a capture counts against what else it has said of it.
  private struct Standing: Comparable {
    /// Nobody on another server makes a call for help unheard, nor lets it go on that is over.
    var isAboutHelp: Bool
    var revision: Int64
    /// An end of a call may have had its identifier before.
    var isCall: Bool
    var isGone: Bool

    init(_ capture: DeliveredCapture) {
      isAboutHelp = capture.isAboutHelp && !capture.isGone
      isCall = capture.isEmergency && !capture.isGone
      (revision, isGone) = (capture.revision, capture.isGone)
    }

    /// That of nearly all, which is not kept of each.
    var isUsual: Bool { !isAboutHelp && revision == 0 }

    static func < (a: Standing, b: Standing) -> Bool {
      (a.isAboutHelp ? 1 : 0, a.revision, a.isCall ? 1 : 0, a.isGone ? 1 : 0)
        < (b.isAboutHelp ? 1 : 0, b.revision, b.isCall ? 1 : 0, b.isGone ? 1 : 0)
    }
  }

  init(tracker: String) {
    self.tracker = tracker
    captures = KeptCaptures(of: tracker)
  }

  /// Whether all that it ever told is gone.
  var isEmpty: Bool { captures.isEmpty && timeless.isEmpty && contacts.isEmpty }

  private var all: [DeliveredCapture] { Array(captures) + timeless.values }

  /// Those that have sent captures which the server has stored.
  var devices: Set<DeliveredCapture.Origin> {
    let stored = all.filter { $0.isContact && $0.refusal == nil }
    return Set(stored.map(\.origin))
  }

  /// The last of its names.
  var name: String {
    if let team = captures.lastTeam { return team }
    let named = timeless.values.filter { !$0.team.isEmpty }
    return named.max { ($0.at, $0.id.high, $0.id.low) < ($1.at, $1.id.high, $1.id.low) }?.team ?? ""
  }
  var last: DeliveredCapture? { captures.last }
  var contact: Contact? { contacts.last }
  /// When anything came of it last.
  var heard: UTC? { contact?.at ?? phoneHeard }
  /// Whether all that is known of it is from a telephone's app.
  var isPhone: Bool { contacts.isEmpty && phoneHeard != nil }

  /// `settle` has to follow.
  ///
  /// - Returns: whether it says anything new.
  mutating func take(_ arrival: DeliveredCapture, on course: MappedCourse?) -> Bool {
    let new = Standing(arrival)
    if let old = standing(of: arrival.id, besides: new) {
      guard new > old || new == old && !new.isGone else { return false }
      if new > old { forget(arrival.id) }
    }
    if !new.isUsual || standings[arrival.id] != nil { standings[arrival.id] = new }
    if arrival.isGone {
      known.insert(arrival.id)
      gone[arrival.id] = arrival.sequence
      return true
    }
    // A text message promises nothing, and does not end a silence that needs a human.
    var isNewContact = false
    if arrival.isFromPhone { phoneHeard = max(phoneHeard ?? arrival.at, arrival.at) }
    if arrival.isContact { isNewContact = note(Contact(arrival)) }
    if arrival.isEmergency {
      emergencies[arrival.id] = min(emergencies[arrival.id] ?? arrival.at, arrival.at)
    }
    guard known.insert(arrival.id) else {
      noteRepeat(arrival)
      return takeAgain(arrival, on: course) || isNewContact
    }
    if let reason = arrival.refusal { refusals[arrival.id] = (arrival.at, reason) }
    keep(arrival, on: course)
    return true
  }

  /// What holds of a capture so far; `nil`: nothing is known of it, or it has always been the same.
  private func standing(of id: UniqueID, besides new: Standing) -> Standing? {
    if let known = standings[id] { return known }
    return new.isUsual ? nil : kept(id).map { Standing($0) }
  }

  private func kept(_ id: UniqueID) -> DeliveredCapture? {
    timeless[id] ?? captures.firstIndex(of: id).map { captures[$0] }
  }

  /// Before the capture itself is changed by it.
  private mutating func noteRepeat(_ arrival: DeliveredCapture) {
    let first = kept(arrival.id).flatMap { $0.isContact ? [Contact($0)] : [] }
    var all = repeats[arrival.id] ?? first ?? []
    if arrival.isContact, !all.contains(Contact(arrival)) { all.append(Contact(arrival)) }
    repeats[arrival.id] = all
  }

  /// As if nothing had ever been said of a capture.
  private mutating func forget(_ id: UniqueID) {
    known.remove(id)
    gone[id] = nil
    timeless[id] = nil
    emergencies[id] = nil
    refusals[id] = nil
    remove(id)
    repeats[id] = nil
    contacts = Chunks()
    judged = 0
    // In any order: what promises more counts.
    for kept in all where kept.isContact && repeats[kept.id] == nil { _ = note(Contact(kept)) }
    for contact in repeats.values.joined() { _ = note(contact) }
  }

  private mutating func remove(_ id: UniqueID) {
    guard let index = captures.firstIndex(of: id) else { return }
    captures.remove(at: index)
    unbroken = min(unbroken, index)
    isStale = true
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
    unbroken = min(unbroken, index)
    if index == captures.count - 1, !isStale {
      step(arrival, on: course)
    } else {
      isStale = true
    }
  }

  /// A capture that was refused and then stored is the one that was stored.
  private mutating func takeAgain(_ arrival: DeliveredCapture, on course: MappedCourse?) -> Bool {
    guard let refusal = refusals[arrival.id] else {
      return arrival.refusal == nil && keepFirst(arrival, on: course)
    }
    if let reason = arrival.refusal {
      guard arrival.at < refusal.at else { return false }
      refusals[arrival.id] = (arrival.at, reason)
      return keepFirst(arrival, on: course)
    }
    refusals[arrival.id] = nil
    remove(arrival.id)
    timeless[arrival.id] = nil
    keep(arrival, on: course)
    return true
  }

  /// A repeated capture: the first time that it came counts. So does what came then: a card that
  /// has lost captures gives their identifiers away again.
  private mutating func keepFirst(_ arrival: DeliveredCapture, on course: MappedCourse?) -> Bool {
    func order(_ capture: DeliveredCapture) -> (Int64, Int64, Int32, Int32) {
      (
        capture.at.milliseconds, capture.taken?.milliseconds ?? .max, capture.position.latitude,
        capture.position.longitude
      )
    }
    guard let known = kept(arrival.id), order(arrival) < order(known) else { return false }
    remove(arrival.id)
    timeless[arrival.id] = nil
    keep(arrival, on: course)
    return true
  }

  private mutating func note(_ contact: Contact) -> Bool {
    let index = contacts.partitionPoint { $0.at > contact.at }
    guard index > 0, contacts[index - 1].at == contact.at else {
      contacts.insert(contact, at: index)
      judged = min(judged, index)
      return true
    }
    let before = contacts[index - 1]
    contacts[index - 1].join(contact)
    judged = min(judged, index - 1)
    return contacts[index - 1] != before
  }

  /// To be called after what arrived together, which may be thousands: a capture from before the
  /// last one may change all that followed it.
  mutating func settle(on course: MappedCourse?) {
    while unbroken < captures.count, follows(unbroken) { unbroken += 1 }
    judgeContacts()
    guard isStale else { return }
    isStale = false
    way = Walk()
    alongs = Chunks()
    wasOnCourse = false
    for capture in captures { step(capture, on: course) }
  }

  private mutating func step(_ capture: DeliveredCapture, on course: MappedCourse?) {
    let along = way.take(capture, on: course)
    alongs.append(along)
    if along >= 0 { wasOnCourse = true }
  }

  private mutating func judgeContacts() {
    while let last = early.last, last.contact >= judged { early.removeLast() }
    for index in contacts.indices.dropFirst(max(1, judged)) {
      let (before, contact) = (contacts[index - 1], contacts[index])
      guard let promise = before.promise, contact.at - before.at > Bounds.oneContact,
        contact.at <= promise
      else { continue }
      early.append((index, promise - contact.at))
    }
    judged = contacts.count
  }

  /// Whether a capture has the number after that of the one before it.
  private func follows(_ index: Int) -> Bool {
    let capture = captures[index]
    if !capture.isContact { return true }
    guard let number = capture.sequence else { return false }
    let before = captures[..<index].last { $0.isContact }
    return before.map { $0.origin == capture.origin && $0.sequence == number &- 1 } ?? true
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
    let ordered = all.sorted {
      (number($0), $0.id.high, $0.id.low) > (number($1), $1.id.high, $1.id.low)
    }
    let timed = ordered.map { capture in
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
    all.filter { $0.isEmergency && $0.phone != nil }
      .max { ($0.at, $0.id.high, $0.id.low) < ($1.at, $1.id.high, $1.id.low) }
  }

  /// The telephones from which it has sent text messages.
  var phones: [String] { all.compactMap(\.phone) }

  /// Whether its emergency is known by text message alone.
  var calledByText: Bool {
    let calls = inOrderOfTaking.lazy.map(\.capture).filter(\.isEmergency)
    return calls.last?.phone != nil
  }

  /// Since when two devices send under this code at the same time, from a copied card; `nil`: they
  /// do not. One that replaces another begins after the other's last capture.
  var clonedSince: UTC? {
    // Nearly all have one device, and this is asked with each capture.
    if captures.areOfOneDevice { return nil }
    var spans: [DeliveredCapture.Origin: (first: UTC, last: UTC)] = [:]
    for capture in captures {
      guard let taken = capture.taken, capture.isContact else { continue }
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
    if isUnbroken { return 0 }
    let captures = captures.filter(\.isContact)
    guard undated == 0, captures.allSatisfy({ $0.sequence != nil }) else { return 0 }
    // A device that replaces another one counts from 1 again.
    return Dictionary(grouping: captures, by: \.origin).reduce(0) { sum, device in
      let deleted = gone.filter { DeliveredCapture.Origin($0.key) == device.key }.map(\.value)
      return sum + Self.passedOver(in: device.value, besides: deleted)
    }
  }

  /// Whether its numbers follow each other as its captures do: as with nearly all trackers.
  private var isUnbroken: Bool { unbroken == captures.count }

  /// - Parameters:
  ///   - captures: of one device.
  ///   - deleted: the numbers of others of it.
  private static func passedOver(
    in captures: [DeliveredCapture], besides deleted: [UInt32]
  ) -> Int {
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
      let between = Set(deleted).filter { $0 > arrival.number && $0 < later.number }
      missing += Int(later.number - arrival.number) - 1 - between.count
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

extension Trigger {
  /// Whether a tracker takes it while an emergency stands, beside those of the emergency.
  fileprivate var isWithinEmergency: Bool {
    switch self {
    case .emergency, .entered, .left, .inferred, .test, .batteryEnd: true
    case .start, .interval, .distance, .heartbeat, .command, .end, .emergencyOver: false
    }
  }
}
