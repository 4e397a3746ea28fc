import Foundation
import MQTT
import SystemCalls
import TrackerCore
import Uplink

/// Debian's mosquitto, which is measured, as it comes but for what may wait in it.
final class BenchedBroker {
  private let port: UInt16
  private let settings: String
  private var process = Process()

  init() throws {
    port = UInt16.random(in: 20_000...30_000)
    settings =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("bench-mosquitto-\(port).conf").path
    let text = """
      user \(NSUserName())
      listener \(port) 127.0.0.1
      allow_anonymous true
      max_queued_messages 0

      """
    try text.write(toFile: settings, atomically: true, encoding: .utf8)
    try start()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: settings)
  }

  var address: String { "mqtt://127.0.0.1:\(port)" }
  var processorTime: Double { ProcessorTime.of(process.processIdentifier) }

  /// Without what it knew before.
  func start() throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/mosquitto")
    process.arguments = ["-c", settings]
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// SIGKILL.
  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

/// Trackers that publish on a broker, with trackerd's messages: a capture of each every ten
/// seconds. Each has its topic, but a connection is a thread here, so they share one.
final class SeasonPublishers {
  private struct Tracker {
    let number: Int
    var dialogue: PostingDialogue
    var last: UInt32 = 0
    var waiting: [(number: UInt32, time: Date)] = []
    var sending: (captures: [(number: UInt32, time: Date)], progress: PublicationProgress)?
    var since = Date.distantPast
  }

  private var trackers: [Tracker]
  private let broker: BenchedBroker
  private var connection: MQTTConnection?
  private var isReady = false
  private var connectsAt = Date.distantPast
  private(set) var made = 0
  private(set) var acknowledged = 0
  private(set) var repeated = 0
  /// Seconds.
  private(set) var delays: [Double] = []
  /// After it a tracker gives up waiting for acknowledgements, and tries again.
  private static let patience = 20.0
  /// Captures in one contact.
  private static let batch = 20

  init(_ count: Int, to broker: BenchedBroker) throws {
    self.broker = broker
    trackers = try (1...count).map { number in
      var settings = try PostingConfiguration(
        format: .mqtt(user: "season", .receiver), url: broker.address)
      settings.deviceCode = "\(number)"
      return Tracker(number: number, dialogue: PostingDialogue(settings))
    }
  }

  /// - Parameter atHalf: what happens in the middle.
  func play(seconds: Double, atHalf: () throws -> Void) throws {
    let start = Date()
    let step = SeasonFleet.pace / Double(trackers.count)
    var next = 0
    var isHalf = false
    while case let time = Date().timeIntervalSince(start),
      time < seconds || acknowledged < made
    {
      guard time < seconds + 300 else {
        throw BenchError(description: "\(made - acknowledged) captures were not acknowledged")
      }
      while time < seconds, Double(next) * step <= time {
        let index = next % trackers.count
        trackers[index].last += 1
        trackers[index].waiting.append((trackers[index].last, Date()))
        made += 1
        next += 1
        send(index)
      }
      if !isHalf, time > seconds / 2 {
        isHalf = true
        try atHalf()
      }
      try turn(within: min(step, 0.01))
    }
  }

  private func turn(within seconds: Double) throws {
    if connection == nil, Date() >= connectsAt {
      connection = try MQTTConnection(
        MQTTSettings(
          try BrokerAddress(broker.address, hasPassword: false), client: "season",
          topics: ["owntracks/season/+/ack"]))
    }
    guard let connection else {
      usleep(UInt32(seconds * 1_000_000))
      return
    }
    _ = poll(connection.descriptor, atMost: Int64(seconds * 1000))
    for event in connection.takeEvents() {
      switch event {
      case .ready: isReady = true
      case .message(let topic, let payload):
        let levels = topic.split(separator: "/")
        if levels.count == 4, let number = Int(levels[2]), trackers.indices.contains(number - 1) {
          take(payload, for: number - 1)
        }
      case .published: break
      case .ended:
        (self.connection, isReady) = (nil, false)
        connectsAt = Date(timeIntervalSinceNow: 1)
      }
    }
    for index in trackers.indices where isReady {
      if trackers[index].sending != nil,
        Date().timeIntervalSince(trackers[index].since) > Self.patience
      {
        end(index)
      }
      send(index)
    }
  }

  private func send(_ index: Int) {
    guard isReady, trackers[index].sending == nil, !trackers[index].waiting.isEmpty else { return }
    let number = trackers[index].number
    let captures = Array(trackers[index].waiting.suffix(Self.batch))
    trackers[index].waiting.removeLast(captures.count)
    let outgoing = captures.map {
      OutgoingCapture(
        SeasonFleet.capture($0.number, of: number, at: $0.time), key: CaptureKey($0.number),
        device: SeasonFleet.device(number), wasSent: false)
    }
    let now = Date().utc
    let work = UplinkTask.upload(outgoing, nextContactBy: now + .minutes(20))
    guard case .send(let request) = trackers[index].dialogue.begin(work, at: now),
      let publication = request.publication
    else { return }
    trackers[index].sending = (captures, PublicationProgress(publication))
    trackers[index].since = Date()
    for message in publication.messages {
      connection?.publish(message.payload, on: publication.topic, number: 0, expiry: 600)
    }
  }

  private func take(_ payload: [UInt8], for index: Int) {
    trackers[index].sending?.progress.take(payload)
    if trackers[index].sending?.progress.isComplete == true { end(index) }
  }

  /// Takes what was acknowledged; the rest waits again.
  private func end(_ index: Int) {
    guard let (captures, progress) = trackers[index].sending else { return }
    trackers[index].sending = nil
    let reply = progress.hasSome ? progress.reply : .unreachable
    guard case .done(let result) = trackers[index].dialogue.receive(reply, at: Date().utc) else {
      return
    }
    let done = Set(result.acknowledged.map(\.number))
    for capture in captures where done.contains(capture.number) {
      acknowledged += 1
      delays.append(Date().timeIntervalSince(capture.time))
    }
    let left = captures.filter { !done.contains($0.number) }
    repeated += left.count
    trackers[index].waiting = (trackers[index].waiting + left).sorted { $0.number < $1.number }
  }
}
