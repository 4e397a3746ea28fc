import Testing

@testable import FieldConsole

@Suite struct RedactionTests {
  static let lines: [(line: String, clean: String)] = [
    ("team: \"Els Senglars\",", "team: \"Els Senglars\","),
    ("  password: \"cabra\",", "  password: ***"),
    ("pin = 0742", "pin = ***"),
    ("\"pin\": \"0742\"", "\"pin\": ***"),
    ("<6>SIM imsi=214075512345678", "<6>SIM imsi= ***"),
    ("address: \"https://anna:cabra@host/a?token=1\",", "address: \"https://***@host/a?***\","),
    ("https://host/a?f=json, https://b", "https://host/a?*** https://b"),
    ("clientSecret: 'x'", "clientSecret: ***"),
    ("opinion: none", "opinion: none"),
    ("pins: not used", "pins: not used"),
    ("accessToken: 'x'", "accessToken: ***"),
    ("simPin: \"1234\"", "simPin: ***"),
    ("proxy: \"http://me:a,b;c@host:1/\",", "proxy: \"http://***@host:1/\","),
  ]

  @Test func `A value on the line after its key is not shown either`() {
    var page = Page()
    for line in ["password:", "  'cabra',", "team: 'a'"] { page.line(line) }
    #expect(
      Redaction.page(page).text() == "password: ***\n***\nteam: 'a'\n",
      "repeat with: swift test --filter RedactionTests")
  }

  @Test(arguments: lines.indices)
  func `A report shows no password, no key and no number of a SIM`(_ index: Int) {
    let (line, clean) = Self.lines[index]
    #expect(Redaction.text(line) == clean, "repeat with: swift test --filter RedactionTests")
  }
}
