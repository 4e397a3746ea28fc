import Foundation
import Testing

@Suite struct LayoutTests {
  @Test func `The visible top level holds the agreed entries only`() throws {
    let agreed = ["Package.swift", "README.md", "Sources", "Tests", "boards", "traces"]
    let visible = try PackageFolder.entries(of: ".").filter { !$0.hasPrefix(".") }
    #expect(visible == agreed, "repeat with: ls")
  }

  @Test(arguments: ["Sources", "Tests"])
  func `No file is longer than 600 lines, and no line than 100 columns`(_ folder: String) throws {
    let files = try PackageFolder.swiftFiles(below: folder)
    #expect(files.count > 100, "\(files.count) files below \(folder)")
    for file in files {
      let lines = try PackageFolder.text(of: file).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 601, "\(file) has \(lines.count) lines")
      for (index, line) in lines.enumerated() where line.count > 100 {
        Issue.record("\(file):\(index + 1) has \(line.count) columns")
      }
    }
  }

  @Test func `No two Swift files share a name, except each program's main and module's bounds`()
    throws
  {
    var places: [String: String] = [:]
    for file in try PackageFolder.swiftFiles(below: "Sources")
      + PackageFolder.swiftFiles(below: "Tests")
    {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      if ["main.swift", "Bounds.swift"].contains(name) { continue }
      if let other = places.updateValue(file, forKey: name) {
        Issue.record("\(other) and \(file); repeat with: find Sources Tests -name '\(name)'")
      }
    }
    #expect(places.count > 100)
  }

  @Test func `Nothing in the sources is unfinished or made to trap on input`() throws {
    // Put together here, so that this file does not find itself.
    let marks = ["TO" + "DO", "FIX" + "ME", "fatal" + "Error(", "try" + "!", "as" + "!"]
    for file in try PackageFolder.swiftFiles(below: "Sources") {
      let text = try PackageFolder.text(of: file)
      for mark in marks where text.contains(mark) {
        Issue.record("\(file) has \(mark); repeat with: grep -n '\(mark)' \(file)")
      }
    }
  }
}
