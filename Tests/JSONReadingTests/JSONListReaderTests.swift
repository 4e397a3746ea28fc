import JSONReading
import Testing

/// Lists that are read one element at a time.
@Suite struct JSONListReaderTests {
  private func elements(_ text: String, atMost limit: Int = 100) throws -> [JSONValue] {
    var reader = try JSONListReader(Array(text.utf8))
    var elements: [JSONValue] = []
    while let element = try reader.next(atMost: limit) { elements.append(element) }
    return elements
  }

  @Test(arguments: [
    "[]", " [ ] ", "[1]", "[1,2]", "[1,]", "[ {\"a\":[1,2]} , \"b\" ,null ] ", "\u{FEFF}[true]",
    "", "[", "[1", "[1,", "[1 2]", "[,1]", "[,]", "[1,,2]", "[1]]", "[1] 2", "{}", "1", "[tru]",
    "[1}", "[\"a]", "[t",
  ])
  func `It takes and refuses what the reader of whole texts does`(_ text: String) {
    let whole = try? JSONValue(parsing: Array(text.utf8))
    if case .list(let list)? = whole {
      #expect((try? elements(text)) == list)
    } else {
      #expect((try? elements(text)) == nil)
    }
  }

  @Test func `An element has a bound, and others may follow it`() throws {
    #expect(try elements("[\"abc\",\"def\"]", atMost: 5).count == 2)
    #expect(throws: JSONError.self) { try elements("[\"abc\",\"def\"]", atMost: 4) }
    #expect(throws: JSONError.self) { try elements("[[1,2,3,4]]", atMost: 8) }
  }
}
