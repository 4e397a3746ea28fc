import Testing

@testable import ModemDialogues

/// The digits of a PIN are hidden in whatever form a modem repeats them.
@Suite struct PINMaskTests {
  /// What passes of a text that comes in pieces, and what is held back at its end.
  private func passed(_ pieces: [Substring], entering: Bool = false) -> String {
    var mask = PINMask(Array("0742".utf8))
    if entering { mask.enters() }
    let bytes = pieces.flatMap { mask.pass(Array($0.utf8)) } + mask.release()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Cut into two at every place, and into single bytes.
  private func expect(_ came: String, _ written: String, entering: Bool = false) {
    for cut in 0...came.utf8.count {
      let place = came.utf8.index(came.startIndex, offsetBy: cut)
      #expect(passed([came[..<place], came[place...]], entering: entering) == written, "at \(cut)")
    }
    #expect(passed(came.map { Substring(String($0)) }, entering: entering) == written)
  }

  @Test(arguments: [
    ("AT+CPIN=\"0742\"\r\r\nOK\r\n", "AT+CPIN=\"****\"\r\r\nOK\r\n"),
    ("AT+CPIN=0742\r", "AT+CPIN=****\r"),
    ("at+cpin=\"0742\",\"0742\"\r", "at+cpin=\"****\",\"****\"\r"),
    ("+CPIN: 0742\r\n", "+CPIN: ****\r\n"), ("+CPIN:0742\r\n", "+CPIN:****\r\n"),
    ("^CPIN: \"0742\"\r\n", "^CPIN: \"****\"\r\n"), ("AT^CPIN=\"0742\"\r", "AT^CPIN=\"****\"\r"),
    ("+CLCK: \"SC\",0,\"0742\"\r\n", "+CLCK: \"SC\",0,\"****\"\r\n"),
    ("AT+CLCK=\"SC\",0,\"0742\"\r", "AT+CLCK=\"SC\",0,\"****\"\r"),
    ("IN=\"0742\"\r", "IN=\"****\"\r"), ("0742\r\n", "****\r\n"), ("\"0742\r\n", "\"****\r\n"),
    ("PIN0742OK\r\n", "PIN****OK\r\n"), ("SIM PIN 0742 accepted\r\n", "SIM PIN **** accepted\r\n"),
    ("\0x+CPIN: 0742\r\n", "\0x+CPIN: ****\r\n"),
  ])
  func `Whatever line it stands in, however it is cut`(_ came: String, _ written: String) {
    expect(came, written)
  }

  @Test(arguments: [
    "+CBC: 0,80,0742\r\n", "+CSQ: 18,99\r\n", "+HTTPACTION: 1,200,0742\r\n", "214070742000742\r\n",
    "00742\r\n", "07421\r\n", "074\r\n0\r\n", "+CPIN: SIM PIN\r\n+CPIN: READY\r\nOK\r\n",
    "+SPIC: 3,10,0,10\r\n", "+CME ERROR: 742\r\n",
  ])
  func `What is no PIN stays`(_ came: String) { expect(came, came) }

  @Test(arguments: [
    (
      "AT+CPIN=\"07\r\n+CREG: 0,742\r\n42\"\r\r\nOK\r\n",
      "AT+CPIN=\"**\r\n+CREG: 0,742\r\n**\"\r\r\nOK\r\n"
    ),
    ("742\"\r\n+CME ERROR: 16\r\n742\r\n", "***\"\r\n+CME ERROR: 16\r\n742\r\n"),
    ("0 7 4 2\r\nERROR\r\n7 4 2\r\n", "* * * *\r\nERROR\r\n7 4 2\r\n"),
  ])
  func `Until the answer to it has come, its pieces are hidden too`(
    _ came: String, _ written: String
  ) {
    expect(came, written, entering: true)
  }

  @Test func `What is held back is less than a PIN, and comes out with the next byte`() {
    var mask = PINMask(Array("07420742".utf8))
    #expect(mask.pass(Array("x0742074".utf8)) == Array("x".utf8))
    #expect(mask.pass(Array("\r".utf8)) == Array("0742074\r".utf8))
  }
}
