import FeatureService
import HTTPTransfer
import TrackerCore
import Uplink
import Wording

/// Brings the captures of another server's layer into this one's database, for organisers whose
/// trackers deliver there: it asks again and again, and keeps how far it has come beside them.
///
/// Nothing is stored twice, so it may always read again what it has read. Rows that change are
/// changed here, too, if the layer says when it was edited, and those that are deleted are deleted
/// here (`GoneCaptures`). What people tell trackers goes to the table beside that layer.
final class LayerFollower: Sendable {
  private let layer: ArcGISConfiguration
  private let features: FeatureServer
  private let pause: (usual: Milliseconds, gone: Milliseconds)
  private let ending: Ending
  private let language: Language
  private let say: @Sendable (String) -> Void
  /// Writes a line into the diary.
  private let note: @Sendable (String) -> Void
  /// Is told what is wrong, and when it is over.
  private let report: @Sendable (String?) -> Void

  /// - Parameters:
  ///   - pause: between two looks, and between two for what was deleted.
  ///   - language: of what it reports and notes.
  ///   - say: is told in one line when trouble begins and ends.
  init(
    _ layer: ArcGISConfiguration, _ features: FeatureServer,
    every pause: (usual: Milliseconds, gone: Milliseconds), until ending: Ending,
    language: Language,
    say: @escaping @Sendable (String) -> Void, note: @escaping @Sendable (String) -> Void,
    report: @escaping @Sendable (String?) -> Void
  ) {
    self.layer = layer
    self.features = features
    self.pause = pause
    self.ending = ending
    self.language = language
    self.say = say
    self.note = note
    self.report = report
  }

  /// Follows until the server ends.
  func run() {
    var isTroubled = false
    var reading: LayerFollowing?
    while !ending.isHere {
      do {
        if reading == nil { reading = try LayerFollowing(layer, features, until: ending, say) }
        try reading?.look()
        if let gone = try reading?.lookGone(every: pause.gone) {
          say(gone.english)
          note(gone[language])
        }
        if isTroubled { say("\(layer.name) is read again") }
        isTroubled = false
        report(nil)
      } catch {
        if ending.isHere { return }
        let problem =
          (error as? FollowedMailError)?.texts
          ?? FollowPhrase.trouble.texts(layer.name, Texts(of: error))
        if !isTroubled { say(problem.english) }
        isTroubled = true
        report(problem[language])
        reading?.forget()
      }
      ending.wait(pause.usual)
    }
  }
}

/// One thread's reading of a layer, from where it was left.
private final class LayerFollowing {
  private let layer: ArcGISConfiguration
  private let features: FeatureServer
  private let ending: Ending
  private let say: @Sendable (String) -> Void
  private var client: HTTPClient
  private var dialogue: ArcGISDialogue
  private var mail: FollowedMail
  private var mark: FollowMark
  /// When captures below the last object number were looked for; `nil`: not yet.
  private var lookedBelow: Milliseconds?
  private var canLookBelow = true
  private var gone = GoneCaptures()
  /// When what was deleted was looked for; `nil`: not yet.
  private var lookedGone: Milliseconds?
  private var canLookGone = true
  private var hasToldTooMany = false
  private var hasToldOthers = false

  init(
    _ layer: ArcGISConfiguration, _ features: FeatureServer, until ending: Ending,
    _ say: @escaping @Sendable (String) -> Void
  ) throws {
    self.layer = layer
    self.features = features
    self.ending = ending
    self.say = say
    var network = HTTPClientConfiguration()
    network.connectTimeout = Bounds.followConnect
    network.totalTimeout = Bounds.followAnswer
    client = try HTTPClient(network)
    dialogue = try ArcGISDialogue(layer)
    mail = FollowedMail(layer, features)
    mark = try features.mark(of: layer.name) ?? FollowMark()
  }

  /// It may be another layer by now, and its token may be spent.
  func forget() {
    if let fresh = try? ArcGISDialogue(layer) { dialogue = fresh }
  }

  /// Reads what is new.
  func look() throws {
    var question = LayerQuestion()
    while !ending.isHere {
      // The last row that is known comes again: it tells that this is still the same layer.
      question.from = mark.object
      let page = try read(question)
      if mark.object > 0, !isKnown(page) {
        say("\(layer.name) has other captures than before: it is read from its beginning")
        mark = FollowMark()
        gone.forget()
        continue
      }
      if !page.hasEditDates, canLookBelow {
        canLookBelow = false
        say(
          "\(layer.name) has no edit dates: it is read by object number alone, and changes of what "
            + "has been read are not followed")
      }
      guard let last = page.last, last > mark.object else { break }
      var next = mark
      next.object = last
      next.id = page.captures.last { $0.object == last }?.id
      try take(page, upTo: next)
    }
    try lookBelow()
    try mail.exchange(at: .now) { request in
      client.perform(request) { [ending] in !ending.isHere }.reply
    }
  }

  private func isKnown(_ page: LayerPage) -> Bool {
    page.first == mark.object
      && page.captures.first { $0.object == mark.object }?.id == mark.id
  }

  /// Looks for captures that were changed, and for new ones with a lower number than others that
  /// came before: servers of ArcGIS hand object numbers out in blocks.
  private func lookBelow() throws {
    let now = HostTime.now.uptime
    let isDue = lookedBelow.map { now - $0 >= .seconds(Bounds.followBelowSeconds) } ?? true
    guard canLookBelow, isDue, let edited = mark.edited else { return }
    var question = LayerQuestion()
    question.editedSince = edited + (0 - Bounds.followOverlap)
    question.below = mark.object + 1
    while !ending.isHere {
      let page: LayerPage
      do throws(FollowError) {
        page = try read(question)
      } catch {
        guard error.isRefusal else { throw error }
        canLookBelow = false
        say("\(layer.name) cannot be asked for edit dates: it is read by object number alone")
        return
      }
      guard let last = page.last else { break }
      try take(page, upTo: mark)
      _ = try features.change(page.captures.map { ForeignCapture($0) }, at: HostTime.now.utc)
      question.from = last + 1
    }
    lookedBelow = now
  }

  /// Looks for captures that were deleted there, and deletes them here.
  ///
  /// - Returns: what people should know of it; `nil`: nothing.
  func lookGone(every pause: Milliseconds) throws -> Texts? {
    let now = HostTime.now.uptime
    guard canLookGone, lookedGone.map({ now - $0 >= pause }) ?? true else { return nil }
    let known = try features.followed(layer.name, atMost: Bounds.followedCaptures)
    var present: Set<Int64> = []
    for start in stride(from: 0, to: known.count, by: Bounds.followedAtOnce) {
      let part = known[start..<min(start + Bounds.followedAtOnce, known.count)]
      var question = LayerQuestion()
      question.wantsNumbers = true
      (question.from, question.below) = (part.first?.object ?? 0, (part.last?.object ?? 0) + 1)
      do throws(FollowError) { present.formUnion(try read(question).objects) } catch {
        guard error.isRefusal else { throw error }
        canLookGone = false
        say("\(layer.name) cannot be asked for object numbers alone: what is deleted there stays")
        return nil
      }
    }
    lookedGone = now
    switch gone.judge(known.map(\.object), present) {
    case .tooMany(let missing, let all):
      if !hasToldTooMany {
        say("\(layer.name) shows \(missing) of \(all) captures no more: nothing is deleted here")
      }
      hasToldTooMany = true
      return nil
    case .gone(let objects):
      hasToldTooMany = false
      let numbers = Set(objects)
      let removed = try features.remove(
        known.filter { numbers.contains($0.object) }.map(\.id), at: HostTime.now.utc)
      if removed.count == 0 { return nil }
      return FollowPhrase.deleted.texts(
        layer.name, "\(removed.count)", removed.of.joined(separator: ", "))
    }
  }

  private func take(_ page: LayerPage, upTo next: FollowMark) throws {
    _ = try features.take(
      page.captures.map { ForeignCapture($0) }, of: layer.name, at: HostTime.now.utc)
    if page.others > 0, !hasToldOthers {
      hasToldOthers = true
      say("\(layer.name) has points without an identifier: they are left out")
    }
    var next = next
    if let edit = page.lastEdit { next.edited = max(edit, next.edited ?? edit) }
    // Only what is stored is never asked for again.
    if next != mark { try features.keep(next, of: layer.name) }
    mark = next
  }

  private func read(_ question: LayerQuestion) throws(FollowError) -> LayerPage {
    var step = dialogue.read(question, at: HostTime.now.utc)
    var failure: HTTPError?
    while case .send(let request) = step {
      let answer = client.perform(request) { [ending] in !ending.isHere }
      failure = answer.failure
      step = dialogue.receive(answer.reply, at: HostTime.now.utc)
    }
    guard case .done(let result) = step else { throw FollowError("".texts) }
    if let page = result.page { return page }
    var error = FollowError(failure?.texts ?? result.problem ?? "".texts)
    if case .notReady(.refused(code: 400...499, _, _)) = result.outcome { error.isRefusal = true }
    throw error
  }
}

extension ArcGISConfiguration {
  fileprivate var name: String { address.layer }
}

/// Why a layer could not be read.
private struct FollowError: Error, Worded {
  var texts: Texts
  /// Whether the server understood the question and refuses it.
  var isRefusal = false

  init(_ texts: Texts) { self.texts = texts }
}

extension ForeignCapture {
  init(_ served: ServedCapture) {
    self.init(id: served.id, object: served.object)
    position = served.position
    arrived = served.created
    device = served.device
    team = served.team
    batteryPercent = served.batteryPercent
    moment = served.time
    kind = served.kind
    trigger = served.trigger
    promise = served.promise
    silence = served.silence
    sequence = served.sequence
    doneMetres = served.doneMetres
    toGoMetres = served.toGoMetres
    place = served.place
    accuracyMetres = served.accuracyMetres
  }
}

private enum FollowPhrase: Catalogue {
  case trouble, deleted

  var texts: Texts {
    switch self {
    case .trouble:
      Texts(
        ca: "no es llegeix {1}: {2}", es: "no se lee {1}: {2}", en: "{1} is not read: {2}",
        fr: "{1} n'est pas lue : {2}")
    case .deleted:
      Texts(
        ca: "{1}: s'hi han esborrat captures, i aquí també; quantes: {2}, de: {3}",
        es: "{1}: allí se borraron capturas, y aquí también; cuántas: {2}, de: {3}",
        en: "{1}: captures were deleted there, and are here, too; how many: {2}, of: {3}",
        fr: "{1} : des captures y ont été supprimées, et ici aussi ; combien : {2}, de : {3}")
    }
  }
}

/// Finds out which captures a followed layer has no more.
///
/// An answer that lacks captures is no proof that somebody has deleted them: it may be cut short,
/// of a user who sees less, or of a layer that shows its last day only. What counts as deleted
///
/// - lies between two captures that the layer still has: one that shows nothing deleted nothing;
/// - was missing in the look before, too;
/// - is at most half of what lies there.
struct GoneCaptures {
  /// What the last look missed.
  private var missed: Set<Int64> = []

  enum Verdict: Equatable {
    /// The numbers of those that were deleted.
    case gone([Int64])
    /// So many of so many are missing, which nobody believes.
    case tooMany(Int, of: Int)
  }

  /// - Parameters:
  ///   - known: the numbers of those that were read before, in ascending order.
  ///   - present: of these, what the layer says it has.
  mutating func judge(_ known: [Int64], _ present: Set<Int64>) -> Verdict {
    guard let first = known.firstIndex(where: present.contains),
      let last = known.lastIndex(where: present.contains)
    else { return .gone([]) }
    let between = known[first...last]
    let missing = between.filter { !present.contains($0) }
    if missing.count * 2 > between.count {
      missed = []
      return .tooMany(missing.count, of: between.count)
    }
    let before = missed
    missed = Set(missing)
    return .gone(missing.filter(before.contains))
  }

  /// The layer is another one by now.
  mutating func forget() { missed = [] }
}
