import CaptureStore
import CommandLineSupport
import MachineAccess
import Notes
import Reports
import SystemCalls
import TrackerCore
import Wording

/// Writes captures to a file that other programs read, or to a USB stick that is handed over at a
/// checkpoint and imported there.
struct Export {
  private let stores: [CaptureStore]
  /// `nil`: the notes.
  private let format: ExportFormat?
  private let output: String?

  init(_ arguments: Arguments) throws {
    let format = arguments.text(.format).flatMap { ExportFormat(rawValue: $0) } ?? .gpx
    try self.init(
      arguments.text(.store) ?? "", arguments.has(.notes) ? nil : format,
      to: arguments.text(.output))
  }

  /// - Parameters:
  ///   - format: `nil`: the notes, as a table.
  ///   - output: `nil`: standard output.
  init(_ store: String, _ format: ExportFormat?, to output: String?) throws {
    self.format = format
    self.output = output
    stores = try CaptureStore.openAnyForReading(store)
    for part in stores.flatMap({ CaptureStore.files(of: Self.path($0)) }) {
      guard let output, Self.isSame(output, part) else { continue }
      throw UsageError(CommandPhrase.partOfStore.texts(output))
    }
  }

  /// Writes the whole file, or nothing.
  ///
  /// - Returns: the exit code.
  func run() throws -> Int32 {
    var captures: [ExportedCapture] = []
    var book = Notebook()
    let file = try OutputFile(path: output)
    for store in stores {
      Program.complainOfDamage(store)
      book.merge(try store.notebook().versions)
      guard let format else { continue }
      let stored = try store.captures()
      // A controller's card is not written to.
      if format.canBeImported, case .file = store.place, let last = stored.last {
        tell(store, through: last.key)
      }
      let marks = try store.marks(of: stored)
      captures += stored.map { Self.exported($0, marks[$0.key]) }
    }
    let bytes = format?.bytes(
      of: captures, notes: book.notes, creator: "trackerctl \(version)")
    try file.write(bytes ?? ExportFormat.table(of: book.notes))
    try file.finish()
    return 0
  }

  private static func path(_ store: CaptureStore) -> String {
    if case .file(let path) = store.place { path } else { "" }
  }

  private static func exported(_ stored: StoredCapture, _ mark: StoredMark?) -> ExportedCapture {
    var exported = ExportedCapture(
      stored.capture, device: stored.device, id: stored.id, state: state(stored.state))
    if let mark {
      exported.capture.mark = CourseMark(
        doneMetres: mark.doneMetres, toGoMetres: mark.toGoMetres)
      exported.placeName = mark.place
    }
    return exported
  }

  /// Notes the export in the store before the file exists, so that the tracker asks a server for
  /// these captures before it sends them. Exports even if that fails.
  private func tell(_ store: CaptureStore, through last: CaptureKey) {
    do throws(StoreError) {
      let path = Self.path(store)
      // Writing to a damaged store could damage more of it.
      if let damage = store.damage { throw StoreError(.damaged, path: path, detail: damage) }
      try CaptureStore.noteHandedOut(path, through: last)
    } catch {
      Program.complain(DeliveryPhrase.noNote.texts(error))
    }
  }

  static func isSame(_ a: String, _ b: String) -> Bool {
    guard let first = try? FileStatus(a), let second = try? FileStatus(b) else { return false }
    return first.isSame(as: second)
  }

  private static func state(_ state: CaptureState) -> ExportedState {
    switch state {
    case .pending: .pending
    case .inFlight: .inFlight
    case .acknowledged: .acknowledged
    case .setAside: .setAside
    }
  }
}

/// Sends the captures of a file written by `export`, or of a controller's card, to a server.
///
/// The whole file is read and checked before the first request. Each capture keeps its device and
/// number, and so its identifier: the server is asked which it has, and gets the others.
struct Import {
  private let store: CaptureStore
  private var server: ServerConnection

  /// - Throws: if the command line or the file is wrong.
  init(_ arguments: Arguments) throws {
    server = try ServerConnection(arguments)
    server.isImport = true
    let path = arguments.operands[0]
    var supplied: [CaptureStore.SuppliedCapture] = []
    if var card = CardFile(path) {
      supplied = card.captures()
      // As with a file: the server knows better which it has.
      for index in supplied.indices { supplied[index].state = .pending }
    } else {
      supplied = try Self.exported(path)
    }
    store = try CaptureStore.holding(supplied, at: BootClock.date)
  }

  private static func exported(_ path: String) throws -> [CaptureStore.SuppliedCapture] {
    let bytes = try InputFile.bytes(of: path, atMost: ReportBounds.captureFileBytes)
    let captures: [ExportedCapture]
    do throws(ImportError) {
      captures = try CaptureImport.captures(in: bytes)
    } catch {
      throw UsageError(path.texts.colon(Texts(of: error)))
    }
    // Concatenated exports may have a capture twice.
    var seen: Set<UniqueID> = []
    return captures.filter { seen.insert($0.id).inserted }.map {
      CaptureStore.SuppliedCapture(
        $0.capture, device: $0.device, id: $0.id, placeName: $0.placeName)
    }
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    guard let report = try server.deliver(store) else { return 2 }
    var line = DeliveryPhrase.imported.texts("\(report.pushed - report.found)", "\(report.found)")
    if report.setAside > 0 {
      line = DeliveryPhrase.importRefused.texts(line, "\(report.setAside)")
    }
    if report.left > 0 { line = DeliveryPhrase.importLeft.texts(line, "\(report.left)") }
    try printOut(line[.chosen(nil)] + "\n")
    return report.left == 0 && report.setAside == 0 ? 0 : 1
  }
}
