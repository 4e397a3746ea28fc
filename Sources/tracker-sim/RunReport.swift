import BoardSupport
import CaptureStore
import CommandLineSupport
import Reports
import Simulation
import TrackerCore
import Wording

/// The page of `--report`.
enum RunReport {
  /// Makes a run tell what the page needs. This changes nothing in the run.
  static func gather(_ history: RunHistory, from host: inout Observed<World, RunRecord>) {
    host.observer.history = history
    host.base.onDelivery = { history.delivered($0, at: $1) }
    host.base.beginLooking { tracker, world in
      history.looked(
        RunHistory.Look(
          at: world.now, position: tracker.lastPosition, percent: world.battery.percent,
          altitudeMillimetres: tracker.lastFix?.altitudeMillimetres))
    }
  }

  /// Passes on which captures the server has refused.
  static func noteSetAside(_ history: RunHistory, _ store: CaptureStore) throws {
    for capture in try store.captures(in: .setAside) { history.setAside(capture.key) }
  }

  /// `nil`: nobody wants a page.
  static func facts(
    _ summary: Figure, _ facts: RunFacts, _ claims: [PageFacts.Claim], of inputs: RunInputs,
    in language: Language
  ) -> PageFacts? {
    guard let history = inputs.history else { return nil }
    var page = PageFacts(
      figures: summary, history: history, end: facts.truth.now, language: language,
      zone: zone(of: inputs.settings))
    page.claims = claims
    page.holes = inputs.scenario.coverage.map { window in
      PageFacts.Hole(
        from: .start + window.from, to: window.to.map { .start + $0 }, kind: kind(window.content))
    }
    page.checkpoints = facts.places
    page.course = facts.course?.course.map { course in
      PageFacts.Course(course, facts.tally.passages.map(\.passage))
    }
    page.latencies = facts.truth.latencies
    page.startPercent = facts.startPercent
    page.bandShare = EnergyBand.share(facts.doubts, facts.truth)
    page.program = "tracker-sim \(version)"
    return page
  }

  static func write(_ page: PageFacts, to file: OutputFile) throws {
    try file.write(Array(RunPage.html(page).utf8))
    try file.finish()
  }

  private static func kind(_ hole: CoverageHole) -> PageFacts.Hole.Kind {
    switch hole {
    case .noService: .noService
    case .noBearer: .noBearer
    case .denied: .denied
    }
  }

  /// The zone of the configuration, else this machine's.
  static func zone(of settings: ConfigurationFile) -> PageZone {
    guard let zone = settings.timeZone.flatMap({ IANAZone($0) }) else {
      return PageZone { IANAZone.machineOffsetSeconds(at: $0) }
    }
    return PageZone(name: zone.name) { zone.offsetSeconds(at: $0) }
  }
}
