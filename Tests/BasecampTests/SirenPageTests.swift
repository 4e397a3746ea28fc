import Foundation
import TestSupport
import Testing

@testable import Basecamp

/// What a page does about an emergency that nobody has read.
@Suite(.blocking, .enabled(if: DrivenBrowser.isPossible, "needs chromium and libjs-leaflet"))
struct SirenPageTests {
  private let folder: ScratchFolder
  private let camp: CampServer
  private let browser: DrivenBrowser

  init() throws {
    folder = try ScratchFolder()
    let store = try AccessStore(folder: folder.path("camp"))
    try store.add(.init(name: "marta", role: .control, place: nil), password: "x")
    try store.add(.init(name: "pau", role: .checkpoint, place: "CP1"), password: "x")
    let table = try folder.write(
      "teams.csv", "team;number;public\nEls Senglars;7;sí\nFagedes;8;sí\n")
    camp = try CampServer(
      folder, ["--teams", table, "--language", "en", "--follower-delay", "0"])
    browser = try DrivenBrowser(folder)
  }

  private func logIn(_ user: String) throws {
    try browser.open("http://127.0.0.1:\(camp.port)/room")
    try eventually("the form") { try browser.text("#login").contains("Log in") }
    try browser.type(user, into: "#user")
    try browser.type("x", into: "#password")
    try browser.click("#login button")
    try eventually("the room") { try browser.text("#live").hasPrefix("live, ") }
  }

  private func call(
    _ device: String = "7", _ number: Int = 1, hasUUID: Bool = true
  ) throws {
    let team = device == "7" ? "Els Senglars" : "Fagedes"
    let call = Sent(
      device: device, team: team, number: number, trigger: "emergency", hasUUID: hasUUID)
    try Sent.send([call], to: camp)
  }

  private func expectSiren(_ wanted: String) throws {
    try eventually("the siren: \(wanted)") { try browser.siren() == wanted }
  }

  @Test func `It is agreed to once, and sounds until somebody takes the emergency`() throws {
    try logIn("marta")
    try eventually("the question") { try browser.text("#siren").contains("May this browser") }
    try browser.agreeToSiren()
    #expect(try browser.text("#siren").isEmpty, "it was heard, and is silent again")
    try call(hasUUID: false)
    try expectSiren("sounds")
    try eventually("the bar") {
      try browser.text("#siren").contains("EMERGENCY: Els Senglars. Nobody has read it.")
    }
    try eventually("the title of the tab") {
      try browser.value("document.title") as? String == "‼ EMERGENCY: Els Senglars"
    }
    // From another browser, by a program of before.
    let marta = RoomAccessTests.Browser(camp)
    #expect(try marta.logIn("marta", "x") == 200)
    #expect(try marta.request("POST", "act", ["see": "1"]).status == 200)
    try eventually("it seen") { try browser.text("#alarms").contains("seen by marta") }
    try expectSiren("sounds")
    try browser.click("[data-key=take1]")
    try expectSiren("")
    try eventually("no bar") { try browser.text("#siren").isEmpty }
    try eventually("that its capture had neither number nor UUID") {
      try browser.text("#alarms").contains("its tracker cannot be told")
    }
    try eventually("the title") { try browser.value("document.title") as? String == "Control room" }
    try browser.open("http://127.0.0.1:\(camp.port)/room")
    try eventually("a live page") { try browser.text("#live").hasPrefix("live, ") }
    #expect(try !browser.text("#siren").contains("May this browser"), "it is asked once")
    try call("8")
    try eventually("the bar") { try browser.text("#siren").contains("EMERGENCY: Fagedes") }
    // A new page may sound only after a click.
    try browser.click("#title")
    try expectSiren("sounds")
  }

  @Test func `Who mutes one emergency still sees it, and hears the next`() throws {
    try logIn("marta")
    try browser.agreeToSiren()
    try call()
    try expectSiren("sounds")
    try browser.click("[data-key=mute1]")
    try expectSiren("shows")
    try eventually("the bar") {
      try browser.text("#siren").contains("Nobody has read it. Muted here.")
    }
    try call("7", 2)
    try Sent.send([Sent(device: "8", team: "Fagedes")], to: camp)
    try eventually("more of the team") { try browser.text("#rows").contains("ago") }
    #expect(try browser.siren() == "shows", "it is the same emergency")
    try call("8", 2)
    try expectSiren("sounds")
  }

  @Test func `Where no sound is allowed the bar and the tab say so`() throws {
    try logIn("marta")
    try browser.click("[data-key=sirenNo]")
    try eventually("no question") { try browser.text("#siren").isEmpty }
    try call()
    try eventually("the bar") {
      let text = try browser.text("#siren")
      return text.contains("EMERGENCY: Els Senglars") && text.contains("The siren is off")
    }
    #expect(try browser.siren() == "shows")
    try eventually("the tab") {
      try browser.value("document.title") as? String == "‼ EMERGENCY: Els Senglars"
    }
    try eventually("the tab, in turn") {
      try browser.value("document.title") as? String == "Control room"
    }
    try browser.type("nothing like it", into: "#find")
    #expect(try browser.text("#rows").contains("Els Senglars"), "no search hides it")
    try browser.click("#siren-switch")
    try expectSiren("sounds")
  }

  @Test func `A volunteer hears it, too, and has no button to take it`() throws {
    try logIn("pau")
    try browser.agreeToSiren()
    try call()
    try expectSiren("sounds")
    try eventually("the alarm") {
      try browser.text("#alarms").contains("EMERGENCY: Els Senglars")
    }
    #expect(try browser.value("document.querySelectorAll('#alarms button').length") as? Int == 0)
    try eventually("its mark") { try browser.text("#rows tr.needy").contains("‼") }
  }

  @Test func `Followers neither hear nor see it`() throws {
    let marta = RoomAccessTests.Browser(camp)
    #expect(try marta.logIn("marta", "x") == 200)
    let answer = marta.json(try marta.request("POST", "links", ["label": "family"]))
    let key = try #require(answer["key"] as? String, "\(answer)")
    try call()
    try browser.open("http://127.0.0.1:\(camp.port)/room#follow=\(key)")
    try eventually("the team") { try browser.text("#rows").contains("Els Senglars") }
    try browser.click("#title")
    _ = try browser.value("watchSiren()")
    #expect(try browser.siren().isEmpty && browser.text("#siren").isEmpty)
    #expect(try browser.value("document.title") as? String == "Where they are")
    let page = try browser.value("document.body.innerText + JSON.stringify(state)") as? String
    #expect(page.map { !$0.lowercased().contains("emergency") } == true, "\(page ?? "")")
  }
}
