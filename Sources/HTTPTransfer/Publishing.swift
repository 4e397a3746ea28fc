import MQTT
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// Sends publications to a broker, one after the other: the part of an `HTTPClient` that speaks
/// MQTT. A connection stays for a while, for what comes next.
struct PublishingClient {
  private struct Task {
    let id: TransferID
    let publication: Publication
    var progress: PublicationProgress
    /// What limits the wait, by `KernelTimer.monotonic`.
    let begun: Int64
    var moved: Int64
    let patience: Int64
    /// The number of its first message; `nil`: nothing was sent.
    var firstNumber: Int?
    var isSent: Bool { firstNumber != nil }
    /// One without messages only connects.
    var isDone: Bool { isSent && progress.isComplete }
    /// Why a message will not be delivered.
    var problem: MQTTProblem?
    var traffic = HTTPTraffic()
  }

  private struct MQTTProblem {
    var text: Texts
    var status: Int32
  }

  private let configuration: HTTPClientConfiguration
  private var connection: MQTTConnection?
  private var settings: MQTTSettings?
  private var isReady = false
  private var isNew = false
  /// Of the next message: what was given up has others.
  private var nextNumber = 0
  private var task: Task?
  /// When the connection is closed, if nothing is published until then.
  private var idleUntil: Int64?
  /// Nothing of them was sent.
  private var failed: [HTTPCompletion] = []

  init(_ configuration: HTTPClientConfiguration) { self.configuration = configuration }

  // MARK: Requests

  mutating func start(_ publication: Publication, _ request: HTTPRequest, _ id: TransferID) {
    let now = KernelTimer.monotonic.milliseconds
    do throws(HTTPError) {
      guard task == nil else {
        throw error(.broken, HTTPPhrase.tooMany.texts("1"), server: ServerName.shown(request.url))
      }
      // A kept connection may have ended meanwhile.
      failed = step()
      try connect(publication, request)
    } catch {
      failed.append(
        HTTPCompletion(id: id, reply: .unreachable, failure: error, traffic: HTTPTraffic()))
      return
    }
    idleUntil = nil
    let patience = min(configuration.slowPeriod, request.patience ?? configuration.slowPeriod)
    task = Task(
      id: id, publication: publication, progress: PublicationProgress(publication), begun: now,
      moved: now, patience: patience.count)
    task?.traffic.newConnections = isNew ? 1 : 0
    isNew = false
    if isReady { publish() }
  }

  private mutating func connect(
    _ publication: Publication, _ request: HTTPRequest
  ) throws(HTTPError) {
    let broker: BrokerAddress
    do { broker = try BrokerAddress(request.url, hasPassword: publication.password != nil) } catch {
      throw self.error(.unusable, "\(error)".texts, server: ServerName.shown(request.url))
    }
    var new = MQTTSettings(
      broker, client: publication.client,
      topics: publication.acknowledger == .receiver ? [publication.answers] : [])
    (new.user, new.password) = (publication.user, publication.password)
    new.authoritiesFile = configuration.authoritiesFile
    if connection != nil, settings == new, !request.needsNewConnection { return }
    close()
    connection = try MQTTConnection(new)
    (settings, isNew) = (new, true)
  }

  private mutating func publish() {
    guard var task = self.task, !task.isSent else { return }
    task.firstNumber = nextNumber
    for message in task.publication.messages {
      task.traffic.sentBytes += Int64(message.payload.count + task.publication.topic.utf8.count)
      connection?.publish(
        message.payload, on: task.publication.topic, number: nextNumber,
        expiry: task.publication.acknowledger == .receiver ? TransferBounds.messageExpiry : 0)
      nextNumber += 1
    }
    self.task = task
  }

  /// - Returns: how it has ended; `nil`: it is none that is under way.
  mutating func cancel(_ id: TransferID) -> HTTPReply? {
    guard task?.id == id else { return nil }
    let wasSent = task?.isSent == true
    let error = error(.cancelled, HTTPPhrase.cancelled.texts, mayHaveArrived: wasSent)
    guard let completion = completion(error, nil) else { return nil }
    failed.append(completion)
    // What comes of these captures later belongs to no request.
    close()
    return completion.reply
  }

  mutating func disconnect() {
    if let id = task?.id { _ = cancel(id) }
    close()
  }

  private mutating func close() {
    connection?.close()
    (connection, settings, isReady, idleUntil) = (nil, nil, false, nil)
  }

  // MARK: The poll loop

  var interest: PollInterest? { connection.map { PollInterest($0.descriptor, .readable) } }

  /// When something has to be done; `nil`: only when the broker says something.
  var dueAt: Int64? {
    if !failed.isEmpty { return 0 }
    guard let task else { return idleUntil }
    let step =
      isReady ? task.moved + task.patience : task.begun + configuration.connectTimeout.count
    return min(step, task.begun + configuration.totalTimeout.count)
  }

  mutating func step() -> [HTTPCompletion] {
    var ended = failed
    failed = []
    let now = KernelTimer.monotonic.milliseconds
    for event in connection?.takeEvents() ?? [] {
      switch event {
      case .ready:
        isReady = true
        task?.moved = now
        publish()
      case .message(let topic, let payload):
        guard topic == task?.publication.answers else { continue }
        task?.traffic.receivedBytes += Int64(payload.count)
        if task?.progress.take(payload) == true { task?.moved = now }
      case .published(let number, let reason): took(number, reason, at: now)
      case .ended(let error, let status):
        // What the broker has said before is the reason.
        if task?.problem == nil, let completion = completion(error, status) {
          ended.append(completion)
        }
        close()
      }
    }
    if let task, task.isDone || task.problem != nil {
      let error = task.problem.map { self.error(.connectionLost, $0.text) }
      if let done = completion(error, task.problem?.status) { ended.append(done) }
    } else if task != nil, let dueAt, dueAt <= now {
      let topic = task?.publication.answers ?? ""
      let isWaiting = task?.isSent == true && task?.publication.acknowledger == .receiver
      let text = (isWaiting ? MQTTPhrase.notAcknowledged.texts(topic) : HTTPPhrase.timedOut.texts)
      let error = error(.timedOut, text, mayHaveArrived: task?.isSent == true)
      if let late = completion(error, nil) { ended.append(late) }
      if !isReady { close() }
    } else if task == nil, let idleUntil, idleUntil <= now {
      close()
    }
    return ended
  }

  /// The broker has answered to a message.
  private mutating func took(_ number: Int, _ reason: UInt8, at now: Int64) {
    guard let first = task?.firstNumber, number >= first else { return }
    task?.moved = now
    let topic = task?.publication.topic ?? ""
    switch reason {
    // No matching subscribers (MQTT 5 §3.4.2.1): it has thrown the message away.
    case 0x10: task?.problem = MQTTProblem(text: MQTTPhrase.nobodyListens.texts(topic), status: 503)
    case 0x80...:
      let isRefused = reason == 0x87
      task?.problem = MQTTProblem(
        text: MQTTPhrase.mayNotPublish.texts(topic, "\(reason)"), status: isRefused ? 403 : 503)
    default: task?.progress.brokerTook(number - first)
    }
  }

  /// The end of the task. What was acknowledged counts, whatever has become of the rest.
  private mutating func completion(_ error: HTTPError?, _ status: Int32?) -> HTTPCompletion? {
    guard let task else { return nil }
    self.task = nil
    idleUntil = KernelTimer.monotonic.milliseconds + TransferBounds.connectionLife.count
    let reply: HTTPReply
    if task.isDone || task.progress.hasSome {
      reply = task.progress.reply
    } else if let status {
      reply = .response(status: status, headers: [], body: [])
    } else {
      reply = task.isSent ? .lost : .unreachable
    }
    return HTTPCompletion(
      id: task.id, reply: reply, failure: task.isDone ? nil : error,
      traffic: task.traffic)
  }

  private func error(
    _ kind: HTTPError.Kind, _ message: Texts, server: String? = nil, mayHaveArrived: Bool = false
  ) -> HTTPError {
    HTTPError(
      kind, server: server ?? settings?.broker.description ?? "", message: message,
      mayHaveArrived: mayHaveArrived)
  }
}
