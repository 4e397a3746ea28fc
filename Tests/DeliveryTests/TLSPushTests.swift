import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// trackerctl and basecamp over TLS, with certificates of a test authority.
@Suite(
  .blocking, .enabled(if: TestAuthority.isPossible, "needs openssl; install it with .ci/setup"))
struct TLSPushTests {
  let folder: ScratchFolder
  let authority: TestAuthority

  init() throws {
    folder = try ScratchFolder()
    authority = try TestAuthority()
  }

  private func camp(_ name: String, _ words: [String] = []) throws -> CampServer {
    let identity = [
      "--certificate", authority.path("\(name).crt"), "--key", authority.path("\(name).key"),
    ]
    return try CampServer(folder, identity + words, authorities: authority.certificate)
  }

  @Test func `Captures arrive over TLS at a server of the given authority`() throws {
    try authority.issue("good", host: "IP:127.0.0.1")
    let camp = try camp("good")
    #expect(camp.layer.hasPrefix("https://127.0.0.1:"), "\(camp.command)")
    let run = try controlRun([
      "push", "--store", try folder.store(300), "--server", camp.layer,
      "--ca", authority.certificate,
    ])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)\(run.command)")
    #expect(run.output == "pushed 300, 0 left, 0 set aside\n", "\(run.command)")
    #expect(try camp.count() == 300, "\(camp.command)")
  }

  @Test func `Neither a core dump nor SSLKEYLOGFILE tells what push knows`() throws {
    try authority.issue("good", host: "IP:127.0.0.1")
    let camp = try camp("good", ["--fault", "late 2s 100%"])
    let keys = folder.path("keys")
    let push = try RunningProgram(
      [
        Built.program("trackerctl").path, "push", "--store", try folder.store(3), "--server",
        camp.layer, "--ca", authority.certificate,
      ], environment: ["SSLKEYLOGFILE": keys])
    try eventually("no more core dumps", pause: 0.01) {
      try !push.isRunning || leavesNoCore(push.id)
    }
    #expect(try leavesNoCore(push.id), "\(camp.command)")
    #expect(push.wait() == 0, "\(camp.command)")
    #expect(!FileManager.default.fileExists(atPath: keys), "\(camp.command)")
  }

  static let wrong: [(host: String, hasExpired: Bool, trustsOther: Bool, reason: String)] = [
    ("IP:127.0.0.1", false, true, "certificate"),
    ("DNS:elsewhere.example", false, false, "127.0.0.1"),
    ("IP:127.0.0.1", true, false, "expired"),
  ]

  @Test(arguments: wrong.indices)
  func `A wrong certificate gets no capture, and the reason is one line`(_ index: Int) throws {
    let (host, hasExpired, trustsOther, reason) = Self.wrong[index]
    try authority.issue("wrong", host: host, hasExpired: hasExpired)
    let path = try folder.store(5)
    let other = try TestAuthority()
    let run: ProgramResult
    do {
      let camp = try camp("wrong")
      run = try controlRun([
        "push", "--store", path, "--server", camp.layer,
        "--ca", trustsOther ? other.certificate : authority.certificate,
      ])
    }
    #expect(run.code == 1, "\(run.command)")
    #expect(run.output == "pushed 0, 5 left, 0 set aside\n", "\(run.command)")
    #expect(run.errors.contains(reason), "\(run.errors)\(run.command)")
    #expect(run.errors.contains("check the date, the server's name"), "\(run.errors)")
    #expect(run.errors.filter { $0 == "\n" }.count == 1, "\(run.errors)\(run.command)")
    // The queue is whole, and what the server kept shows when it speaks without TLS.
    let store = try CaptureStore.openForReading(path)
    #expect(store.tally.pending == 5 && store.tally.acknowledged == 0, "\(run.command)")
    #expect(try CampServer(folder).count() == 0, "\(run.command)")
  }

  @Test(arguments: ["generateToken", "OAuth"])
  func `A token is got over TLS and opens the layer`(_ way: String) throws {
    try authority.issue("good", host: "IP:127.0.0.1")
    let password = try folder.write("password", "Senglars-2012\n")
    let camp = try camp("good", ["--user", "team", "--password-file", password])
    let site = camp.services.replacingOccurrences(of: "/rest/services", with: "")
    let isOAuth = way == "OAuth"
    let who =
      isOAuth
      ? ["--client-id", "team", "--token-url", "\(site)/sharing/rest/oauth2/token"]
      : ["--user", "team"]
    let name = isOAuth ? "clientSecret" : "password"
    let words =
      [
        "push", "--store", try folder.store(20), "--server", camp.layer,
        "--ca", authority.certificate,
      ] + who + ["--secrets"]
    let wrong = try controlRun(words + [try folder.write("wrong", "\(name) = Porcs-2012\n")])
    #expect(wrong.code == 2 && wrong.isOneLineOfComplaint, "\(wrong.errors)\(wrong.command)")
    #expect(wrong.errors.contains("token service: "), "\(wrong.errors)\(wrong.command)")
    #expect(!wrong.errors.contains("Porcs"), "\(wrong.errors)\(wrong.command)")
    let right = try controlRun(words + [try folder.write("right", "\(name) = Senglars-2012\n")])
    #expect(right.code == 0 && right.errors.isEmpty, "\(right.errors)\(right.command)")
    #expect(right.output == "pushed 20, 0 left, 0 set aside\n", "\(right.command)")
    let token = try camp.token(user: "team", password: "Senglars-2012")
    #expect(try camp.count(token: token) == 20, "\(camp.command)")
  }

  @Test func `A token that ends under way is renewed, and nothing comes twice`() throws {
    try authority.issue("good", host: "IP:127.0.0.1")
    let password = try folder.write("password", "Senglars-2012\n")
    let camp = try camp(
      "good",
      ["--user", "team", "--password-file", password, "--fault", "unauthorised every 3rd"])
    let site = camp.services.replacingOccurrences(of: "/rest/services", with: "")
    let run = try controlRun([
      "push", "--store", try folder.store(600), "--server", camp.layer,
      "--ca", authority.certificate, "--client-id", "team",
      "--token-url", "\(site)/sharing/rest/oauth2/token",
      "--secrets", try folder.write("secrets", "clientSecret = Senglars-2012\n"),
    ])
    #expect(run.output == "pushed 600, 0 left, 0 set aside\n", "\(run.errors)\(run.command)")
    let token = try camp.token(user: "team", password: "Senglars-2012")
    #expect(try camp.count(token: token) == 600, "\(camp.command)")
  }

  @Test func `A client whose TLS is older than 1.2 is not spoken to`() throws {
    try authority.issue("good", host: "IP:127.0.0.1")
    let camp = try camp("good")
    let port = camp.services.split(separator: "/")[1]
    for (version, isWelcome) in [
      ("-tls1", false), ("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true),
    ] {
      // The client's own level must not be what refuses.
      let client = try ProgramResult(running: [
        "openssl", "s_client", "-connect", String(port), version, "-cipher", "ALL:@SECLEVEL=0",
        "-verify_quiet", "-verify_return_error", "-CAfile", authority.certificate,
      ])
      #expect((client.code == 0) == isWelcome, "\(version); \(camp.command)")
    }
  }

  @Test func `A server without a usable certificate does not start`() throws {
    try authority.issue("good", host: "IP:127.0.0.1")
    try authority.issue("other", host: "IP:127.0.0.1")
    let (good, key) = (authority.path("good.crt"), authority.path("good.key"))
    let exposed = folder.path("exposed.key")
    try FileManager.default.copyItem(atPath: key, toPath: exposed)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: exposed)
    let text = try folder.write("notes.txt", "no certificate\n")
    // A certificate is for everybody to read, a key is not.
    let protected = folder.path("protected.crt")
    try FileManager.default.copyItem(atPath: good, toPath: protected)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: protected)
    let torn = try folder.write(
      "torn.crt", String(try String(contentsOfFile: good, encoding: .utf8).prefix(300)))
    let cases: [(words: [String], complaint: String)] = [
      (["--certificate", good], "--certificate goes with --key"),
      (["--key", key], "--key goes with --certificate"),
      (["--certificate", "absent.crt", "--key", key], "absent.crt"),
      (["--certificate", good, "--key", "absent.key"], "absent.key"),
      (["--certificate", text, "--key", key], "notes.txt: has no certificate"),
      (["--certificate", good, "--key", protected], "protected.crt: has no private key"),
      (["--certificate", torn, "--key", key], "use two that belong together"),
      (["--certificate", good, "--key", exposed], "chmod 600"),
      (
        ["--certificate", good, "--key", authority.path("other.key")],
        "is not the key of the certificate"
      ),
    ]
    for (words, complaint) in cases {
      let all = ["--listen", "127.0.0.1:0", "--database", folder.path("new")] + words
      let run = try ProgramResult("basecamp", all)
      #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
      #expect(run.errors.contains(complaint), "\(run.errors)\(run.command)")
    }
    #expect(!(try folder.names()).contains("new"), "swift test --filter TLSPushTests")
  }
}
