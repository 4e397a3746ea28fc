import Testing

@testable import TrackerCore

@Suite struct UniqueIDTextTests {
  private static let id = UniqueID(high: 0x0123_4567_89AB_4CDE, low: 0x8F01_2345_6789_ABCD)

  private func text(_ id: UniqueID, isUppercase: Bool = false) -> String {
    let characters = id.text(isUppercase: isUppercase)
    return String(decoding: characters.indices.map { characters[$0] }, as: UTF8.self)
  }

  private func read(_ text: String) -> UniqueID? { UniqueID(text: Array(text.utf8).span) }

  @Test func `An identifier is written as RFC 9562 has it, and read in every usual form`() {
    let lower = "01234567-89ab-4cde-8f01-23456789abcd"
    #expect(text(Self.id) == lower, again(Self.self))
    #expect(text(Self.id, isUppercase: true) == lower.uppercased(), again(Self.self))
    for form in [lower, lower.uppercased(), lower.filter { $0 != "-" }, "{\(lower.uppercased())}"] {
      #expect(read(form) == Self.id, again(Self.self, form))
    }
    for id in [UniqueID(high: 0, low: 0), UniqueID(high: .max, low: .max)] {
      #expect(read(text(id)) == id, again(Self.self))
    }
  }

  @Test(arguments: [
    "", "{", "{}", "01234567-89ab-4cde-8f01-23456789abc", "01234567-89ab-4cde-8f01-23456789abcd0",
    "{01234567-89ab-4cde-8f01-23456789abcd", "01234567-89ab-4cde-8f01-23456789abcg",
    "01234567089ab-4cde-8f01-23456789abcd", "01234567-89ab04cde-8f01-23456789abcd",
    "01234567-89ab-4cde08f01-23456789abcd", "01234567-89ab-4cde-8f01023456789abcd",
    "0123456-789ab-4cde-8f01-23456789abcd",
  ])
  func `Anything but an identifier is refused`(_ text: String) {
    #expect(read(text) == nil, again(Self.self, text))
  }

  @Test func `A trigger is known by its name, and by no other word`() {
    for trigger in [Trigger.start, .interval, .distance, .heartbeat, .command] {
      #expect(Trigger(name: Array("\(trigger.name)".utf8).span) == trigger, again(Self.self))
    }
    for word in ["", "star", "starts", "Start"] {
      #expect(Trigger(name: Array(word.utf8).span) == nil, again(Self.self, word))
    }
  }
}
