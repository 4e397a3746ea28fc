import CMosquitto
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// libmosquitto's client, on the thread that runs it.
final class MosquittoClient {
  private let settings: MQTTSettings
  private let exchange: MQTTConnection.Exchange
  private let handle: OpaquePointer?
  /// The numbers of what was published, by libmosquitto's.
  private var numbers: [Int32: Int] = [:]
  /// Subscriptions that the broker has not answered.
  private var awaited = 0
  /// Why it has ended, as the broker or libmosquitto's log says.
  private var reason: (error: HTTPError, status: Int32?)?
  private var isCertificateRefused = false

  private static let isSetUp = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

  init(_ settings: MQTTSettings, _ exchange: MQTTConnection.Exchange) {
    (self.settings, self.exchange) = (settings, exchange)
    handle = Self.isSetUp ? mosquitto_new(settings.client, false, nil) : nil
  }

  deinit { if let handle { mosquitto_destroy(handle) } }

  /// Connects, and works until the caller closes the connection, or it is lost.
  func run() {
    guard let handle else { return end(MOSQ_ERR_NOMEM) }
    mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    setCallbacks(handle)
    var code = setUp(handle)
    if code == MOSQ_ERR_SUCCESS { code = connect(handle) }
    var set = PollSet()
    while code == MOSQ_ERR_SUCCESS {
      exchange.wake.silence()
      let (outbox, isFull, isClosing) = exchange.state.withLock { state in
        defer { state.outbox = [] }
        let isFull = state.inbox.count >= MQTTBounds.waitingEvents
        return (state.outbox, isFull, state.isClosing)
      }
      if isClosing {
        mosquitto_disconnect_v5(handle, 0, nil)
        return
      }
      for message in outbox { publish(message, handle) }
      let socket = mosquitto_socket(handle)
      guard socket >= 0 else { break }
      var events: PollEvents = isFull ? [] : .readable
      if mosquitto_want_write(handle) { events.insert(.writable) }
      set.removeAll()
      set.add(socket, events)
      set.add(exchange.wake.descriptor)
      set.wait(atMost: MQTTBounds.lookMilliseconds)
      let found = set.found(socket)
      if found.contains(.readable) || found.contains(.failed) {
        code = mosq_err_t(mosquitto_loop_read(handle, 1))
      }
      if code == MOSQ_ERR_SUCCESS, mosquitto_want_write(handle) {
        code = mosq_err_t(mosquitto_loop_write(handle, 1))
      }
      if code == MOSQ_ERR_SUCCESS { code = mosq_err_t(mosquitto_loop_misc(handle)) }
    }
    end(code)
  }

  private func setUp(_ handle: OpaquePointer) -> mosq_err_t {
    mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
    mosquitto_int_option(handle, MOSQ_OPT_RECEIVE_MAXIMUM, MQTTBounds.receiveMaximum)
    mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
    if let user = settings.user {
      let password = settings.password.map { String(decoding: $0.revealed, as: UTF8.self) }
      let code = mosquitto_username_pw_set(handle, user, password)
      if code != MOSQ_ERR_SUCCESS.rawValue { return mosq_err_t(code) }
    }
    guard settings.broker.isEncrypted else { return MOSQ_ERR_SUCCESS }
    // Certificate and name are verified unless libmosquitto is told otherwise.
    guard let file = settings.authoritiesFile else {
      return mosq_err_t(mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
    }
    return mosq_err_t(mosquitto_tls_set(handle, file, nil, nil, nil, nil))
  }

  private func connect(_ handle: OpaquePointer) -> mosq_err_t {
    var properties: OpaquePointer?
    defer { mosquitto_property_free_all(&properties) }
    mosquitto_property_add_int32(
      &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue),
      UInt32(clamping: settings.sessionExpiry.count / 1000))
    mosquitto_property_add_int32(
      &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), MQTTBounds.packetBytes)
    let code = mosq_err_t(
      mosquitto_connect_bind_v5(
        handle, settings.broker.host, Int32(settings.broker.port), MQTTBounds.keepAliveSeconds,
        nil, properties))
    if code == MOSQ_ERR_ERRNO {
      let error = SystemError.last("connect")
      reason = (
        self.error(
          .notConnected,
          HTTPError.quoting(error.reason, .notConnected)
            .semicolon(HTTPError.cure(.notConnected))), nil
      )
    }
    // It would stay open in programs that are started.
    let socket = Descriptor(owning: mosquitto_socket(handle))
    socket.closeOnExec()
    _ = socket.release()
    return code
  }

  private func publish(_ message: MQTTConnection.Outgoing, _ handle: OpaquePointer) {
    var properties: OpaquePointer?
    defer { mosquitto_property_free_all(&properties) }
    if message.expiry > 0 {
      mosquitto_property_add_int32(
        &properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), message.expiry)
    }
    var number: Int32 = 0
    let code = mosquitto_publish_v5(
      handle, &number, message.topic, Int32(message.payload.count), message.payload, 1, false,
      properties)
    if code == MOSQ_ERR_SUCCESS.rawValue {
      numbers[number] = message.number
    } else {
      // The broker takes none of that size, or no connection is left: that tells the next pass.
      let reason = MQTT_RC_PACKET_TOO_LARGE.rawValue
      exchange.tell(.published(message.number, reason: UInt8(truncatingIfNeeded: reason)))
    }
  }

  // MARK: What libmosquitto says

  private func setCallbacks(_ handle: OpaquePointer) {
    mosquitto_connect_v5_callback_set(handle) { _, object, code, _, _ in
      MosquittoClient.of(object)?.connected(code)
    }
    mosquitto_subscribe_v5_callback_set(handle) { _, object, _, count, granted, _ in
      let codes = UnsafeBufferPointer(start: granted, count: Int(count))
      MosquittoClient.of(object)?.subscribed(Array(codes))
    }
    mosquitto_message_v5_callback_set(handle) { _, object, message, _ in
      guard let message = message?.pointee, let topic = message.topic else { return }
      let payload = UnsafeRawBufferPointer(
        start: message.payload, count: Int(max(0, message.payloadlen)))
      MosquittoClient.of(object)?.exchange.tell(
        .message(topic: String(cString: topic), payload: Array(payload)))
    }
    mosquitto_publish_v5_callback_set(handle) { _, object, number, code, _ in
      guard let client = MosquittoClient.of(object),
        let own = client.numbers.removeValue(forKey: number)
      else { return }
      client.exchange.tell(.published(own, reason: UInt8(truncatingIfNeeded: code)))
    }
    mosquitto_disconnect_v5_callback_set(handle) { _, object, code, _ in
      // 2.0.11 does not read a reason that comes alone: 0 is then what it says of every end that
      // the broker has announced. Of those that nobody has, it tells its own error.
      let announced = [0, Int32(MQTT_RC_SESSION_TAKEN_OVER.rawValue)]
      guard announced.contains(code), let client = MosquittoClient.of(object),
        client.reason == nil
      else { return }
      client.reason = (
        client.error(.connectionLost, MQTTPhrase.takenOver.texts(client.settings.client)), nil
      )
    }
    mosquitto_log_callback_set(handle) { _, object, _, text in
      guard let text, let client = MosquittoClient.of(object) else { return }
      let line = String(cString: text)
      if line.has("certificate verify failed") || line.has("host name verification failed") {
        client.isCertificateRefused = true
      }
    }
  }

  private static func of(_ object: UnsafeMutableRawPointer?) -> MosquittoClient? {
    object.map { Unmanaged<MosquittoClient>.fromOpaque($0).takeUnretainedValue() }
  }

  /// - Parameter code: of CONNACK (MQTT 5 §3.2.2.2).
  private func connected(_ code: Int32) {
    guard code == 0 else {
      switch mqtt5_return_codes(UInt32(code)) {
      case MQTT_RC_BAD_USERNAME_OR_PASSWORD, MQTT_RC_NOT_AUTHORIZED, MQTT_RC_BANNED:
        reason = (error(.notConnected, MQTTPhrase.credentialsRefused.texts), 401)
      case MQTT_RC_SERVER_UNAVAILABLE, MQTT_RC_SERVER_BUSY, MQTT_RC_QUOTA_EXCEEDED,
        MQTT_RC_CONNECTION_RATE_EXCEEDED:
        reason = (error(.notConnected, MQTTPhrase.refuses.texts("\(code)")), 503)
      // The answer of MQTT 3 to an unknown version is 1.
      case MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION, mqtt5_return_codes(1):
        reason = (error(.answerUnreadable, MQTTPhrase.notVersion5.texts), nil)
      default: reason = (error(.notConnected, MQTTPhrase.refuses.texts("\(code)")), nil)
      }
      return
    }
    awaited = settings.topics.count
    for topic in settings.topics {
      mosquitto_subscribe_v5(handle, nil, topic, 1, 0, nil)
    }
    if awaited == 0 { exchange.tell(.ready) }
  }

  private func subscribed(_ codes: [Int32]) {
    if let code = codes.first(where: { $0 >= 0x80 }) {
      let topics = settings.topics.joined(separator: ", ")
      reason = (
        error(.notConnected, MQTTPhrase.mayNotSubscribe.texts(topics, "\(code)")), 403
      )
      mosquitto_disconnect_v5(handle, 0, nil)
      return
    }
    awaited -= 1
    if awaited == 0 { exchange.tell(.ready) }
  }

  // MARK: The end

  private func end(_ code: mosq_err_t) {
    let (error, status) = reason ?? (failure(code), nil)
    exchange.tell(.ended(error, status: status))
  }

  private func failure(_ code: mosq_err_t) -> HTTPError {
    let kind: HTTPError.Kind =
      switch code {
      case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP: .nameNotFound
      case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE, MOSQ_ERR_OCSP:
        isCertificateRefused ? .certificateRefused : .tlsFailed
      case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_MALFORMED_UTF8:
        .answerUnreadable
      case MOSQ_ERR_INVAL: .unusable
      case MOSQ_ERR_KEEPALIVE: .timedOut
      case MOSQ_ERR_NOMEM: .broken
      default: .connectionLost
      }
    let text = HTTPError.quoting(String(cString: mosquitto_strerror(Int32(code.rawValue))), kind)
    return error(kind, kind == .connectionLost ? text : text.semicolon(HTTPError.cure(kind)))
  }

  private func error(_ kind: HTTPError.Kind, _ message: Texts) -> HTTPError {
    HTTPError(
      kind, server: settings.broker.description, message: message,
      mayHaveArrived: kind == .connectionLost)
  }
}
