import CaptureStore
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// Who gets which answer while the disk does not take what is to be remembered.
@Suite struct OrderProcessorTests {
  private let again: Comment = "repeat with: swift test --filter OrderProcessorTests"

  private func answer(
    _ desk: inout OrderProcessor, _ command: Command, _ act: (inout OrderProcessor) -> Void
  ) -> String? {
    desk.wait(ControlSocket.Question(client: 1, line: ""))
    desk.arrived(.event(.commandGiven(command, from: .socket)))
    act(&desk)
    return desk.takeAnswer()?.1
  }

  @Test func `Only an order that is to be remembered suffers from a full disk`() {
    var desk = OrderProcessor()
    let full = StoreError(.diskFull, path: "race.store")
    func refuse(_ desk: inout OrderProcessor) { _ = desk.failed(Memory(), full, at: .start) }
    let stopped = answer(&desk, .stop, refuse)
    #expect(stopped?.hasPrefix("error done, but a restart would forget it") == true, again)
    // Nothing of these is remembered, though what the order before changed still waits.
    #expect(answer(&desk, .sendNow) { _ in } == "ok\n", again)
    #expect(answer(&desk, .captureNow) { _ in } == "ok\n", again)
    #expect(desk.unkept == Memory() && desk.retryAt != nil, again)
    #expect(answer(&desk, .start, refuse)?.hasPrefix("error ") == true, again)
    #expect(answer(&desk, .stop) { $0.kept() } == "ok\n", again)
    #expect(desk.unkept == nil && desk.retryAt == nil, again)
  }
}
