import Foundation
import Testing

@testable import BoardSupport

/// Where a program looks for boards, by where it is itself.
@Suite struct PackageFolderTests {
  static let repeating: Comment = "repeat with: swift test --filter PackageFolderTests"

  @Test(arguments: [
    ("/usr/bin/trackerd", "/usr/share/trailtracker/boards"),
    ("/usr/local/bin/trackerd", "/usr/local/share/trailtracker/boards"),
    ("/bin/trackerd", "/share/trailtracker/boards"),
  ])
  func `An installed program finds what was installed with it`(_ program: String, _ place: String) {
    #expect(PackageFolder.places(of: "boards", for: program) == ["boards", place], Self.repeating)
  }

  @Test(arguments: ["", "trackerd", "/", "/opt/trackerd", "/opt/bin2/trackerd"])
  func `Elsewhere there is the current directory only`(_ program: String) {
    #expect(PackageFolder.places(of: "boards", for: program) == ["boards"], Self.repeating)
  }

  @Test func `A program that was built in a package finds the package's`() throws {
    try Fixture.withDirectory { directory in
      try Data().write(to: URL(fileURLWithPath: directory + "/Package.swift"))
      let program = directory + "/.build/x86_64/debug/trackerd"
      #expect(
        PackageFolder.places(of: "boards", for: program) == ["boards", directory + "/boards"],
        Self.repeating)
    }
  }
}
