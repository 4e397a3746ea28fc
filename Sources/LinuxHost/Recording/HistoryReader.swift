import CaptureStore
import Courier
import History
import NMEA
import SystemCalls
import Traces
import TrackerCore

/// Picks the positions of a request from the flight recorder's files and from the store, a bounded
/// piece at a time, so that nothing else waits for it.
///
/// The files are read from the newest on: when the recorder begins another one meanwhile, each is
/// found one number later, and none is missed. What is damaged, missing or no recording is skipped.
struct HistoryReader {
  private enum Stage {
    /// With the part's number.
    case recording(Int)
    case captures(after: CaptureKey)
    case done
  }

  /// `nil`: nothing is recorded.
  private let path: String?
  private var stage: Stage
  private var part: PartReader?
  private(set) var picker: HistoryPicker
  var isDone: Bool { if case .done = stage { true } else { false } }

  init(_ request: HistoryRequest, recording path: String?) {
    self.path = path
    picker = HistoryPicker(request)
    stage = path == nil ? .captures(after: .none) : .recording(0)
  }

  /// Reads the next piece.
  mutating func read(_ store: CaptureStore) {
    switch stage {
    case .recording(let number): readRecording(number)
    case .captures(let last): readCaptures(of: store, after: last)
    case .done: break
    }
  }

  private mutating func readRecording(_ number: Int) {
    guard let path, number <= RecordingBounds().olderFiles else {
      stage = .captures(after: .none)
      return
    }
    part = part ?? PartReader(RecordingPart.path(number, of: path))
    guard let part else {
      // The current one may not have begun.
      stage = number == 0 ? .recording(1) : .captures(after: .none)
      return
    }
    part.read(into: &picker)
    guard part.isDone else { return }
    self.part = nil
    let isFirst = part.begins.map { $0 <= picker.request.from } ?? false
    stage = isFirst ? .captures(after: .none) : .recording(number + 1)
  }

  private mutating func readCaptures(of store: CaptureStore, after last: CaptureKey) {
    guard let page = try? store.page(after: last, limit: HostBounds.historyCaptures),
      let end = page.last
    else {
      stage = .done
      return
    }
    for stored in page where stored.device == store.device {
      guard let utc = stored.capture.utc, stored.capture.isTimeTrusted,
        let place = stored.capture.position
      else { continue }
      picker.see(place, at: utc)
    }
    stage = .captures(after: end.key)
  }
}

/// Reads one file of a recording, which may get another name meanwhile.
private final class PartReader {
  private let file: Descriptor
  private var reader = RecordingReader(.lenient)
  private var decoder = Decoder()
  /// When it begins; `nil`: its date was not known.
  private(set) var begins: UTC?
  /// Nothing is left in it that is wanted, or can be read.
  private(set) var isDone = false

  /// - Returns: `nil`: the file is not there, or is none.
  init?(_ path: String) {
    guard let file = try? Descriptor(opening: path, [.read, .nonBlocking]),
      (try? file.status())?.kind == .file
    else { return nil }
    self.file = file
  }

  func read(into picker: inout HistoryPicker) {
    var bytes = [UInt8](repeating: 0, count: HostBounds.historyBytes)
    let count = (try? file.read(into: &bytes)) ?? 0
    bytes.removeSubrange(count...)
    isDone = count == 0
    do throws(RecordingError) {
      if isDone { try reader.endPart() }
      var position = 0
      while let recorded = try reader.next(in: bytes, from: &position) {
        take(recorded, into: &picker)
      }
    } catch { isDone = true }
    if begins == nil { begins = reader.partBegins.flatMap { reader.date(of: $0) } }
    if let begins, begins > picker.request.until + picker.request.step { isDone = true }
  }

  private func take(_ recorded: Recorded, into picker: inout HistoryPicker) {
    guard case .bytes(let bytes, .receiver) = recorded.content else { return }
    let date = reader.date(of: recorded.at)
    var position = 0
    while let epoch = decoder.next(in: bytes.span, from: &position) {
      take(epoch, date, into: &picker)
    }
  }

  /// - Parameter date: by the tracker's clock, if that was trusted.
  private func take(_ epoch: Epoch, _ date: UTC?, into picker: inout HistoryPicker) {
    let own = epoch.utcMilliseconds.map { UTC(milliseconds: $0) }
    guard let date else {
      if let own { picker.miss(.clockUntrusted, at: own) }
      return
    }
    guard epoch.hasPosition, let latitude = epoch.latitude, let longitude = epoch.longitude else {
      return picker.miss(.noFix, at: date)
    }
    // A receiver may be 1024 weeks behind.
    let isOwnRight = own.map { abs($0.milliseconds - date.milliseconds) < 10_000 } ?? false
    picker.see(
      Coordinate(latitude: latitude, longitude: longitude), at: isOwnRight ? own ?? date : date)
  }
}

/// Has positions picked for the history that the control room waits for.
final class HistorySource: PollSource {
  private let queue: CaptureQueue
  private let path: String?
  private var work: (open: OpenHistory, reader: HistoryReader)?
  /// Something may have come.
  private var isDue = true

  init(_ queue: CaptureQueue, recording path: String?) {
    (self.queue, self.path) = (queue, path)
  }

  /// Messages were fetched, or something was told.
  func look() { isDue = true }

  func tend(_ pass: inout Pass) {
    if isDue {
      isDue = false
      let open = queue.courier.openHistory
      if open != work?.open {
        work = open.flatMap { open in
          queue.courier.hasPicked(open)
            ? nil : (open, HistoryReader(open.request, recording: path))
        }
      }
    }
    guard let (open, begun) = work else { return }
    var reader = begun
    reader.read(queue.courier.store)
    if reader.isDone {
      queue.courier.take(reader.picker.answer, for: open)
      work = nil
      pass.log.write(
        .info, "a history was picked", ["what": reader.picker.answer.result])
    } else {
      work = (open, reader)
    }
  }

  func register(in wait: inout LoopWait, at now: Instant) {
    if isDue || work != nil { wait.wake(within: 0) }
  }
}
