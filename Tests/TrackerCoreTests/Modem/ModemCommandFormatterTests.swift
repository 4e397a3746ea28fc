import Testing

@testable import TrackerCore

/// Commands in the words of each family.
@Suite struct ModemCommandFormatterTests {
  static let families: [ModemFamily] = [.generic, .sim5320, .sim7600, .a7670]
  static let commands: [ModemCommand] = (0..<24).compactMap { ModemCommand(rawValue: $0) }

  private func text<let capacity: Int>(_ text: InlineText<capacity>?) -> String? {
    text.map { text in String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self) }
  }

  private func accessPoint(_ name: String) -> AccessPointName? {
    AccessPointName(Array(name.utf8).span)
  }

  @Test(arguments: families)
  func `Every command is one line that begins with AT and ends with CR`(_ family: ModemFamily) {
    #expect(Self.commands.count == 24 && ModemCommand(rawValue: 24) == nil, again(Self.self))
    let formatter = ModemCommandFormatter(family: family, accessPoint: accessPoint("internet"))
    for command in Self.commands {
      guard let line = text(formatter.line(of: command)) else {
        let isInside = command == .receiverOn || command == .receiverOff
        #expect(command == .enterPIN || (isInside && family == .generic), again(Self.self))
        continue
      }
      #expect(line.hasPrefix("AT") && line.hasSuffix("\r"), again(Self.self, line))
      #expect(line.filter { $0 == "\r" || $0 == "\n" }.count == 1, again(Self.self, line))
    }
  }

  @Test func `The access point and the PIN stand between quotation marks`() {
    let formatter = ModemCommandFormatter(
      family: .sim7600, accessPoint: accessPoint("internet.movistar.es"))
    #expect(
      text(formatter.line(of: .definePDP)) == "AT+CGDCONT=1,\"IP\",\"internet.movistar.es\"\r",
      again(Self.self))
    #expect(
      text(formatter.pinLine(Array("0742".utf8).span)) == "AT+CPIN=\"0742\"\r", again(Self.self))
    #expect(
      text(formatter.pinLine(Array("07420742".utf8).span)) == "AT+CPIN=\"07420742\"\r",
      again(Self.self))
    #expect(ModemCommandFormatter(family: .generic, accessPoint: nil).line(of: .definePDP) == nil)
  }

  @Test(arguments: ["", "742", "074212345", "07a2", "0742\"", "\"\r\nAT", "07 2", "٠٧٤٢"])
  func `What is no PIN is not said`(_ digits: String) {
    let formatter = ModemCommandFormatter(family: .sim7600, accessPoint: nil)
    #expect(formatter.pinLine(Array(digits.utf8).span) == nil, again(Self.self, digits))
  }

  @Test func `An access point's name cannot end its quotation marks`() {
    let longest = String(repeating: "a", count: 100)
    for name in ["internet", "m2m.vodafone.es", "a-b_c.9", longest] {
      #expect(accessPoint(name) != nil, again(Self.self, name))
    }
    for name in ["", longest + "a", "a\"b", "a,b", "a;b", "a b", "a\rb", "à", "a\0"] {
      #expect(accessPoint(name) == nil, again(Self.self, name))
    }
    let formatter = ModemCommandFormatter(family: .generic, accessPoint: accessPoint(longest))
    #expect(text(formatter.line(of: .definePDP))?.hasSuffix("a\"\r") == true, again(Self.self))
  }

  @Test func `A telephone number is a plus and digits`() {
    for number in ["112", "+34600000000", "600000000", "+123456789012345"] {
      #expect(PhoneNumber(Array(number.utf8).span) != nil, again(Self.self, number))
    }
    for number in ["", "+", "12", "+1234567890123456", "34-600", "+34 600", "6\"", "++34600"] {
      #expect(PhoneNumber(Array(number.utf8).span) == nil, again(Self.self, number))
    }
  }

  @Test func `A set of commands holds what was put into it`() {
    var set = CommandSet()
    for command in Self.commands {
      #expect(!set.contains(command), again(Self.self))
      set.insert(command)
      #expect(set.contains(command), again(Self.self))
    }
    for command in Self.commands { set.remove(command) }
    #expect(set.isEmpty, again(Self.self))
  }
}
