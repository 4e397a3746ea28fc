import FieldConsole
import MachineAccess
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// Whom the world asks while its receiver sends: what it gives others to do must be seen at once.
@Suite(.serialized, .blocking) struct AskedSourcesTests {
  private let again: Comment = "repeat with: swift test --filter AskedSourcesTests"

  /// A receiver that has always sent another byte.
  private final class TalkingLine: SilentLine {
    let pipe: DescriptorPipe

    override init() {
      guard let pipe = try? DescriptorPipe() else { preconditionFailure("no descriptors left") }
      pipe.signal()
      self.pipe = pipe
    }

    override var descriptor: Int32? { pipe.readEnd.number }
    override func ready(
      _ found: PollEvents, at now: Instant, into buffer: inout MutableSpan<UInt8>
    ) -> Int { found.isEmpty ? 0 : 1 }
  }

  private enum Task: CaseIterable {
    case effect, memory, note, event
  }

  @Test(arguments: Task.allCases)
  private func `Whatever the world is given to do, all sources are asked`(_ task: Task) throws {
    var world = try LinuxWorld(try LinuxParts.idle(receiver: TalkingLine()), clock: BootClock())
    var bytes = [UInt8](repeating: 0, count: 64)
    /// Reads once, which takes a pass.
    func read() -> Bool {
      var buffer = bytes.mutableSpan
      return world.wait(until: nil, filling: &buffer) == .bytes(count: 1, from: .receiver)
    }
    #expect(read() && read() && !world.loop.isAskingAll, again)
    switch task {
    case .effect: world.push(.setLight(.working))
    case .memory: world.remember(Memory())
    case .note: world.push(.note(.sending(.notDue)))
    case .event:
      world.loop.append(.haltRefused)
      var buffer = bytes.mutableSpan
      #expect(world.wait(until: nil, filling: &buffer) == .event(.haltRefused), again)
    }
    #expect(world.loop.isAskingAll, again)
    #expect(read() && !world.loop.isAskingAll, again)
  }
}
