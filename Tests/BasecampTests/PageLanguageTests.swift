import FeatureService
import Foundation
import TestSupport
import Testing
import TrackerCore
import Wording

/// The languages of the pages that a person sees in a browser.
@Suite(.blocking) struct PageLanguageTests {
  private let note: Comment = "repeat with: swift test --filter PageLanguageTests"

  @Test func `Every text is there in four languages, with the same arguments`() {
    #expect(problems(of: PagePhrase.self) == [], note)
  }

  @Test(arguments: [
    ("ca", Language.catalan), ("de, fr;q=0.8, ca;q=0.9", .catalan), ("es, ca", .spanish),
    ("en-GB,en;q=0.5", .english), ("de, FR-ca ; q=0.1", .french), ("ca;q=nan, es;q=0.2", .spanish),
    ("ca;q=2, fr;q=0.001", .french), ("ca;q=0, en;q=0.1", .english),
  ])
  func `The heaviest of ours is chosen, the first of equals`(
    _ header: String, _ language: Language
  ) {
    #expect(Language(acceptLanguage: header) == language, note)
  }

  @Test(arguments: ["", "*", "de", "ca;q=0", ";;,,", "ca;q=", "ca;level=1", "cat", "q=1"])
  func `Other headers ask for none of ours`(_ header: String) {
    #expect(Language(acceptLanguage: header) == nil, note)
  }

  private let camp: CampServer
  private let folder: ScratchFolder
  private static let layer = "/arcgis/rest/services/TrailWalker/FeatureServer/0"

  init() throws {
    folder = try ScratchFolder()
    camp = try CampServer(folder)
  }

  private func get(
    _ path: String, _ accepted: String? = nil, method: String = "GET", port: UInt16? = nil
  ) throws -> WireClient.Answer {
    try WireClient(port: port ?? camp.port).request(
      method, path, headers: accepted.map { "Accept-Language: \($0)\r\n" } ?? "")
  }

  @Test func `A browser's language is that of the page`() throws {
    let page = try get(Self.layer, "de, ca;q=0.7, en;q=0.3").text
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"ca\">"), "\(page); \(camp.command)")
    #expect(page.contains("<p>Totes les captures; n'accepta de noves</p>"), "\(camp.command)")
    let services = try get("/arcgis/rest/services", "fr").text
    #expect(services.contains("<p>Les services de ce serveur</p>"), "\(camp.command)")
    let wrong = try get("/arcgis/rest/services/Nobody/FeatureServer", "es").text
    #expect(wrong.contains("no puede atender"), "\(wrong); \(camp.command)")
    #expect(try get("/nothing", "ca").text.contains("No s'ha trobat"), "\(camp.command)")
    #expect(try get("/", "ca").text.contains("Aquest és basecamp"), "\(camp.command)")
    let refused = try get(Self.layer, "fr", method: "DELETE").text
    #expect(refused.contains("GET et POST sont acceptés."), "\(camp.command)")
    let english = try get(Self.layer).text
    #expect(english.contains("<p>Every capture; takes new ones</p>"), "\(camp.command)")
  }

  @Test func `What programs read has no language`() throws {
    for path in ["\(Self.layer)?f=json", "\(Self.layer)?f=pjson", "/arcgis/rest/services/x?f=json"]
    {
      let answers = try [get(path), get(path, "ca")]
      #expect(answers[0].body == answers[1].body, "\(path); \(camp.command)")
    }
    #expect(try get("\(Self.layer)?f=json").text.contains("Every capture; takes new ones"))
  }

  @Test func `The option comes before the browser, and that before the environment`() throws {
    let french = ["LC_ALL": "fr_FR.UTF-8"]
    let other = try ScratchFolder()
    let fixed = try CampServer(other, ["--language", "es"], environment: french)
    #expect(try get(Self.layer, "ca", port: fixed.port).text.contains("\n<html lang=\"es\">"))
    let third = try ScratchFolder()
    let free = try CampServer(third, environment: french)
    #expect(try get(Self.layer, "ca", port: free.port).text.contains("\n<html lang=\"ca\">"))
    for accepted in [nil, "de"] {
      let page = try get(Self.layer, accepted, port: free.port).text
      #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"fr\">"), "\(page); \(free.command)")
    }
  }

  @Test func `An unknown language is wrong use`() throws {
    let run = try ProgramResult("basecamp", ["--database", "x", "--language", "de"])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.command): \(run.errors)")
    #expect(run.errors.contains("give ca, es, en or fr"), "\(run.command): \(run.errors)")
  }
}
