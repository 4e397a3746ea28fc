import Foundation
import Testing

/// The READMEs: one for the whole, and others beside what they describe.
@Suite struct ReadmeTests {
  /// With their paths from the package's root.
  private static let all: [String] = {
    let below = ["Sources", "Tests", "boards", "traces"].flatMap { folder in
      (FileManager.default.enumerator(atPath: PackageFolder.url.path + "/" + folder)?
        .compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
    }
    return ["README.md"] + below.filter { $0.hasSuffix("/README.md") }.sorted()
  }()

  /// A README's lines that are neither code nor inside an indented block.
  private func prose(of path: String) throws -> [Substring] {
    try PackageFolder.text(of: path).split(separator: "\n").filter { !$0.hasPrefix("    ") }
  }

  /// The targets of its links that are not addresses in the net.
  private func links(of path: String) throws -> [String] {
    try prose(of: path).joined(separator: " ").components(separatedBy: "](").dropFirst()
      .compactMap { $0.components(separatedBy: ")").first }.filter { !$0.contains("://") }
  }

  /// The names by which its headings can be linked to, as GitHub makes them.
  private func anchors(of path: String) throws -> Set<String> {
    Set(
      try prose(of: path).filter { $0.hasPrefix("#") }.map { heading in
        String(
          heading.drop { $0 == "#" }.dropFirst().lowercased()
            .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
            .map { $0 == " " ? "-" : $0 })
      })
  }

  /// The file that a link in a README leads to.
  private func file(_ link: String, from path: String) -> String {
    let name = link.components(separatedBy: "#")[0]
    guard !name.isEmpty else { return path }
    let folder = URL(fileURLWithPath: "/" + path).deletingLastPathComponent()
    return String(folder.appendingPathComponent(name).standardized.path.dropFirst())
  }

  @Test func `The main one fits on a few screens and leads to all the others`() throws {
    let lines = try PackageFolder.text(of: "README.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 251, "README.md has \(lines.count) lines; see its last section")
    var reached: Set = ["README.md"]
    var waiting = ["README.md"]
    while let path = waiting.popLast() {
      let targets = try links(of: path).map { file($0, from: path) }
      for target in targets where target.hasSuffix("README.md") {
        if reached.insert(target).inserted { waiting.append(target) }
      }
    }
    // Those of single boards are found by the board's name.
    let expected = Self.all.filter { !$0.hasPrefix("boards/") || $0 == "boards/README.md" }
    #expect(expected.count > 8)
    #expect(Set(expected).subtracting(reached) == [], "no link leads there from README.md")
  }

  @Test(arguments: all) func `Each link of a README leads somewhere`(_ path: String) throws {
    for link in try links(of: path) {
      let target = file(link, from: path)
      let exists = FileManager.default.fileExists(
        atPath: PackageFolder.url.appendingPathComponent(target).path)
      #expect(exists, "\(path): \(link)")
      guard exists, let anchor = link.split(separator: "#").last, link.contains("#") else {
        continue
      }
      #expect(try anchors(of: target).contains(String(anchor)), "\(path): \(link)")
    }
  }

  @Test(arguments: all) func `Each file that a README names is there`(_ path: String) throws {
    let folders = ["Sources/", "Tests/", "boards/", "traces/", ".ci/"]
    let words = try prose(of: path).joined(separator: " ").components(separatedBy: "`").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }
      .flatMap { $0.element.split(separator: " ") }
    for word in words where folders.contains(where: word.hasPrefix) {
      // A pattern, or a name to be chosen.
      if word.contains(where: { "*<…".contains($0) }) || word.contains("NAME") { continue }
      let exists = FileManager.default.fileExists(
        atPath: PackageFolder.url.appendingPathComponent(String(word)).path)
      #expect(exists, "\(path): \(word)")
    }
  }

  /// With each heading, and without a complaint of groff's.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"), "no groff"),
    arguments: ["trackerd", "trackerctl", "tracker-sim", "basecamp"])
  func `A program's README becomes the rest of its manual page`(_ program: String) throws {
    let path = "Sources/\(program)/README.md"
    let page = try PackageFolder.run([
      ".ci/debian/manpage-text", "-v", "name=\(program)", path,
    ]).output
    for heading in try prose(of: path).filter({ $0.hasPrefix("## ") }) {
      let title = heading.dropFirst(3).uppercased().replacing("-", with: "\\-")
      #expect(page.contains("\n.SH \(title)\n"), "\(path)")
    }
    let check =
      "(echo .TH X 1; .ci/debian/manpage-text -v name=\(program) \(path))"
      + " | groff -k -man -ww -Tutf8 -z"
    let complaints = try PackageFolder.run(["sh", "-c", check])
    #expect(complaints.output == "" && complaints.code == 0, "repeat with: \(check)")
  }

  @Test func `No heading of a README occurs twice, so that each can be linked to`() throws {
    for path in Self.all {
      let headings = try prose(of: path).filter { $0.hasPrefix("#") }
      #expect(try anchors(of: path).count == headings.count, "\(path): \(headings)")
    }
  }
}
