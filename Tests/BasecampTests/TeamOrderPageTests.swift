import Foundation
import TestSupport
import Testing

/// Orders to a team's tracker, by a person at the page.
@Suite(.blocking, .enabled(if: DrivenBrowser.isPossible, "needs chromium and libjs-leaflet"))
struct TeamOrderPageTests {
  @Test func `An order is chosen, sent, and shown with what becomes of it`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--language", "en"])
    try Sent.send([Sent(promise: 20)], to: camp)
    let browser = try DrivenBrowser(folder)
    try browser.open("http://127.0.0.1:\(camp.port)/room")
    try eventually("a live page") { try browser.text("#live").hasPrefix("live, ") }
    try browser.type("Marta", into: "#me")
    _ = try browser.value("choose('7')")
    try eventually("the orders") { try browser.text("#message-kind").contains("capture every") }
    _ = try browser.value(
      "$('message-kind').value = 'interval', $('message-kind').onchange(), 1")
    try browser.type("5 min", into: "#message-text")
    _ = try browser.value("$('message').requestSubmit(), 1")
    try eventually("sent") {
      let text = try browser.text("#messages")
      return text.contains(
        "Marta: order: capture every 5 min (waits for the tracker's next contact)")
    }
    // One that has no value asks for none.
    _ = try browser.value("$('message-kind').value = 'stop', $('message-kind').onchange(), 1")
    _ = try browser.value("$('message').requestSubmit(), 1")
    try eventually("sent, too") { try browser.text("#messages").contains("order: stop (") }
    let sent = try camp.room("/room/messages?tracker=7")["messages"] as? [[String: Any]] ?? []
    #expect(sent.map { $0["kind"] as? String } == ["order", "order"], "\(sent); \(camp.command)")
  }
}
