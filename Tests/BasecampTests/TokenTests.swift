import Foundation
import TestSupport
import Testing

/// Who is let in.
@Suite(.blocking) struct TokenTests {
  let folder: ScratchFolder
  let camp: CampServer

  init() throws {
    folder = try ScratchFolder()
    let file = try folder.write("password", "camí de ronda\n")
    camp = try CampServer(
      folder, ["--user", "race", "--password-file", file, "--token-seconds", "2"])
  }

  private func token(_ password: String = "camí de ronda") throws -> [String: Any] {
    try camp.post(
      "/arcgis/tokens/generateToken",
      ["username": "race", "password": password, "client": "requestip", "expiration": "60"])
  }

  @Test func `Without a token 499, with a wrong one 498, with a good one the answer`() throws {
    #expect(errorCode(try camp.query(["where": "1=1"])) == 499)
    #expect(errorCode(try camp.get(OpenCamp.layer)) == 499)
    #expect(errorCode(try camp.query(["where": "1=1", "token": "wrong"])) == 498)
    let answer = try token()
    let token = try #require(answer["token"] as? String, "\(answer); \(camp.command)")
    #expect(try camp.query(["where": "1=1", "token": token])["features"] != nil)
    let added = try camp.post(
      "\(OpenCamp.layer)/addFeatures", ["features": Captures.text(0..<1), "token": token])
    #expect(addResults(added).map(\.isDone) == [true])
    for header in ["X-Esri-Authorization: Bearer \(token)", "Authorization: Bearer \(token)"] {
      let answer = try WireClient(port: camp.port).request(
        "GET", "\(OpenCamp.layer)?f=json", headers: "\(header)\r\n")
      #expect(answer.text.contains("objectIdField"), "\(header.prefix(12))")
    }
  }

  @Test func `A token ends when it said it would`() throws {
    let answer = try token()
    let text = try #require(answer["token"] as? String)
    let ends = try #require(answer["expires"] as? Double) / 1000
    #expect(abs(ends - Date().timeIntervalSince1970 - 2) < 1)
    usleep(2_200_000)
    #expect(errorCode(try camp.query(["where": "1=1", "token": text])) == 498)
  }

  @Test func `A wrong name or password gets no token`() throws {
    #expect(errorCode(try token("cami de ronda")) == 400)
    #expect(errorCode(try token("")) == 400)
    #expect(errorCode(try camp.get("/arcgis/tokens/generateToken", ["username": "race"])) == 405)
  }

  @Test func `A client that guesses passwords is told to wait`() throws {
    for _ in 0..<10 { #expect(errorCode(try token("wrong")) == 400) }
    let refused = try WireClient(port: camp.port).request(
      "POST", "/arcgis/tokens/generateToken",
      form: ["f": "json", "username": "race", "password": "camí de ronda"])
    #expect(refused.status == 429)
    let seconds = try #require(refused.header("Retry-After").flatMap { Int($0) })
    #expect((1...60).contains(seconds))
    #expect(refused.text.contains("Too many wrong passwords."))
    // Another address is not concerned.
    let other = try WireClient(port: camp.port, client: 2).request(
      "POST", "/arcgis/tokens/generateToken",
      form: ["f": "json", "username": "race", "password": "camí de ronda"])
    #expect(other.text.hasPrefix("{\"token\":"))
  }

  @Test func `An app gets its token by client credentials`() throws {
    let form = [
      "client_id": "race", "client_secret": "camí de ronda", "grant_type": "client_credentials",
    ]
    let answer = try camp.post("/arcgis/sharing/rest/oauth2/token", form)
    #expect(answer["expires_in"] as? Int == 2)
    let token = try #require(answer["access_token"] as? String)
    #expect(try camp.query(["where": "1=1", "token": token])["features"] != nil)
    let wrong = try camp.post("/arcgis/sharing/rest/oauth2/token", ["client_id": "race"])
    #expect(errorCode(wrong) == 400)
  }

  @Test func `Everybody learns where tokens are to be had`() throws {
    let answer = try camp.get("/arcgis/rest/info")
    let address = (answer["authInfo"] as? [String: Any])?["tokenServicesUrl"] as? String
    #expect(address?.hasSuffix("/arcgis/tokens/generateToken") == true)
  }
}
