import BoardSupport
import Testing
import Traces
import TrackerCore

@testable import Simulation

/// What a recording tells of the world becomes a scenario.
@Suite struct FieldStoryTests {
  @Test(arguments: [
    Command.start, .stop, .captureNow, .sendNow, .tryPIN, .unsetTeam, .raiseEmergency,
    .withdrawEmergency, .askForCall, .endCallRequest, .setTeam(InlineText("Els Tercers")),
  ])
  func `An order of a recording is in its scenario, which can be written and read`(
    _ command: Command
  ) throws {
    var story = FieldStory()
    story.begin(at: .start)
    story.take(Recorded(content: .bytes([0x24], from: .receiver), at: .start, line: 1))
    let given = Event.commandGiven(command, from: .console)
    story.take(Recorded(content: .event(given), at: .start + .minutes(2), line: 2))
    let text = "{ commands: [{ at: \"0:02:00\", command: \(command.scenarioText) }] }"
    let read = try Scenario(
      FileNode.parse(Array(text.utf8), path: "scenario.json5")
    ) { _ in [] }
    #expect(story.scenario.commands.map(\.command) == [command])
    #expect(read.commands == story.scenario.commands)
  }
}
