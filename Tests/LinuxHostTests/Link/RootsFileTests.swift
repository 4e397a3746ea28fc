import Foundation
import MachineAccess
import TestSupport
import Testing

@testable import LinuxHost

/// Root runs commands from a file only if nobody else could have written them.
@Suite(.enabled(if: geteuid() == 0, "only root has files of root's")) struct RootsFileTests {
  private let again: Comment = "repeat with: swift test --filter RootsFileTests"

  private func file() throws -> (folder: ScratchFolder, path: String) {
    let folder = try ScratchFolder()
    chmod(folder.url.path, 0o755)
    return (folder, try folder.write("trackerd.json5", "{}", mode: 0o640))
  }

  @Test func `A file of root's below folders of root's is taken, also through a link`() throws {
    let (folder, path) = try file()
    let real = try RootsFile.check(path)
    #expect(try RootsFile.check(real) == real, again)
    symlink(path, folder.path("link"))
    #expect(try RootsFile.check(folder.path("link")) == real, again)
  }

  @Test(arguments: ["group", "others", "owner", "folder", "folder's owner"])
  func `What others can change is refused, by name`(_ what: String) throws {
    let (folder, path) = try file()
    switch what {
    case "group": chmod(path, 0o660)
    case "others": chmod(path, 0o602)
    case "owner": chown(path, 1000, 0)
    case "folder": chmod(folder.url.path, 0o775)
    default: chown(folder.url.path, 1000, 0)
    }
    let culprit = what.hasPrefix("folder") ? folder.url.path : path
    let problem = #expect(throws: HostError.self, again) { try RootsFile.check(path) }
    #expect(
      problem?.description.contains("others can change \(culprit);") == true,
      "\(problem?.description ?? ""); \(again)")
  }

  @Test func `A file that is not there is told`() {
    let problem = #expect(throws: HostError.self, again) { try RootsFile.check("/nowhere/t") }
    #expect(problem?.description.contains("No such file or directory") == true, again)
  }
}
