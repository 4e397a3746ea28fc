import Foundation
import TestSupport
import Testing

/// Positions between captures, asked for by a person at the page.
@Suite(.blocking, .enabled(if: DrivenBrowser.isPossible, "needs chromium and libjs-leaflet"))
struct TeamHistoryPageTests {
  @Test func `They are asked for, shown on the map, and gone when another team is looked at`()
    throws
  {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--language", "en"])
    try Sent.send([Sent(promise: 20), Sent(device: "8", team: "Fagedes", promise: 20)], to: camp)
    let browser = try DrivenBrowser(folder)
    try browser.look(width: 390, isDark: false)
    try browser.open("http://127.0.0.1:\(camp.port)/room")
    try eventually("a live page") { try browser.text("#live").hasPrefix("live, ") }
    try browser.type("Marta", into: "#me")
    _ = try browser.value("choose('7')")
    // At first it is the hour before its last position.
    let length = "new Date($('history-until').value) - new Date($('history-from').value)"
    try eventually("an hour") { try browser.value(length) as? Double == 3_600_000 }
    _ = try browser.value("$('history').requestSubmit(), 1")
    try eventually("it asked") {
      try browser.text("#histories").contains(/Marta: positions .*–.*, one every 30 s \(waits/)
    }
    // What its tracker sends: the key says when that was asked for.
    let asked = try browser.value(
      "fetch('/room/messages?tracker=7').then((answer) => answer.json())"
        + ".then(({ messages }) => Date.parse(messages[0].created))")
    let key = "6f1c-\(Int(try #require(asked as? Double)))-1-1"
    let row = """
      [{"attributes": {"Desti": "7", "Clau": "\(key)", "Numero": 1, "Part": 1,
      "Inici": 1776499200000, "Punts": "0,41982340,2823910;30,400,400;60,400,400"}}]
      """
    _ = try camp.post(
      "/arcgis/rest/services/TrailWalker/FeatureServer/3/addFeatures", ["features": row])
    _ = try browser.value("choose('7')")
    try eventually("them") { try browser.text("#histories button") == "Show 3 on the map" }
    let lines = "document.querySelectorAll('#map path').length"
    let before = try browser.value(lines) as? Double ?? 0
    try browser.click("#histories button")
    #expect(try browser.value(lines) as? Double == before + 3)
    let top = try browser.value("$('map').getBoundingClientRect().top") as? Double
    #expect(try #require(top) > -1, "the map is at \(top ?? 0), not in view")
    #expect(
      try browser.value("document.documentElement.scrollWidth") as? Double == 390,
      "nothing is wider than a phone")
    _ = try browser.value("choose('8')")
    try eventually("the other's way") { try browser.value(lines) as? Double == before }
  }
}
