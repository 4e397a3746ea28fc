internal import Glibc

/// The address of a socket in the file system, or in the abstract namespace.
public struct UnixAddress: Sendable {
  private var address = sockaddr_un()
  private let length: socklen_t

  /// `nil`: not a valid path; it has 1 to 107 bytes.
  public init?(_ path: String) { self.init(bytes: Array(path.utf8)) }

  /// - Parameter name: as systemd writes it: a path, or `@name` in the abstract namespace, whose
  ///   length counts (unix(7)).
  public init?(service name: String) {
    switch name.first {
    case "/": self.init(name)
    case "@": self.init(bytes: Array(name.utf8.dropFirst()), isAbstract: true)
    default: return nil
    }
  }

  private init?(bytes: [UInt8], isAbstract: Bool = false) {
    let place = isAbstract ? 1 : 0
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard !bytes.isEmpty, place + bytes.count < room, !bytes.contains(0) else { return nil }
    length = socklen_t(
      isAbstract
        ? MemoryLayout<sa_family_t>.size + place + bytes.count : MemoryLayout<sockaddr_un>.size)
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      for (index, byte) in bytes.enumerated() { path[place + index] = byte }
    }
  }

  /// A socket that listens there, and does not block.
  ///
  /// - Parameter prepare: called before it listens, with the socket's path still closed to others.
  public func listener(
    backlog: Int32, prepare: () throws(SystemError) -> Void = {}
  ) throws(SystemError) -> Descriptor {
    let socket = try Descriptor.socket(.stream, isBlocking: false)
    _ = try withAddress { address, length throws(SystemError) in
      try systemCall("bind") { bind(socket.number, address, length) }
    }
    try prepare()
    try systemCall("listen") { listen(socket.number, backlog) }
    return socket
  }

  /// A connection to the listener there.
  ///
  /// - Parameter limit: how long it may take while the listener's queue is full, milliseconds;
  ///   `nil`: no time, and the connection does not block either.
  public func connected(within limit: Int64? = nil) throws(SystemError) -> Descriptor {
    let socket = try Descriptor.socket(.stream, isBlocking: limit != nil)
    if let limit { socket.setTimeout(SO_SNDTIMEO, limit) }
    _ = try withAddress { address, length throws(SystemError) in
      try systemCall("connect") { connect(socket.number, address, length) }
    }
    return socket
  }

  /// Sends one datagram without waiting for room.
  public func send(_ bytes: [UInt8], from socket: borrowing Descriptor) -> Bool {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = try? withAddress { address, length throws(SystemError) in
      try systemCall("sendto") {
        sendto(socket.number, bytes, bytes.count, flags, address, length)
      }
    }
    return count == bytes.count
  }

  private func withAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    try withUnsafePointer(to: address) { pointer throws(SystemError) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        (address) throws(SystemError) in try body(address, length)
      }
    }
  }
}

/// A numeric internet address.
public struct InternetAddress: Sendable {
  private let family: Int32
  private let bytes: [UInt8]

  /// `nil` when `host` is not a numeric IPv4 or IPv6 address.
  public init?(_ host: String, port: UInt16) {
    var four = sockaddr_in()
    var six = sockaddr_in6()
    if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      family = AF_INET
      bytes = withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port.bigEndian
      family = AF_INET6
      bytes = withUnsafeBytes(of: six) { Array($0) }
    } else {
      return nil
    }
  }

  /// The 4 or 16 bytes of an address in network order; `nil`: `host` is a name.
  public static func number(_ host: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, host, &bytes) == 1 { return bytes }
    }
    return nil
  }

  /// Begins to connect, without waiting; `takeOutcome` tells how it went.
  public func connecting() throws(SystemError) -> Descriptor {
    let socket = try Descriptor.socket(.stream, family: family, isBlocking: false)
    // Detects a peer that has disappeared, after some two minutes.
    socket.set(SOL_SOCKET, SO_KEEPALIVE, 1)
    socket.set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60)
    socket.set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 20)
    socket.set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
    let result = bytes.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) {
        connect(socket.number, $0.baseAddress, socklen_t(bytes.count))
      }
    }
    if result != 0, errno != EINPROGRESS, errno != EINTR { throw .last("connect") }
    return socket
  }
}

/// The kinds of sockets.
enum SocketKind {
  case stream, datagram, netlink
}

extension Descriptor {
  /// A socket with close-on-exec.
  static func socket(
    _ kind: SocketKind, family: Int32 = AF_UNIX, isBlocking: Bool
  ) throws(SystemError) -> Descriptor {
    let type =
      switch kind {
      case .stream: Int32(SOCK_STREAM.rawValue)
      case .datagram: Int32(SOCK_DGRAM.rawValue)
      case .netlink: Int32(SOCK_RAW.rawValue)
      }
    let flags = Int32(SOCK_CLOEXEC.rawValue) | (isBlocking ? 0 : Int32(SOCK_NONBLOCK.rawValue))
    let family = kind == .netlink ? AF_NETLINK : family
    return Descriptor(
      owning: try systemCall("socket") { Glibc.socket(family, type | flags, 0) })
  }

  /// A socket for datagrams to a `UnixAddress`.
  public static func datagramSocket() throws(SystemError) -> Descriptor {
    try socket(.datagram, isBlocking: true)
  }

  /// A socket to the kernel's networking (rtnetlink(7)).
  ///
  /// - Parameter groups: whose notifications it gets, without waiting for them; 0: none.
  public static func netlinkSocket(groups: UInt32 = 0) throws(SystemError) -> Descriptor {
    let socket = try socket(.netlink, isBlocking: groups == 0)
    guard groups != 0 else { return socket }
    // struct sockaddr_nl: family, padding, port, groups.
    let address: [UInt32] = [UInt32(AF_NETLINK).littleEndian, 0, groups]
    try systemCall("bind") {
      address.withUnsafeBytes { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) {
          bind(socket.number, $0.baseAddress, socklen_t(bytes.count))
        }
      }
    }
    return socket
  }

  fileprivate func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    // Without it the line still works; a lost peer is only detected later.
    setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  fileprivate func setTimeout(_ option: Int32, _ milliseconds: Int64) {
    // 0 would mean no limit.
    let limit = max(1, milliseconds)
    var time = timeval(tv_sec: Int(limit / 1000), tv_usec: Int(limit % 1000) * 1000)
    setsockopt(number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// The result of connecting: an `errno`, or 0 for success. Reading it clears it in the kernel.
  public func takeOutcome() -> Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }

  /// Whether it is a socket that listens.
  public var isListening: Bool {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value == 1
  }

  /// The next connection to a listener, with close-on-exec.
  public func accepted(isBlocking: Bool) throws(SystemError) -> Descriptor {
    let client = Descriptor(owning: try systemCall("accept") { accept(number, nil, nil) })
    client.closeOnExec()
    if !isBlocking { client.doNotBlock() }
    return client
  }

  public func closeOnExec() { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
  public func doNotBlock() { _ = fcntl(number, F_SETFL, O_NONBLOCK) }

  /// Receives what there is.
  ///
  /// - Parameter patience: how long to wait for it, milliseconds; `nil`: not at all.
  /// - Returns: 0 at the end.
  public func receive(
    into bytes: inout [UInt8], within patience: Int64? = nil
  ) throws(SystemError) -> Int {
    if let patience { setTimeout(SO_RCVTIMEO, patience) }
    let flags = patience == nil ? Int32(MSG_DONTWAIT) : 0
    return try systemCall("recv") { recv(number, &bytes, bytes.count, flags) }
  }

  /// Sends bytes; whoever has hung up raises no signal.
  ///
  /// - Returns: whether there was room for all of them.
  public func send(_ bytes: [UInt8], isWaiting: Bool = false) throws(SystemError) -> Bool {
    let flags = Int32(MSG_NOSIGNAL) | (isWaiting ? 0 : Int32(MSG_DONTWAIT))
    return try systemCall("send") {
      Glibc.send(number, bytes, bytes.count, flags)
    } == bytes.count
  }

  /// Tells the other side that nothing more will be sent.
  public func endSending() { shutdown(number, Int32(SHUT_WR)) }

  /// The process at the other end of a Unix socket: on a client's side the one that listens
  /// (unix(7), SO_PEERCRED).
  public var peer: (process: Int32, user: UInt32)? {
    // struct ucred: pid, uid and gid. Glibc declares it for _GNU_SOURCE only.
    var words: (UInt32, UInt32, UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: words))
    guard getsockopt(number, SOL_SOCKET, SO_PEERCRED, &words, &length) == 0 else { return nil }
    return (Int32(bitPattern: words.0), words.1)
  }
}

/// Ends a connection that a library owns, and closes later: both sides read its end.
public func endConnection(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }

/// The numeric addresses of a host, IPv4 and IPv6, by the system's resolver.
///
/// The resolver cannot be interrupted: it works in a thread of its own, which is left behind where
/// the time is over.
///
/// - Returns: empty if the name is not known, or not in time.
public func lookUp(_ host: String, within milliseconds: Int64) -> [String] {
  if InternetAddress.number(host) != nil { return [host] }
  let found = Monitor<[String]?>(nil)
  let end = KernelTimer.monotonic.milliseconds + milliseconds
  let thread = try? SmallThread(isDetached: true) {
    let addresses = addresses(of: host)
    found.change { $0 = addresses }
  }
  if thread == nil { return [] }
  return found.wait { addresses in
    if let addresses { return .done(addresses) }
    return KernelTimer.monotonic.milliseconds < end ? .wait(until: end) : .done([])
  }
}

private func addresses(of host: String) -> [String] {
  var hints = addrinfo()
  hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
  var list: UnsafeMutablePointer<addrinfo>?
  guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
  defer { freeaddrinfo(list) }
  var found: [String] = []
  var entry = list
  while let this = entry {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    if getnameinfo(
      this.pointee.ai_addr, this.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
      NI_NUMERICHOST) == 0
    {
      found.append(
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    entry = this.pointee.ai_next
  }
  return found
}
