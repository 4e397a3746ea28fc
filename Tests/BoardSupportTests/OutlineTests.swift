import JSONReading
import Testing

@testable import BoardSupport

@Suite("The outline of a JSON5 text")
struct OutlineTests {
  @Test("knows the line of each key and element, through comments, texts and nesting")
  func lines() throws {
    let text = """
      // A comment with { and "
      { first: 1,
        /* a: 1,
           b: 2 */ 'second': { "third": "a } \\" // no comment", fourth:
            [ 1,
              { fifth: 'it\\'s' } ] },
        $sixth_: .5, }
      """
    let outline = try JSONOutline.read(Array(text.utf8)).outline
    let expected = [
      "first": 2, "second": 4, "second.third": 4, "second.fourth": 4, "second.fourth[0]": 5,
      "second.fourth[1]": 6, "second.fourth[1].fifth": 6, "$sixth_": 7,
    ]
    #expect(outline.lines == expected)
  }

  @Test("counts LF, CR LF and CR alike", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(_ end: String) throws {
    let text = ["{ // one", "a: 1,", "", "b: 'x\\", "y',", "c: 3 }"].joined(separator: end)
    #expect(try JSONOutline.read(Array(text.utf8)).outline.lines == ["a": 2, "b": 4, "c": 6])
  }

  /// Text and the one line that it gives.
  static let broken: [(text: String, error: String)] = [
    (
      "{ a: 1,\n  b: 2,\n  a: 3 }",
      "x:3: a: is a duplicate, the first is on line 1; "
        + "remove one"
    ),
    (
      "{ a: { b: 1, \"b\": 2 } }",
      "x:1: a.b: is a duplicate, the first is on line 1; "
        + "remove one"
    ),
    (
      "{ a: 1\n  b: 2 }",
      "x:2: expected \",\" or \"}\", found \"b\"; "
        + "add it (and quotes around any text)"
    ),
    (
      "{ a: 75 mA }",
      "x:1: expected \",\" or \"}\", found \"mA\"; "
        + "add it (and quotes around any text)"
    ),
    (
      "{ a: [1, 2\n}",
      "x:2: expected \",\" or \"]\", found \"}\"; "
        + "add it (and quotes around any text)"
    ),
    ("{\n a: always }", "x:2: \"always\" is not a value; put text in quotes"),
    ("{\n a: 'x\n}", "x:2: the text is not closed; add the quote"),
    ("{\n\n a: \"x", "x:3: the text is not closed; add the quote"),
    ("{ a: 1,\n /* b: 2 }", "x:2: the comment has no end; add \"*/\""),
    ("{ a: 1,\n", "x:2: the file ends before the \"}\" for line 1; complete it"),
    ("{ a: 1", "x:1: the file ends before the \"}\" for line 1; complete it"),
    ("{ a:", "x:1: the file ends where a value should be; complete it"),
    ("{ a 1 }", "x:1: expected \":\" after the key \"a\", found \"1\""),
    ("{ µ: 1 }", "x:1: expected a key, found \"µ\"; keys are plain letters"),
    ("{ '\\u0061': 1 }", "x:1: the key \"\\u0061\" has an escape; write it in plain letters"),
    ("{ a: , }", "x:1: expected a value, found \",\""),
    ("{}\n}", "x:2: expected the end of the file, found \"}\"; remove it"),
    ("{\n a: 1e }", "x:2: \"1e\" is not a number; correct it, or put it in quotes"),
    ("{ a: 012 }", "x:1: \"012\" is not a number; correct it, or put it in quotes"),
    ("{ a: 1e999 }", "x:1: \"1e999\" is not a number; correct it, or put it in quotes"),
    (
      "{\n a: 'b', c: '\\q' }",
      "x:2: c: is not a valid JSON5 value; "
        + "check its digits, quotes and escapes"
    ),
  ]

  @Test("ends in one line where the text is no JSON5", arguments: 0..<broken.count)
  func faults(_ index: Int) {
    let (text, expected) = Self.broken[index]
    let found = Fixture.line { () throws(FileError) in _ = try Fixture.root(text, path: "x") }
    #expect(found == expected, "swift test --filter OutlineTests/faults: \(text.debugDescription)")
  }

  @Test("refuses what is nested too deep instead of running off the stack")
  func depth() {
    for opening in ["[", "{a:"] {
      let text = "{a:" + String(repeating: opening, count: 100_000)
      let found = Fixture.line { () throws(FileError) in _ = try Fixture.root(text, path: "x") }
      #expect(found == "x:1: is nested too deep; 32 levels are allowed")
    }
  }
}
