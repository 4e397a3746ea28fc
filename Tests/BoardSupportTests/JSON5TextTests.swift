import Testing

@testable import BoardSupport

/// A settings file whose members are changed and whose comments stay.
@Suite struct JSON5TextTests {
  private let again: Comment = "repeat with: swift test --filter JSON5TextTests"

  private func changed(
    _ text: String, _ change: (inout JSON5Text) throws(FileError) -> Void
  ) throws -> String {
    var file = try JSON5Text(Array(text.utf8), path: "x")
    try change(&file)
    // It can still be read.
    _ = try file.root()
    return String(decoding: file.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("{\n  a: 1,\n}\n", "{\n  a: 1,\n  team: \"Nord\",\n}\n"),
    ("{\n  a: 1\n}\n", "{\n  a: 1,\n  team: \"Nord\",\n}\n"),
    ("{\n  a: 1 /* one */,\n}\n", "{\n  a: 1 /* one */,\n  team: \"Nord\",\n}\n"),
    ("{\n  a: 1 // one\n  ,\n}\n", "{\n  a: 1 // one\n  ,\n  team: \"Nord\",\n}\n"),
  ])
  func `A new member gets one comma before it, wherever the last one has its own`(
    _ text: String, _ expected: String
  ) throws {
    let result = try changed(text) { file throws(FileError) in try file.set("team", to: "Nord") }
    #expect(result == expected, again)
  }

  @Test(arguments: [
    ("{\n  a: 1,\n  b: 2,\n}\n", "{\n  b: 2,\n}\n"),
    ("{\n  a: 1 /* one */,\n  b: 2,\n}\n", "{\n  b: 2,\n}\n"),
    ("{ a: 1 , b: 2 }", "{ b: 2 }"),
  ])
  func `A member goes with its comma, also one behind a comment`(
    _ text: String, _ expected: String
  ) throws {
    let result = try changed(text) { file throws(FileError) in try file.remove("a") }
    #expect(result == expected, again)
  }
}
