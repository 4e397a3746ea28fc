import CaptureStore
import CommandLineSupport
import Glibc
import Reports
import TrackerCore
import Wording

/// Writes captures to a file that other programs read, or to a USB stick that is handed over at a
/// checkpoint and imported there.
struct Export {
  private let stores: [CaptureStore]
  private let format: ExportFormat
  private let output: String?

  init(_ arguments: Arguments) throws {
    try self.init(
      arguments.text(.store) ?? "", arguments.text(.format).flatMap { ExportFormat(rawValue: $0) },
      to: arguments.text(.output))
  }

  /// - Parameter output: `nil`: standard output.
  init(_ store: String, _ format: ExportFormat?, to output: String?) throws {
    // The table has all of them.
    self.format = format ?? .gpx
    self.output = output
    stores = try CaptureStore.openAllForReading(store)
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
    let file = try OutputFile(path: output)
    for store in stores {
      Program.complainOfDamage(store)
      let stored = try store.captures()
      if format.canBeImported, let last = stored.last { tell(store, through: last.key) }
      let marks = try store.marks(of: stored)
      captures += stored.map { Self.exported($0, marks[$0.key]) }
    }
    try file.write(format.bytes(of: captures, creator: "trackerctl \(version)"))
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
      Program.complain(
        "\(error); without a note in the store, import this only where the layer takes GlobalIDs, "
          + "as basecamp's does")
    }
  }

  static func isSame(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
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
