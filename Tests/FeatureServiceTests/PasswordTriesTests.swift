import Synchronization
import Testing
import TrackerCore

@testable import FeatureService

/// How many wrong passwords are looked at.
@Suite struct PasswordTriesTests {
  private func service() throws -> Service {
    try Service { $0.credentials = Credentials(user: "race", password: "camí") }
  }

  private func token(
    _ service: Service, _ password: String, from client: String?, app: Bool = false
  ) -> String {
    var request =
      app
      ? service.request(
        "POST", "/arcgis/sharing/rest/oauth2/token",
        [
          ("grant_type", "client_credentials"), ("client_id", "race"), ("client_secret", password),
        ])
      : service.request(
        "POST", "/arcgis/tokens/generateToken",
        [("f", "json"), ("username", "race"), ("password", password)])
    request.client = client
    return service.send(request).summary
  }

  @Test(arguments: [false, true])
  func `After ten wrong ones a client waits for the rest of a minute`(_ app: Bool) throws {
    var service = try service()
    service.now.uptime = .seconds(100)
    for _ in 0..<10 { #expect(token(service, "a", from: "10.0.0.1", app: app) == "error 400") }
    service.now.uptime = .seconds(120)
    #expect(token(service, "a", from: "10.0.0.1", app: app) == "429 after 40")
    // Not even the right one is looked at: an answer to it would tell that it is right.
    #expect(token(service, "camí", from: "10.0.0.1", app: app) == "429 after 40")
    // Others are not concerned.
    #expect(token(service, "camí", from: "10.0.0.2", app: app) == "answer")
    service.now.uptime = .seconds(160)
    #expect(token(service, "camí", from: "10.0.0.1", app: app) == "answer")
  }

  @Test func `One's own password gives no more tries at another user's`() throws {
    let service = try service()
    func guess(_ name: String) -> String {
      var request = service.request(
        "POST", "/arcgis/sharing/rest/oauth2/token",
        [
          ("grant_type", "client_credentials"), ("client_id", name), ("client_secret", "a"),
          ("username", "race"),
        ])
      request.client = "10.0.0.1"
      return service.send(request).summary
    }
    for _ in 0..<9 { #expect(guess("owner") == "error 400") }
    #expect(token(service, "camí", from: "10.0.0.1") == "answer")
    #expect(guess("owner") == "error 400")
    #expect(guess("owner").hasPrefix("429"))
  }

  @Test func `The right password is never counted`() throws {
    let service = try service()
    for _ in 0..<300 { #expect(token(service, "camí", from: "10.0.0.1") == "answer") }
    for _ in 0..<9 { #expect(token(service, "a", from: "10.0.0.1") == "error 400") }
    #expect(token(service, "camí", from: "10.0.0.1") == "answer")
    for _ in 0..<9 { #expect(token(service, "a", from: "10.0.0.1") == "error 400") }
  }

  @Test func `Many addresses that guess do not lock out a tracker that is known`() throws {
    var service = try service()
    #expect(token(service, "camí", from: "10.0.0.1") == "answer")
    var looked = 0
    for number in 0..<500 {
      let answer = token(service, "a", from: "10.1.\(number / 250).\(number % 250)")
      if answer == "error 400" { looked += 1 }
    }
    #expect(looked == Bounds.triesOfStrangers)
    #expect(token(service, "camí", from: "10.0.0.9") == "429 after 60")
    #expect(token(service, "camí", from: "10.0.0.1") == "answer")
    service.now.uptime = .minutes(1)
    #expect(token(service, "camí", from: "10.0.0.9") == "answer")
  }

  @Test func `The table of addresses is bounded`() {
    let tries = PasswordTries()
    for number in 0..<(3 * Bounds.clientsRemembered) {
      // Each in a window of its own, so that strangers are not refused.
      let time = Milliseconds.minutes(Int64(number))
      #expect(tries.begin("\(number)", as: "race", at: time) == nil)
      if number % 2 == 0 { tries.succeed("\(number)", as: "race", at: time) }
    }
    #expect(tries.entries <= 2 * Bounds.clientsRemembered)
  }

  @Test func `Behind one address nobody is locked out by another's wrong passwords`() {
    let tries = PasswordTries()
    func wait(_ user: String) -> Milliseconds? { tries.begin("10.0.0.1", as: user, at: 0) }
    #expect(wait("marta") == nil)
    tries.succeed("10.0.0.1", as: "marta", at: 0)
    for _ in 0..<Bounds.triesOfUser { #expect(wait("pau") == nil) }
    #expect(wait("pau") == Bounds.triesWindow)
    #expect(wait("anna") == nil)
    // Somebody who tries names has an end, but for those who have been in from there.
    for number in Bounds.triesOfUser + 1..<Bounds.triesOfClient {
      #expect(wait("guess \(number)") == nil)
    }
    #expect(wait("anna") == Bounds.triesWindow)
    for _ in 0..<Bounds.triesOfUser { #expect(wait("marta") == nil) }
    #expect(wait("marta") == Bounds.triesWindow)
  }

  @Test func `Servers count what others tell of, each once, and only that of the same door`() {
    final class Wire: Sendable { let words = Mutex<[String]>([]) }
    let wire = Wire()
    let tell: @Sendable (String) -> Void = { word in wire.words.withLock { $0.append(word) } }
    let all = (0..<2).map { _ in PasswordTries(of: "room", tell: tell) }
    let other = PasswordTries(of: "token")
    func pass() {
      let words = wire.words.withLock { words in
        defer { words = [] }
        return words + ["try", "try room x", "success room x 1 10.0.0.1"]
      }
      #expect(Set(words).count == words.count)
      for tries in all + [other] { for word in words { tries.hear(word, at: 0) } }
    }
    for number in 0..<Bounds.triesOfUser {
      #expect(all[number % 2].begin("10.0.0.1", as: "pau serra", at: 0) == nil)
      pass()
    }
    for tries in all {
      #expect(tries.begin("10.0.0.1", as: "pau serra", at: 0) == Bounds.triesWindow)
      #expect(tries.begin("10.0.0.2", as: "pau serra", at: 0) == nil)
      tries.succeed("10.0.0.2", as: "pau serra", at: 0)
      pass()
    }
    // Whoever came in at one is known at the other.
    for number in 0..<Bounds.triesOfClient {
      _ = all[0].begin("10.0.0.2", as: "guess \(number)", at: 0)
      pass()
    }
    #expect(all[1].begin("10.0.0.2", as: "anna", at: 0) == Bounds.triesWindow)
    #expect(all[1].begin("10.0.0.2", as: "pau serra", at: 0) == nil)
    #expect(other.entries == 0)
  }

  @Test func `In a simulation, where clients have no address, nothing is counted`() throws {
    let service = try service()
    for _ in 0..<300 { #expect(token(service, "a", from: nil) == "error 400") }
    #expect(token(service, "camí", from: nil) == "answer")
  }
}
