import Foundation
import TestSupport
import Testing

/// How lines are edited in a window: by libedit.
@Suite(.serialized, .blocking) struct WindowTests {
  private let command: Comment = "repeat with: swift test --filter WindowTests"

  @Test(arguments: [
    ("statux\u{7F}z\r", "statuz"), ("ab cd\u{1}\u{4}\u{5}\u{17}\r", "b"),
    ("abc\u{1B}[D\u{2}X\r", "aXbc"),
    ("x\u{15}yy\r", "yy"), ("ñ山dú\u{1B}[D\u{1B}[D\u{7F}é\r", "ñédú"),
    ("aa bb\u{1B}b\u{1B}b\u{1B}u\r", "AA"), ("ab\u{14}\r", "ba"), ("gxt\u{1B}x\r", "gxt"),
    ("\u{1B}9\u{1B}9x\r", "x"),
  ])
  func `The usual keys edit, in any script and whatever the locale`(
    _ keys: String, _ line: String
  ) throws {
    let window = try Window()
    #expect(
      try window.refused(keys, as: line), "\(window.cable.screen.debugDescription); \(command)")
  }

  @Test func `Ctrl-R finds an entered line, and Up and Down walk through them`() throws {
    let window = try Window()
    for word in ["apple", "pear", "plum"] {
      #expect(try window.refused(word + "\r", as: word), command)
    }
    #expect(try window.refused("\u{12}app\r", as: "apple"), "\(window.cable.screen); \(command)")
    #expect(try window.refused("\u{1B}[A\u{1B}[A\r", as: "plum"), command)
    #expect(try window.refused("\u{10}\u{10}\u{10}\u{E}1\r", as: "apple1"), command)
  }

  @Test func `The history has fifty lines`() throws {
    let window = try Window()
    for number in 0..<60 { #expect(try window.refused("x\(number)\r", as: "x\(number)"), command) }
    let up = String(repeating: "\u{10}", count: 80)
    #expect(try window.refused(up + "\r", as: "x10"), "\(window.cable.screen); \(command)")
  }

  @Test func `TAB completes a word, or lists what may stand there`() throws {
    let window = try Window()
    #expect(try window.refused("cap\tx\r", as: "capturex"), command)
    window.cable.clear()
    try window.cable.type("st\t")
    try window.cable.wait("start  stats  status  stop")
    #expect(try window.refused("x\r", as: "stx"), command)
  }

  @Test func `Ctrl-C drops the line, and Ctrl-D leaves only on an empty one`() throws {
    let window = try Window()
    #expect(try window.refused("abc\u{3}d\r", as: "d"), command)
    #expect(try window.refused("abc\u{2}\u{4}\r", as: "ab"), command)
    // In the middle of a search, of a sequence, and of a quotation.
    #expect(try window.refused("\u{12}a\u{3}e\r", as: "e"), command)
    #expect(try window.refused("x\u{1B}\u{3}f\r", as: "f"), command)
    #expect(try window.refused("x\u{16}\u{3}g\r", as: "g"), command)
    try window.cable.type("\u{4}")
    #expect(window.cable.ends(within: 2) && window.cable.code == 0, command)
    #expect(try window.home.names().isEmpty, "no file is kept; \(command)")
  }

  @Test func `No file of a person's starts a program or brings vi's unsafe keys`() throws {
    let window = try Window { home in
      _ = try home.write(".editrc", "bind ^T vi-histedit\nbind -v\nbind -a a vi-histedit\n")
      for name in ["vi", "editor"] {
        _ = try home.write(name, "#!/bin/sh\ntouch '\(home.path("started"))'\n", mode: 0o755)
      }
    }
    for keys in [
      "abc\u{14}", "\u{1B}$", "abc\u{1B}v", "abc\u{1B}a", "abc\u{1B}:bind -v\r", "\u{1B}xbind -v\r",
    ] {
      try window.cable.type(keys + "\u{3}")
      window.cable.read(within: 0.2)
    }
    // What it says may still be about the keys before.
    try eventually("the answer, not \(window.cable.screen); \(command)") {
      try window.refused("abc\u{2}\u{4}\r", as: "ab")
    }
    #expect(try !window.home.names().contains("started"), command)
  }

  @Test func `Without a locale in UTF-8 the console edits by itself`() throws {
    let window = try Window(environment: ["LOCPATH": "/nonexistent"])
    #expect(try window.refused("ñ山dú\u{1B}[D\u{1B}[D\u{7F}é\r", as: "ñédú"), command)
  }

  @Test func `A terminal that nobody knows is edited at all the same, without a complaint`() throws
  {
    let window = try Window(terminal: "nosuch-terminal")
    #expect(!window.cable.screen.contains("terminal type"), command)
    #expect(try window.refused("statux\u{7F}z\r", as: "statuz"), command)
  }

  @Test func `A dumb terminal in a window gets no sequences`() throws {
    let window = try Window(terminal: "dumb")
    #expect(try window.refused("st\tatux\u{7F}\u{1B}[D\u{15}z\r", as: "zu"), command)
    #expect(
      !window.cable.screen.contains("\u{1B}"), "\(window.cable.screen.debugDescription); \(command)"
    )
  }

  @Test func `In a window of another width the line is drawn again`() throws {
    let window = try Window()
    try window.cable.type("a-word-of-thirty-characters-xy")
    try window.cable.wait("-xy")
    window.cable.clear()
    window.cable.resize(columns: 25)
    try window.cable.type("z")
    try window.cable.wait("> a-word-of-thirty-chara")
    #expect(
      try window.refused("\r", as: "a-word-of-thirty-characters-xyz"),
      "\(window.cable.screen.debugDescription); \(command)")
  }
}
