import Foundation
import ModemTerminal
import Simulation
import Synchronization
import TestSupport
import Testing
import TrackerCore
import Uplink

/// The modem on a board's UART 2, in the time of the board's paced world: what
/// `Tests/Firmware/paced.c` asks. Its requests go to real servers, and while they take their time
/// the world's stands still.
final class ModemPeer: Sendable {
  private let modem: Mutex<ModemEmulator>
  private let forward: @Sendable (HTTPRequest) -> HTTPReply
  /// Named pipes, open in both directions, so that none waits for its other end.
  private let questions: FileHandle
  private let answers: FileHandle
  private let fromBoard: FileHandle
  private let toBoard: FileHandle
  private let isOver = DispatchSemaphore(value: 0)

  /// - Parameter forward: performs its requests.
  init(
    _ script: ModemScript, in folder: ScratchFolder,
    forward: @escaping @Sendable (HTTPRequest) -> HTTPReply = { $0.performWithCurl() }
  ) throws {
    func pipe(_ name: String) throws -> FileHandle {
      let path = folder.path(name)
      guard mkfifo(path, 0o600) == 0 else { throw Problem("no pipe \(path)") }
      return try #require(FileHandle(forUpdatingAtPath: path))
    }
    questions = try pipe("questions")
    answers = try pipe("answers")
    fromBoard = try pipe("modem.out")
    toBoard = try pipe("modem.in")
    modem = Mutex(ModemEmulator(script, isOn: false, keepsTranscript: true))
    self.forward = forward
    let thread = Thread { [self] in
      live()
      isOver.signal()
    }
    thread.name = "modem"
    thread.start()
  }

  /// The board's run is over.
  func stop() {
    write([Int64(-1), 0], to: questions)
    isOver.wait()
  }

  /// The board was killed: what it had announced to send may never have come.
  func stopAfterKill() {
    fromBoard.write(Data(count: 4096))
    stop()
  }

  var requests: [HTTPRequest] { modem.withLock { $0.requests } }
  var heard: [String] { modem.withLock { $0.heard } }
  var boots: Int { modem.withLock { $0.boots } }

  func set(_ condition: String, _ holds: Bool = true) {
    modem.withLock { $0.set(condition, holds) }
  }

  // MARK: Questions

  private func live() {
    var received: UInt32 = 0
    var isPressed = false
    while let question = read(16, from: questions) {
      let at: Int64 = question.value(at: 0)
      let sent: UInt32 = question.value(at: 8)
      let key: Int32 = question.value(at: 12)
      if at < 0 { return }
      let now = Instant(milliseconds: at)
      guard let bytes = read(Int(sent &- received), from: fromBoard) else { return }
      received = sent
      let (output, next) = modem.withLock { modem in
        modem.advance(to: now)
        if (key != 0) != isPressed { modem.setKey(isPressed: key != 0, at: now) }
        modem.receive(Array(bytes), at: now)
        modem.advance(to: now)
        while let request = modem.takeRequest() { modem.answer(forward(request), at: now) }
        return (modem.takeOutput(), modem.nextDeadline?.milliseconds ?? .max)
      }
      isPressed = key != 0
      toBoard.write(Data(output))
      write([next, Int64(output.count)], to: answers)
    }
  }

  private func read(_ count: Int, from pipe: FileHandle) -> Data? {
    var data = Data()
    while data.count < count {
      guard let more = try? pipe.read(upToCount: count - data.count), !more.isEmpty else {
        return nil
      }
      data += more
    }
    return data
  }

  private func write(_ values: [Int64], to pipe: FileHandle) {
    pipe.write(values.withUnsafeBytes { Data($0) })
  }
}

extension Data {
  fileprivate func value<Value: FixedWidthInteger>(at place: Int) -> Value {
    var value: Value = 0
    _ = Swift.withUnsafeMutableBytes(of: &value) {
      copyBytes(to: $0, from: startIndex + place..<startIndex + place + MemoryLayout<Value>.size)
    }
    return value
  }
}
