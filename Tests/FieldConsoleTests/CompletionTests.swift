import BoardSupport
import TestSupport
import Testing

@testable import FieldConsole

@Suite struct CompletionTests {
  private let command: Comment = "repeat with: swift test --filter CompletionTests"

  @Test(arguments: [
    ("statu", "s "), ("STATU", "s "), ("stat", ""), ("wa", "tch "), ("set in", "terval "),
    ("set language c", "a "), ("captures 3 as", "ide "), ("capt", "ure"), ("undo te", "am "),
    ("help ver", ""), ("trackerctl pro", "of "), ("", ""), ("nothing", ""), ("status ", ""),
  ])
  func `A word that can only go on in one way does`(_ text: String, _ addition: String) {
    #expect(Completion(of: text).addition == addition, command)
  }

  @Test func `All ways are listed`() {
    #expect(
      Completion(of: "stats ").candidates == ["all", "every", "session", "sessions"], command)
    #expect(Completion(of: "stats every ").candidates == [], command)
    #expect(Completion(of: "st").candidates == ["start", "stats", "status", "stop"], command)
    #expect(
      Completion(of: "captures ").candidates == ["pending", "sent", "aside", "server", "all"],
      command)
    #expect(Completion(of: "help ver").candidates == ["verdict", "version"], command)
  }

  @Test func `Each setting and its words are completed`() {
    for verb in ["set", "undo"] {
      let words = Completion(of: verb + " ").candidates
      let others = verb == "undo" ? ["team", "call"] : ["team"]
      #expect(words == others + SettingKey.allCases.map(\.rawValue), "\(verb); \(command)")
    }
    for key in SettingKey.allCases {
      var choices: [String] = []
      if case .choice(let words) = key.setting.form { choices = words }
      #expect(Completion(of: "set \(key) ").candidates == choices, "\(key); \(command)")
    }
    #expect(Completion(of: "set policy ").candidates.contains("significant"), command)
    #expect(Completion(of: "set language ").candidates == ["ca", "es", "en", "fr"], command)
  }

  @Test func `Two tabs need no second one: the choices are shown and the line again`() {
    var editor = LineEditor(isDumb: true)
    editor.begin(prompt: "> ")
    for byte in Array("st\t".utf8) { _ = editor.take(byte) }
    let output = String(decoding: editor.takeOutput(), as: UTF8.self)
    #expect(output == "> st\r\n  start  stats  status  stop\r\n> st", "\(output.debugDescription)")
  }
}
