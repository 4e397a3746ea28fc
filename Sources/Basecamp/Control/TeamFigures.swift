import ControlRoom
import Synchronization
import TrackerCore
import Wording

/// The teams of the room's state as they were told last: of thousands most are what they were.
final class TeamFigures: Sendable {
  /// What is told depends on these.
  struct Channel: Hashable {
    var role: Role
    var language: Language
  }

  /// What is told of a team beside its row.
  struct Extras: Sendable, Equatable {
    var mail: Figure
    var notes: Figure
    var shownFrom: Figure
  }

  private struct Entry: Sendable {
    var row: RaceBoard.Row
    var extras: Extras
    var figure: Figure
  }

  private let told = Mutex<[Channel: [String: Entry]]>([:])

  /// - Parameter make: makes a figure; is called for what has changed.
  func figures(
    of rows: [RaceBoard.Row], for channel: Channel, _ extras: (RaceBoard.Row) -> Extras,
    _ make: (RaceBoard.Row, Extras) -> Figure
  ) -> [Figure] {
    var entries = told.withLock { $0.removeValue(forKey: channel) } ?? [:]
    if entries.count > 2 * rows.count { entries = [:] }
    let figures = rows.map { row in
      let extras = extras(row)
      if let entry = entries[row.tracker], entry.row == row, entry.extras == extras {
        return entry.figure
      }
      let figure = make(row, extras)
      entries[row.tracker] = Entry(row: row, extras: extras, figure: figure)
      return figure
    }
    told.withLock { told in
      if told.count >= Bounds.teamChannels { told = [:] }
      told[channel] = entries
    }
    return figures
  }
}
