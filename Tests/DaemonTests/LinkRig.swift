import Foundation
import TestSupport
import TrackerCore

/// A server that is only reached by a link of the tracker's: both are in network namespaces of
/// their own, and `up` makes a veth pair between them, as pppd makes ppp0.
final class LinkRig {
  private static let unshare = Tool.url("unshare")?.path ?? ""
  private static let nsenter = Tool.url("nsenter")?.path ?? ""

  /// Whether this machine lets its users have network namespaces.
  static let isPossible: Bool = {
    guard Tool.url("nsenter") != nil, let unshare = Tool.url("unshare") else { return false }
    let pair = "ip link add one type veth peer name two"
    let result = try? ProgramResult(executable: unshare, ["-rn", "sh", "-c", pair])
    return result?.code == 0
  }()

  let folder: URL
  let camp: CampServer
  /// Keeps the server's namespace.
  private let holder: RunningProgram
  private let holderID: Int32

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("link-camp-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    holder = try RunningProgram(
      [Self.unshare, "-rn", "sh", "-c", "ip link set lo up; echo $$; exec sleep 1000"],
      output: .pipe)
    let line = try holder.line()
    guard let id = Int32(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw Problem("no namespace: '\(line)'")
    }
    holderID = id
    camp = try CampServer(folder: folder, wrapper: Self.enter(id, ["-n"]), address: "0.0.0.0")
  }

  deinit {
    camp.end(SIGKILL)
    holder.end()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func enter(_ id: Int32, _ options: [String]) -> [String] {
    [nsenter, "-t", "\(id)", "-U", "--preserve-credentials"] + options
  }

  /// Puts a daemon into a namespace of its own, whose only link is made by `up`.
  ///
  /// - Parameter sequel: the rest of `up`, after the interface has come up without an address;
  ///   `$address` adds that.
  func attach(_ run: DaemonRun, sequel: String = "$address; hold") throws {
    run.wrapper = Self.enter(holderID, []) + [Self.unshare, "-n"]
    run.server = "http://10.64.64.64:\(camp.port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
    let script = """
      #!/bin/sh
      echo up >> '\(run.path("calls"))'
      echo $$ > '\(run.path("up.id"))'
      address='ip address add 10.64.64.1/24 dev wwan0'
      hold() {
        trap 'ip link delete wwan0; echo down >> \(run.path("calls")); exit 5' TERM
        while :; do sleep 1000 & wait; done
      }
      ip link add wwan0 type veth peer name peer0 netns \(holderID)
      nsenter -t \(holderID) -n sh -c \\
        'ip address add 10.64.64.64/24 dev peer0; ip link set peer0 up'
      ip link set wwan0 up
      \(sequel)

      """
    try write(script, run.path("up"))
    run.settings["bearer"] = "'interface'"
    run.settings["network"] = "{ interface: 'wwan0', up: ['\(run.path("up"))'] }"
  }

  func write(_ script: String, _ path: String) throws {
    try Data(script.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// The network drops the link, and `up` dies of it.
  func cut(_ run: DaemonRun) throws {
    let words = Self.enter(holderID, ["-n", "ip", "link", "delete", "peer0"])
    kill(-(try upID(run)), SIGKILL)
    _ = try ProgramResult(
      executable: URL(fileURLWithPath: words[0]), Array(words.dropFirst()))
  }

  /// The process group of `up`.
  func upID(_ run: DaemonRun) throws -> Int32 {
    let text = try String(contentsOfFile: run.path("up.id"), encoding: .utf8)
    guard let id = Int32(text.dropLast()) else { throw Problem("up.id is '\(text)'") }
    return id
  }

  /// What `up` has done, in order.
  func calls(_ run: DaemonRun) -> [String] {
    let text = (try? String(contentsOfFile: run.path("calls"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// What has arrived at the server; ends it.
  func arrived() throws -> [UniqueID] {
    camp.end(SIGKILL)
    return try CampServer(folder: folder).identifiers()
  }
}
