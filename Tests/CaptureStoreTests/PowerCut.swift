import Foundation

@testable import CaptureStore

/// What a disk may hold after a power cut: of a file that was not flushed anything, of a directory
/// that was not flushed any of its changes, in any order.
struct PowerCut {
  typealias Files = [String: [UInt8]]

  /// The files before a step; after the last one without a step.
  struct Moment {
    var files: Files
    var step: Disk.Step?
  }

  /// What an observer of the steps writes down.
  final class Record: @unchecked Sendable {
    var moments: [Moment] = []
    var count = 0
  }

  struct State {
    var files: Files
    var description: String
  }

  private enum Change {
    case add(String, file: Int)
    case rename(String, to: String, file: Int?)
    case remove(String)
  }

  private struct File {
    var bytes: [UInt8]
    var isFlushed: Bool
  }

  private var files: [File] = []
  /// The directory as it is, and as it is on the disk.
  private var names: [String: Int] = [:]
  private var durable: [String: Int] = [:]
  private var pending: [Change] = []
  private(set) var states: [State] = []

  /// All states that a power cut between these moments may leave.
  static func states(of moments: [Moment], from beginning: Files) -> [State] {
    var cut = PowerCut()
    for (name, bytes) in beginning.sorted(by: { $0.key < $1.key }) where !name.hasSuffix("-shm") {
      cut.names[name] = cut.files.count
      cut.files.append(File(bytes: bytes, isFlushed: true))
    }
    cut.durable = cut.names
    for (index, moment) in moments.enumerated() { cut.pass(moment, index) }
    return cut.states
  }

  private mutating func pass(_ moment: Moment, _ index: Int) {
    // SQLite wrote it; the next reader makes its index of the log again.
    for (name, bytes) in moment.files.sorted(by: { $0.key < $1.key })
    where !name.hasSuffix("-shm") && names[name].map({ files[$0].bytes }) != bytes {
      names[name] = files.count
      pending.append(.add(name, file: files.count))
      files.append(File(bytes: bytes, isFlushed: false))
    }
    for order in Self.orders(of: pending) {
      for (content, change) in Self.contents {
        let state = self.state(after: order, change)
        let what = "step \(index + 1), \(order.count) of \(pending.count) changes, \(content)"
        states.append(State(files: state, description: what))
        if files.allSatisfy(\.isFlushed) { break }
      }
    }
    switch moment.step {
    case .rename(let old, let new):
      names[new] = names.removeValue(forKey: old)
      pending.append(.rename(old, to: new, file: names[new]))
    case .remove(let name) where names[name] != nil:
      names[name] = nil
      pending.append(.remove(name))
    case .flushFile(let file): if let file = names[file] { files[file].isFlushed = true }
    case .flushDirectory:
      durable = names
      pending = []
    case .remove, .empty, nil: break
    }
  }

  /// What may be in a file that was not flushed.
  private static let contents: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
    ("all of the content", { $0 }), ("no content", { _ in [] }),
    ("half of the content", { Array($0.prefix($0.count / 2 / 4096 * 4096)) }),
    ("zeros", { [UInt8](repeating: 0, count: $0.count) }),
    (
      "its second half only",
      { bytes in
        bytes.indices.map { $0 < bytes.count / 2 ? 0 : bytes[$0] }
      }
    ),
  ]

  private func state(after changes: [Change], _ content: ([UInt8]) -> [UInt8]) -> Files {
    var names = durable
    for change in changes {
      switch change {
      case .add(let name, let file): names[name] = file
      case .rename(let old, let new, let file):
        names[old] = nil
        names[new] = file
      case .remove(let name): names[name] = nil
      }
    }
    return names.mapValues { files[$0].isFlushed ? files[$0].bytes : content(files[$0].bytes) }
  }

  /// Each choice of some of the changes, in each order.
  private static func orders(of changes: [Change]) -> [[Change]] {
    var all: [[Change]] = [[]]
    for (index, change) in changes.enumerated() {
      var rest = changes
      rest.remove(at: index)
      all += orders(of: rest).map { [change] + $0 }
    }
    return all
  }
}

extension Disk.Step {
  /// The same with names instead of paths.
  func `in`(_ folder: String) -> Disk.Step {
    func name(_ path: String) -> String { String(path.dropFirst(folder.count + 1)) }
    return switch self {
    case .rename(let old, let new): .rename(name(old), to: name(new))
    case .remove(let path): .remove(name(path))
    case .empty(let path): .empty(name(path))
    case .flushFile(let path): .flushFile(name(path))
    case .flushDirectory: self
    }
  }
}

extension Scratch {
  /// All files by name.
  var files: PowerCut.Files {
    var files: PowerCut.Files = [:]
    for name in names { files[name] = bytesOf(name) }
    return files
  }

  func put(_ files: PowerCut.Files) throws {
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
  }

  private func bytesOf(_ name: String) -> [UInt8] {
    Array(FileManager.default.contents(atPath: folder + "/" + name) ?? Data())
  }
}
