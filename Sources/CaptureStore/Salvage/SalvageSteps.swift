internal import SQLite
internal import SystemCalls
internal import TrackerCore
internal import Wording

/// Replaces a damaged store with a salvaged one, so that a power cut at any moment loses nothing
/// that could be read:
///
/// 1. `FILE.salvage` is written completely, without a log, and flushed to disk;
/// 2. it is renamed to `FILE.salvaged-TIME`: from here on it is the store;
/// 3. the damaged log and then the damaged file are renamed to `FILE.damaged-TIME`;
/// 4. `FILE.salvaged-TIME` is renamed to `FILE`.
///
/// Each step is on disk before the next. An opening that finds `FILE.salvaged-TIME` completes steps
/// 3 and 4; before that the damaged file is unchanged, and the salvage starts again.
struct SalvageSteps {
  var path: String
  var disk = Disk()
  /// What its lock file says.
  var mark = StoreMark([])

  private var fresh: String { path + ".salvage" }
  private static let parts = ["-wal", "-journal"]

  /// Completes a salvage that a power cut interrupted.
  ///
  /// - Returns: `nil` when there was nothing to do.
  func finishInterrupted(at now: UTC) throws(StoreError) -> Salvage? {
    try finishOldVersions(at: now)
    let begin = path + ".salvaged-"
    guard let whole = Disk.files(beginning: begin).first else { return nil }
    let aside = path + ".damaged-" + whole.dropFirst(begin.count)
    try takePlace(whole, aside)
    return try report(aside)
  }

  /// Salvages a damaged store.
  ///
  /// - Throws: `diskFull` when there is no room for it; then nothing has changed.
  func run(damage: String, at now: UTC) throws(StoreError) -> Salvage {
    var result: Salvage
    do throws(StoreError) {
      result = try write(damage: damage, at: now)
      try disk.synchronise(fresh)
    } catch {
      removeFresh()
      throw error
    }
    let time = freeTime(at: now)
    let whole = "\(path).salvaged-\(time)"
    try disk.move(fresh, to: whole)
    result.movedTo = "\(path).damaged-\(time)"
    try takePlace(whole, result.movedTo)
    return result
  }

  /// How much space a salvage may take.
  var neededBytes: Int64 {
    Disk.size(of: path) + Disk.size(of: path + "-wal") + StoreBounds.salvageMargin
  }

  // MARK: Steps

  private func write(damage: String, at now: UTC) throws(StoreError) -> Salvage {
    removeFresh()
    let image = try StoreImage(path: path)
    let isLost = mark.isThere && image.isUnbegun
    let isComplete = !isLost && StoreFile(path: path, wasOurs: true).isComplete(image)
    try StoreFile.make(fresh, like: path)
    let salvage: Salvage
    do throws(SQLiteError) {
      let target = try SQLiteDatabase.store(path: fresh, access: .readWrite)
      // This file is discarded after a power cut, so it needs neither a journal nor flushes.
      try target.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
      salvage = try Salvager.copy(
        image, to: target, damage: damage, isComplete: isComplete,
        known: isLost ? mark.devices : [], at: now)
      // Only sets the mode in the file: a log is created with the first change.
      try target.execute("PRAGMA journal_mode = WAL")
    } catch {
      throw StoreError(error)
    }
    if Disk.isThere(fresh + "-wal") {
      throw StoreError(.inputOutput, path: fresh, detail: "its log was not moved into it")
    }
    if let free = Disk.freeBytes(at: fresh), free < StoreBounds.salvageMargin {
      throw StoreError(.diskFull, path: path, detail: StorePhrase.tooLittle.texts)
    }
    return salvage
  }

  private func removeFresh() {
    for part in [""] + Self.parts + ["-shm"] { try? removeFile(fresh + part) }
  }

  private func takePlace(_ whole: String, _ aside: String) throws(StoreError) {
    // SQLite would apply an old log to the new file.
    for part in Self.parts where Disk.isThere(path + part) {
      try disk.move(path + part, to: aside + part)
    }
    try disk.remove(path + "-shm")
    if Disk.isThere(path) {
      // An older program may have created a new store meanwhile, so do not overwrite a file.
      try disk.move(path, to: Disk.isThere(aside) ? aside + "-later" : aside)
    }
    try disk.move(whole, to: path)
    removeFresh()
  }

  /// The report for a salvage that an earlier start began.
  private func report(_ aside: String) throws(StoreError) -> Salvage {
    let image = try StoreImage(path: path)
    do throws(SQLiteError) {
      let database = try SQLiteDatabase.store(image: image.database(), path: path)
      let identities = try DeviceIdentity.all(database)
      var missing = 0
      for identity in identities { missing += try identity.missing(database) }
      let image = try? StoreImage(path: aside)
      var old = image.map { Salvager.identities(in: $0, isChecked: $0.isChecked) } ?? []
      if image?.isUnbegun ?? false { old = mark.devices }
      return Salvage(
        recovered: Int(try database.integer("SELECT count(*) FROM captures") ?? 0),
        missing: missing, continuesAt: try identities.last?.nextSequence(database) ?? 1,
        isIdentityKept: old.last?.device == identities.last?.device, movedTo: aside,
        damage: "found at an earlier start")
    } catch {
      throw StoreError(error)
    }
  }

  /// Earlier versions moved the damaged file away first. After a power cut the file that they had
  /// written is left, with its log, under the name of one that is being written.
  private func finishOldVersions(at now: UTC) throws(StoreError) {
    guard !Disk.isThere(path), Disk.isThere(fresh),
      Disk.files(beginning: path + ".salvaged-").isEmpty
    else { return }
    if Disk.isThere(path + "-wal") {
      try disk.move(path + "-wal", to: "\(path).damaged-\(freeTime(at: now))-wal")
    }
    try disk.remove(path + "-shm")
    if Disk.isThere(fresh + "-wal") { try disk.move(fresh + "-wal", to: path + "-wal") }
    try disk.move(fresh, to: path)
  }

  /// `20121006T093000Z`, with a number appended if files with that name exist already.
  func freeTime(at now: UTC) -> String {
    let seconds = now.milliseconds / 1000
    let memory = try? SQLiteDatabase(path: ":memory:")
    let text = try? memory?.text("SELECT strftime('%Y%m%dT%H%M%SZ', \(seconds), 'unixepoch')")
    let time = (text ?? nil) ?? String(seconds)
    var free = time
    var count = 1
    while Self.names(path, free).contains(where: Disk.isThere) {
      count += 1
      free = "\(time)-\(count)"
    }
    return free
  }

  private static func names(_ path: String, _ time: String) -> [String] {
    ([""] + parts).map { "\(path).damaged-\(time)\($0)" } + ["\(path).salvaged-\(time)"]
  }
}

/// The file operations of a salvage. Each is on the disk before the next begins. Tests observe them
/// and simulate a power cut in between.
struct Disk {
  enum Step: Sendable, Equatable {
    case rename(String, to: String)
    case remove(String)
    case empty(String)
    case flushFile(String)
    case flushDirectory(String)
  }

  /// Called before each step; the step fails with the returned `errno` unless it is 0.
  var willPerform: (Step) -> Int32 = { _ in 0 }

  /// Free bytes for ordinary users; `nil` if the file system does not report them.
  static func freeBytes(at path: String) -> Int64? {
    SystemCalls.freeBytes(at: path)
  }

  static func isThere(_ path: String) -> Bool { may(.exist, path) }

  static func size(of path: String) -> Int64 {
    (try? FileStatus(path))?.size ?? 0
  }

  /// The target of a symbolic link, or the path itself. A store's other files, including its lock,
  /// are beside the target.
  static func resolved(_ path: String) throws(StoreError) -> String {
    guard (try? FileStatus(path, followsLinks: false))?.kind == .link else { return path }
    do throws(SystemError) { return try SystemCalls.resolved(path) } catch {
      throw StoreError(.cannotOpen, path: path, detail: StorePhrase.dangling.texts)
    }
  }

  /// Paths of the files that begin with a prefix, sorted.
  static func files(beginning prefix: String) -> [String] {
    let folder = directory(of: prefix)
    let base = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    return names(inFolder: folder).map { base + $0 }.filter { $0.hasPrefix(prefix) }.sorted()
  }

  // MARK: Steps

  /// Renames a file durably.
  func move(_ old: String, to new: String) throws(StoreError) {
    try perform(.rename(old, to: new), old) { () throws(SystemError) in
      try renameFile(old, to: new)
    }
    try synchroniseDirectory(of: new)
  }

  /// Removes a file durably if it exists.
  func remove(_ path: String) throws(StoreError) {
    guard Self.isThere(path) else { return }
    try perform(.remove(path), path) { () throws(SystemError) in
      try removeFile(path)
    }
    try synchroniseDirectory(of: path)
  }

  /// Removes what a file contains, durably.
  func empty(_ path: String) throws(StoreError) {
    try perform(.empty(path), path) { () throws(SystemError) in
      try Descriptor(opening: path, .write).truncate(to: 0)
    }
    try synchronise(path)
  }

  /// Flushes a file to disk.
  func synchronise(_ path: String) throws(StoreError) {
    try perform(.flushFile(path), path) { () throws(SystemError) in
      try Descriptor(opening: path, .read).synchronise()
    }
  }

  /// A name is on disk only when its directory is.
  private func synchroniseDirectory(of path: String) throws(StoreError) {
    let folder = directory(of: path)
    try perform(.flushDirectory(folder), folder) { () throws(SystemError) in
      try SystemCalls.synchroniseDirectory(folder)
    }
  }

  private func perform(
    _ step: Step, _ path: String, _ body: () throws(SystemError) -> Void
  ) throws(StoreError) {
    let refusal = willPerform(step)
    guard refusal == 0 else { throw StoreError(path, code: refusal) }
    do throws(SystemError) { try body() } catch { throw StoreError(path, code: error.code) }
  }
}
