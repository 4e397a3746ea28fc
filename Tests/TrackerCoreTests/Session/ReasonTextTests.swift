import Testing

@testable import TrackerCore

@Suite struct ReasonTextTests {
  @Test(arguments: [Language.catalan, .spanish, .english, .french])
  func `Every reason has its own short text in every language`(_ language: Language) {
    let texts = ReasonRoster.all.map { $0.text(in: language).description }
    #expect(Set(texts).count == texts.count, again(Self.self))
    for text in texts {
      #expect(!text.isEmpty && text.count <= 40, again(Self.self, text))
      #expect(text.first?.isUppercase == false && text.last != ".", again(Self.self, text))
    }
  }

  @Test func `Every reason has its own key, and only two have a number`() {
    let keys = ReasonRoster.all.map { $0.key.description }
    #expect(Set(keys).count == 26, again(Self.self))
    #expect(ReasonRoster.all.compactMap(\.detail) == [503, 1016], again(Self.self))
  }
}
