import ControlRoom
import Digests
import FeatureService
import SQLite
import Synchronization
import SystemCalls
import TrackerCore
import Wording

/// The control room of a server: fed with the captures that are on disk, its diary on disk, too.
///
/// It reads the captures from their database instead of being told of them. So whatever ends the
/// program, and whenever, those that the diary lacks are read at the next start.
final class ControlDesk: Sendable {
  private struct State: ~Copyable {
    /// As the diary tells of it.
    var room: Room
    /// With what could not be written down yet: a full disk must not hide an emergency.
    var shown: Room
    /// The last capture in the diary.
    var object: Int64
    var diary: DiaryFile
    /// Grows with each change of what people see.
    var version = 0
    var lastProblem: String?
    /// When it was last up to date.
    var updated = UTC(milliseconds: 0)
  }

  /// The room as it was some time ago.
  private struct Earlier {
    var room: Room
    /// The last capture that it has.
    var object: Int64 = 0
  }

  private let features: FeatureServer
  private let state: Mutex<State>
  private let earlier: Mutex<Earlier>
  let plan: RacePlan
  /// Tells one line.
  private let say: @Sendable (String) -> Void

  /// - Parameters:
  ///   - folder: of the diary, `control.db`.
  ///   - say: is told what went wrong, in one line.
  /// - Throws: an error of one line if the diary cannot be opened.
  init(
    _ plan: RacePlan, folder: String, _ features: FeatureServer,
    say: @escaping @Sendable (String) -> Void
  ) throws {
    self.plan = plan
    self.features = features
    self.say = say
    let diary = try DiaryFile.open(folder: folder, plan, say: say)
    let (room, object) = (diary.room, diary.object)
    earlier = Mutex(Earlier(room: Room(plan)))
    state = Mutex(State(room: room, shown: room, object: object, diary: diary))
    update(at: HostTime.now.utc)
  }

  /// Takes what has been stored since, and the time.
  func update(at now: UTC) {
    state.withLock { state in
      while true {
        do {
          let new = try features.captures(after: state.object, atMost: Bounds.capturesAtOnce)
          var room = state.room
          var entries = room.take(new.compactMap { DeliveredCapture($0, now: now) })
          if new.count < Bounds.capturesAtOnce { entries += room.advance(to: now) }
          let object = new.last?.objectID ?? state.object
          state.shown = room
          if !entries.isEmpty || object != state.object {
            try state.diary.add(entries, object: object)
          }
          if !entries.isEmpty { state.version += 1 }
          (state.room, state.object) = (room, object)
          if state.lastProblem != nil {
            say("the control room's diary is written again")
            state.lastProblem = nil
          }
          state.updated = now
          if new.count < Bounds.capturesAtOnce { return }
        } catch {
          // It is taken again the next time.
          if state.lastProblem != "\(error)" { say("control room: \(error)") }
          state.lastProblem = "\(error)"
          return
        }
      }
    }
  }

  /// - Throws: `ActError`, or why it could not be written down.
  func act(_ act: Act, by person: String, at now: UTC) throws {
    update(at: now)
    try state.withLock { state in
      var room = state.room
      let entries = try room.act(act, by: person, at: now)
      try state.diary.add(entries, object: state.object)
      (state.room, state.shown) = (room, room)
      state.version += 1
    }
  }

  /// What people see.
  struct View {
    var board: RaceBoard
    var alarms: [Alarm]
    var version: Int
    /// Why the diary is not written; `nil`: it is.
    var problem: String?
  }

  var view: View {
    state.withLock { state in
      View(
        board: state.shown.board, alarms: state.shown.alarms, version: state.version,
        problem: state.lastProblem)
    }
  }

  var alarms: [Alarm] { state.withLock { $0.shown.alarms } }

  /// When it was last up to date, and whether it is written down.
  var health: (updated: UTC, isWritten: Bool) {
    state.withLock { ($0.updated, $0.lastProblem == nil) }
  }

  /// The room as people see it.
  var room: Room { state.withLock { $0.shown } }

  /// The room as it was at an earlier time, with the captures that had arrived by then.
  ///
  /// - Parameter then: not earlier than the time before.
  func earlierRoom(at then: UTC) -> Room {
    earlier.withLock { earlier in
      while let new = try? features.captures(after: earlier.object, atMost: Bounds.capturesAtOnce) {
        let due = new.prefix { $0.arrived.map { $0 <= then } ?? true }
        _ = earlier.room.take(due.compactMap { DeliveredCapture($0, now: then) })
        earlier.object = due.last?.objectID ?? earlier.object
        if due.count < Bounds.capturesAtOnce { break }
      }
      _ = earlier.room.advance(to: then)
      return earlier.room
    }
  }

  /// The lines of the diary, from one on.
  func diary(from number: Int, atMost count: Int) throws -> [KeptEntry] {
    try state.withLock { state in try state.diary.read(from: number, atMost: count) }
  }
}

extension DeliveredCapture {
  /// - Returns: `nil` for a feature that is no capture: without a position or an identifier.
  init?(_ taken: TakenCapture, now: UTC) {
    guard let position = taken.position, let id = taken.id else { return nil }
    let team = taken.team ?? ""
    let device = taken.device ?? ""
    // As in the layer of the last captures.
    self.init(
      at: taken.arrived ?? now, tracker: device.isEmpty ? "team \(team)" : device, team: team,
      id: id, taken: taken.moment.map { UTC(milliseconds: $0) }, position: position)
    batteryPercent = taken.batteryPercent
    trigger = taken.trigger.flatMap { Trigger(name: Array($0.utf8).span) }
    isEmergency = taken.trigger == "emergency"
    promise = taken.promise
    silence = PlannedSilence(named: taken.silence)
  }
}

/// The diary on disk: a row for each entry, and the last capture that it has.
struct DiaryFile: ~Copyable {
  private let database: SQLiteDatabase
  /// What it told of when it was opened, up to that capture.
  let room: Room
  let object: Int64
  /// Whether another plan, or another version of this program, makes another room of it.
  let wasReplanned: Bool
  private var chain: DiaryChain
  private static let applicationID: Int64 = 0x6469_6172
  private static let schema = """
    CREATE TABLE diary (number INTEGER PRIMARY KEY, line TEXT NOT NULL, hash TEXT NOT NULL);
    CREATE TABLE mark (object INTEGER NOT NULL);
    INSERT INTO mark VALUES (0);
    PRAGMA application_id = \(applicationID);
    """
  /// Without them the chain covers the lines.
  private static let seals = """
    ALTER TABLE diary ADD COLUMN salt TEXT NOT NULL DEFAULT '';
    ALTER TABLE diary ADD COLUMN seal TEXT NOT NULL DEFAULT '';
    """

  private init(path: String, _ plan: RacePlan) throws {
    let database = try SQLiteDatabase(path: path)
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    if try database.integer("SELECT count(*) FROM sqlite_schema") == 0 {
      try database.transaction { () throws(SQLiteError) in try database.execute(Self.schema) }
    }
    guard try database.integer("PRAGMA application_id") == Self.applicationID else {
      throw ServiceError("\(path): is not a control room's diary; move it away")
    }
    if try database.integer("SELECT count(*) FROM pragma_table_info('diary')") == 3 {
      try database.transaction { () throws(SQLiteError) in try database.execute(Self.seals) }
    }
    var chain = DiaryChain()
    var entries: [DiaryEntry] = []
    for row in try Self.read(database, from: 1, atMost: .max) {
      entries.append(try chain.read(row))
    }
    try chain.finish()
    let (resumed, written) = Room.resume(entries, plan)
    let last = try database.integer("SELECT object FROM mark") ?? 0
    try Self.add(written, object: last, to: database, &chain)
    (room, object, wasReplanned) = (resumed, last, !written.isEmpty)
    self.chain = chain
    self.database = database
  }

  /// Opens the diary and the room that it tells of. One that cannot be replayed is kept beside a
  /// new one: the room must open at three in the morning.
  static func open(
    folder: String, _ plan: RacePlan, say: (String) -> Void
  ) throws -> DiaryFile {
    let path = folder + "/control.db"
    do {
      let file = try DiaryFile(path: path, plan)
      if file.wasReplanned {
        say(
          "\(path): the course, its hours or the program have changed since it was written; the "
            + "control room is made anew of all captures, with what people did")
      }
      return file
    } catch {
      let damage = (error as? SQLiteError).map { [.corrupt, .notADatabase].contains($0.kind) }
      guard damage == true || error is DiaryError else { throw error }
      let reason = (error as? DiaryError)?.texts.english ?? "\(error)"
      var number = 1
      while may(.exist, "\(folder)/control-\(number).db") { number += 1 }
      for end in ["", "-wal", "-shm"] where may(.exist, path + end) {
        try renameFile(path + end, to: "\(folder)/control-\(number).db\(end)")
      }
      say(
        "\(path): \(reason); it is kept as control-\(number).db, and a new diary begins with all "
          + "captures and without what people did")
      return try DiaryFile(path: path, plan)
    }
  }

  mutating func add(_ entries: [DiaryEntry], object: Int64) throws {
    try Self.add(entries, object: object, to: database, &chain)
  }

  private static func add(
    _ entries: [DiaryEntry], object: Int64, to database: borrowing SQLiteDatabase,
    _ chain: inout DiaryChain
  ) throws {
    var longer = chain
    let kept = entries.map { longer.seal($0, salt: newSecret()) }
    try database.transaction { () throws(SQLiteError) in
      let row = try database.prepare(
        "INSERT INTO diary (number, line, hash, salt, seal) VALUES (?, ?, ?, ?, ?)", isKept: true)
      for entry in kept {
        try row.bind(Int64(entry.number), at: 1)
        try row.bind(entry.line, at: 2)
        try row.bind(entry.hash, at: 3)
        try row.bind(entry.salt, at: 4)
        try row.bind(entry.seal, at: 5)
        try row.run()
      }
      let mark = try database.prepare("UPDATE mark SET object = ?", isKept: true)
      try mark.bind(object, at: 1)
      try mark.run()
    }
    chain = longer
  }

  func read(from number: Int, atMost count: Int) throws -> [KeptEntry] {
    try Self.read(database, from: number, atMost: count)
  }

  private static func read(
    _ database: borrowing SQLiteDatabase, from number: Int, atMost count: Int
  ) throws -> [KeptEntry] {
    let rows = try database.prepare(
      """
      SELECT number, line, salt, seal, hash FROM diary WHERE number >= ? ORDER BY number LIMIT ?
      """)
    try rows.bind(Int64(number), at: 1)
    try rows.bind(Int64(count), at: 2)
    var entries: [KeptEntry] = []
    while try rows.step() {
      entries.append(
        KeptEntry(
          number: Int(rows.integer(0)), line: rows.text(1), salt: rows.text(2), seal: rows.text(3),
          hash: rows.text(4)))
    }
    return entries
  }
}
