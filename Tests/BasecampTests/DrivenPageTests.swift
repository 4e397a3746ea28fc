import Foundation
import TestSupport
import Testing

/// The control room's page in a browser that is driven as a person does, with a network that fails.
@Suite(.blocking, .enabled(if: DrivenBrowser.isPossible, "needs chromium and libjs-leaflet"))
struct DrivenPageTests {
  private let folder: ScratchFolder
  private static let course = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../traces/race.geojson").standardized.path
  /// Of Deque's axe, the engine itself, in a package of Python's; `.ci/readers` installs it.
  private static let axe: String? = {
    let cache =
      ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
    let library = "\(cache)/trailtracker/readers/lib"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
    return versions.lazy.compactMap {
      try? String(
        contentsOfFile: "\(library)/\($0)/site-packages/axe_core_python/axe.min.js",
        encoding: .utf8)
    }.first
  }()

  init() throws { folder = try ScratchFolder() }

  private func camp() throws -> CampServer {
    try CampServer(folder, ["--course", Self.course, "--language", "en"])
  }

  /// A page that shows an alarm of one team, through a network of our own.
  private func page(_ camp: CampServer) throws -> (browser: DrivenBrowser, network: HoldingProxy) {
    try Sent.send([Sent(minutesAgo: 60, promise: -40)], to: camp)
    let network = try HoldingProxy(to: camp.port)
    let browser = try DrivenBrowser(folder)
    try browser.open("http://127.0.0.1:\(network.port)/room")
    try eventually("a live page") { try isLive(browser) }
    try eventually("the map") {
      try browser.value("document.querySelectorAll('.leaflet-marker-icon').length") as? Int == 1
    }
    return (browser, network)
  }

  private func isLive(_ browser: DrivenBrowser) throws -> Bool {
    try browser.text("#live").hasPrefix("live, ")
  }

  /// With PAGE_LIMITS=1, on a quiet machine, the page has to be as fast as it promises.
  private static let hasLimits = ProcessInfo.processInfo.environment["PAGE_LIMITS"] == "1"

  /// Waits until the page says what it should.
  ///
  /// - Parameter limit: how long that may take where limits hold.
  private func expect(
    _ event: String, within limit: Duration, _ isSo: () throws -> Bool
  ) throws {
    let start = ContinuousClock.now
    try eventually(event, isSo)
    let time = ContinuousClock.now - start
    if Self.hasLimits { #expect(time <= limit, "\(event) after \(time)") }
  }

  private func expectDead(_ browser: DrivenBrowser) throws {
    try expect("not live", within: .seconds(10)) {
      try browser.text("#live").hasPrefix("NOT LIVE since ")
    }
    let isMarked = try browser.value("document.getElementById('live').className") as? String
    #expect(isMarked == "dead")
  }

  private func take(_ browser: DrivenBrowser) throws {
    try browser.type("Pau", into: "#me")
    try browser.click("[data-key=take1]")
    try eventually("the alarm taken") { try browser.text("#alarms").contains("taken by Pau") }
  }

  @Test func `A page whose server dies says so, and shows all when it is back`() throws {
    var camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    try take(browser)
    camp.end(SIGKILL)
    try expectDead(browser)
    camp = try self.camp()
    try Sent.send([Sent(device: "8", team: "Fagedes", promise: 20)], to: camp)
    network.lead(to: camp.port)
    try expect("a live page", within: .seconds(2)) { try isLive(browser) }
    #expect(try browser.text("#rows").contains("Fagedes"))
    #expect(try browser.text("#alarms").contains("taken by Pau"))
  }

  @Test func `A page whose bytes are kept back says so, and misses nothing`() throws {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    network.hold(true)
    try expectDead(browser)
    try Sent.send([Sent(device: "8", team: "Fagedes", trigger: "emergency")], to: camp)
    // As after half an hour.
    _ = try browser.value("failures = 1000; lastEvent = '1.1.1.1'")
    network.hold(false)
    try expect("a live page", within: .seconds(2)) { try isLive(browser) }
    try expect("the alarm", within: .seconds(1)) {
      try browser.text("#alarms").contains("EMERGENCY: Fagedes")
    }
  }

  @Test func `A page asks at once when the network returns`() throws {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    func setOffline(_ isOffline: Bool) throws {
      try browser.call(
        "Network.emulateNetworkConditions",
        ["offline": isOffline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
    }
    network.hold(true)
    try setOffline(true)
    try expectDead(browser)
    network.hold(false)
    try setOffline(false)
    try expect("a live page", within: .seconds(2)) { try isLive(browser) }
  }

  @Test func `A server that stops answering is not live, and is when it goes on`() throws {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    camp.signal(SIGSTOP)
    try expectDead(browser)
    camp.signal(SIGCONT)
    try expect("a live page", within: .seconds(2)) { try isLive(browser) }
  }

  @Test func `A tab that slept shows what is so when it wakes up`() throws {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    try browser.call("Page.setWebLifecycleState", ["state": "frozen"])
    try Sent.send([Sent(device: "8", team: "Fagedes", trigger: "emergency")], to: camp)
    _ = try camp.post("/room/act", ["take": "1", "by": "Marta"])
    try browser.call("Page.setWebLifecycleState", ["state": "active"])
    try expect("what is so", within: .seconds(3)) {
      let alarms = try browser.text("#alarms")
      return try isLive(browser) && alarms.contains("EMERGENCY: Fagedes")
        && alarms.contains("taken by Marta")
    }
  }

  @Test func `What is stored is on the page without anybody's doing`() throws {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    var times: [Duration] = []
    for number in 1...9 {
      try Sent.send([Sent(device: "2\(number)", team: "Team 2\(number)")], to: camp)
      let start = ContinuousClock.now
      try eventually("it") { try browser.text("#rows").contains("Team 2\(number)") }
      times.append(ContinuousClock.now - start)
    }
    if Self.hasLimits { #expect(times.sorted()[4] <= .seconds(1), "\(times)") }
  }

  @Test func `A click counts though the page is drawn anew meanwhile`() throws {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    try browser.type("Pau", into: "#me")
    let before = try browser.value("document.querySelector('[data-key=take1]').isConnected")
    #expect(before as? Bool == true)
    _ = try browser.value(
      "window.button = document.querySelector('[data-key=take1]');"
        + "button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })); drawSoon();")
    #expect(try browser.value("window.button.isConnected") as? Bool == true, "it was replaced")
    _ = try browser.value(
      "button.dispatchEvent(new PointerEvent('pointerup', { bubbles: true })); button.click();")
    try eventually("the alarm taken") { try browser.text("#alarms").contains("taken by Pau") }
    #expect(try browser.value("window.button.isConnected") as? Bool == false, "drawn afterwards")
  }

  @Test func `A click of a test counts though another button took the place of the first`() throws {
    let browser = try DrivenBrowser(folder)
    // Looking for the button's place puts another there, which is gone with the first click.
    let page = """
      <button class=take>Take</button><script>
      let clicks = 0;
      const look = Element.prototype.getBoundingClientRect;
      Element.prototype.getBoundingClientRect = function () {
        const box = look.call(this);
        const other = this.cloneNode(true);
        other.onclick = () => { clicks += 1; other.remove(); };
        this.replaceWith(other);
        return box;
      };
      </script>
      """
    let address = URL(fileURLWithPath: try folder.write("buttons.html", page)).absoluteString
    try browser.open(address)
    try browser.click(".take")
    #expect(try browser.value("clicks") as? Int == 1)
  }

  @Test func `The next shift finds what was and what is open`() throws {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    try take(browser)
    try browser.click("#search button")
    try eventually("the entries") { try browser.text("#records").contains("takes it: SILENT") }
    #expect(try browser.text("#found") == "2 entries")
    _ = try browser.value("$('shift-since').value = '2020-01-01T00:00'")
    try browser.click("#shift button")
    try eventually("the handover") {
      let text = try browser.text("#handover-text")
      return text.contains("Open: 1") && text.contains("taken by Pau") && !text.contains("[")
    }
  }

  /// A team that walks from the start beyond the first checkpoint, at an even pace.
  ///
  /// - Parameter minutes: for that way, up to now.
  private func walk(_ device: String, minutes: Double, _ camp: CampServer) throws {
    let course = try camp.get("/room/course")
    let line = try #require(course["line"] as? [[Double]])
    let places = try #require(course["places"] as? [[String: Any]])
    let place = try #require(places[1]["at"] as? [Double])
    let away = line.map { hypot($0[0] - place[0], $0[1] - place[1]) }
    let end = min(line.count - 1, (away.firstIndex(of: away.min() ?? 0) ?? 0) + 4)
    let captures = (0...12).map { step -> Sent in
      let point = line[end * step / 12]
      let (latitude, longitude) = (point[0] * .pi / 180, point[1] * .pi / 180)
      let y = 6_378_137 * log(tan(.pi / 4 + latitude / 2))
      return Sent(
        device: device, team: "Team \(device)", number: step + 1,
        minutesAgo: minutes * Double(12 - step) / 12, promise: 20,
        at: (x: Int(6_378_137 * longitude), y: Int(y)))
    }
    try Sent.send(captures, to: camp)
  }

  @Test func `Plan and rank have columns once there is something to say, and can be sorted by`()
    throws
  {
    let plan = try folder.write("plan.csv", "place,time\nSant Feliu de Pallerols,2:30\n")
    let camp = try CampServer(
      folder, ["--course", Self.course, "--language", "en", "--plan", plan])
    try Sent.send([Sent(device: "7", promise: 20)], to: camp)
    let browser = try DrivenBrowser(folder)
    try browser.open("http://127.0.0.1:\(camp.port)/room")
    try eventually("a row") { try browser.text("#rows").contains("Senglars") }
    #expect(try !browser.text("#columns").contains("Rank"))
    for (device, minutes) in [("8", 300.0), ("9", 180.0), ("10", 240.0)] {
      try walk(device, minutes: minutes, camp)
    }
    try eventually("three ranks") {
      let text = try browser.text("#rows")
      return ["1.", "2.", "3."].allSatisfy { text.contains($0) }
    }
    #expect(try browser.text("#columns").contains("Plan"))
    let rows = try browser.text("#rows")
    #expect(rows.contains("behind the fastest at Sant Feliu de Pallerols"), "\(rows)")
    #expect(rows.contains(" min behind"), "\(rows)")
    func order() throws -> [String] {
      let names = "[...document.querySelectorAll('#rows .of-team button')].map(b => b.textContent)"
      return (try browser.value("\(names).join()") as? String ?? "").components(separatedBy: ",")
    }
    try browser.click("#columns th:last-child button")
    try eventually("the ranking") {
      try order() == ["Team 9", "Team 10", "Team 8", "Els Senglars"]
    }
    _ = try browser.value("choose('8'); true")
    try eventually("the hour of the place") {
      try browser.text("#place-columns").contains("Planned")
        && browser.text("#places").contains("behind")
    }
  }

  @Test func `Labels stay on a narrow map, and a position has the circle in which it is`() throws {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    try browser.look(width: 375, isDark: false)
    // In the east of the course, with a name that fits on neither side.
    let long = "Els Senglars de la Vall d'en Bas i els seus amics"
    try Sent.send(
      [
        Sent(
          device: "8", team: "Fagedes", trigger: "emergency", accuracy: 40, at: (314_000, 5_160_000)
        ),
        Sent(device: "9", team: long, trigger: "emergency", at: (290_000, 5_150_000)),
      ], to: camp)
    try eventually("three teams") {
      try browser.value("document.querySelectorAll('.label').length") as? Int == 3
    }
    let beside = """
      (() => {
        const map = document.getElementById("map").getBoundingClientRect();
        return [...document.querySelectorAll(".label span")].filter((label) => {
          const { left, right } = label.getBoundingClientRect();
          return left < map.left || right > map.right;
        }).map((label) => label.textContent).join();
      })()
      """
    // It is drawn once more when the map has got its size.
    try eventually("no label beside the map") { try browser.value(beside) as? String == "" }
    #expect(
      try browser.value("circles.getLayers().map((one) => one.getRadius()).join()") as? String
        == "40")
    #expect(try browser.text("#alarms").contains(" ± 40 m"))
    _ = try browser.value("map.panBy([-60, 0], { animate: false }); true")
    try eventually("none when it has moved") { try browser.value(beside) as? String == "" }
    // Whoever is chosen lies on top of all others.
    try Sent.send(
      [Sent(device: "10", team: "Fem Camí", promise: 20, at: (314_000, 5_160_200))], to: camp)
    try eventually("four teams") {
      try browser.value("document.querySelectorAll('.label').length") as? Int == 4
    }
    _ = try browser.value("choose('10'); true")
    try eventually("the label of the chosen one on top") {
      try browser.value(
        """
        (() => {
          document.getElementById("map").scrollIntoView();
          const label = [...document.querySelectorAll(".label span")]
            .find((one) => one.textContent.includes("Fem Camí"));
          const { left, top, width, height } = label?.getBoundingClientRect() || {};
          return Boolean(label)
            && document.elementFromPoint(left + width / 2, top + height / 2) === label;
        })()
        """) as? Bool == true
    }
  }

  @Test func `A missing name is asked for beside its field, and a refusal is seen from anywhere`()
    throws
  {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    try browser.look(width: 375, isDark: false)
    try browser.click("[data-key=take1]")
    try eventually("the question") { try browser.text("#me-said") == "Give your name first." }
    #expect(try browser.value("document.activeElement.id") as? String == "me")
    try browser.type("Pau", into: "#me")
    #expect(try browser.text("#me-said") == "")
    _ = try browser.value("scrollTo(0, document.body.scrollHeight); act({ take: 99 }); true")
    try eventually("the refusal in sight") {
      try browser.value(
        """
        (() => {
          const { top, bottom } = document.getElementById("problem").getBoundingClientRect();
          return top < bottom && top >= 0 && bottom <= innerHeight;
        })()
        """) as? Bool == true
    }
    #expect(try browser.text("#problem").contains("99"))
  }

  @Test func `The page says everything in four languages, and what to do of each need`() throws {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    let missing = try browser.value(
      """
      (() => {
        const keys = (words, path) => Object.entries(words).flatMap(([key, value]) =>
          typeof value === "object" ? keys(value, `${path}${key}.`) : [path + key]);
        const all = keys(WORDS.en, "");
        return Object.entries(WORDS).flatMap(([language, words]) => {
          const own = keys(words, "");
          const without = (some, others) => some.filter((key) => !others.includes(key));
          return [...without(all, own), ...without(own, all)].map((key) => `${language}.${key}`);
        }).concat(Object.keys(WORDS.en.needNames).filter((need) => !WORDS.en.advice[need])).join();
      })()
      """)
    #expect(missing as? String == "")
    #expect(try browser.text("#alarms").contains("→ Call the team"))
    _ = try browser.value("me.role = 'checkpoint'; drawAlarms(); true")
    #expect(try browser.text("#alarms").contains("→ Tell the control room"))
  }

  @Test(.enabled(if: axe != nil, "needs axe-core-python from .ci/readers"))
  func `axe finds nothing, in light and dark, on a phone and a desk`() throws {
    let camp = try camp()
    let (browser, network) = try page(camp)
    defer { network.end() }
    try Sent.send([Sent(device: "8", team: "Fagedes", trigger: "emergency")], to: camp)
    try eventually("two alarms") { try browser.text("#alarms").contains("EMERGENCY") }
    _ = try browser.value("\(Self.axe ?? ""); choose('7'); true")
    try eventually("one team") { try browser.text("#one-title").contains("Senglars") }
    for width in [375, 1280] {
      for isDark in [false, true] {
        try browser.look(width: width, isDark: isDark)
        let found = try browser.value(
          """
          axe.run().then(result => JSON.stringify(result.violations.map(one =>
          one.id + ': ' + one.nodes.map(node => node.html.slice(0, 120)).join(' | '))))
          """)
        #expect(found as? String == "[]", "\(width) px, dark: \(isDark)")
      }
    }
  }
}
