import Foundation
import Synchronization
import TestSupport

/// A Chromium without a window, driven over its DevTools protocol, through pipes.
final class DrivenBrowser {
  private let process = Process()
  private let input = Pipe()
  private let messages = Messages()
  private var session: String?

  /// What comes, each text ended by a zero.
  private final class Messages: Sendable {
    private struct State {
      var bytes = Data()
      var answers: [Int: Data] = [:]
      var lastCall = 0
    }
    private let state = Mutex(State())

    func add(_ bytes: Data) {
      state.withLock { state in
        state.bytes += bytes
        while let end = state.bytes.firstIndex(of: 0) {
          let text = state.bytes[..<end]
          state.bytes = Data(state.bytes[(end + 1)...])
          let message = (try? JSONSerialization.jsonObject(with: text)) as? [String: Any]
          if let number = message?["id"] as? Int { state.answers[number] = text }
        }
      }
    }

    func begin() -> Int {
      state.withLock {
        $0.lastCall += 1
        return $0.lastCall
      }
    }

    func take(_ number: Int) -> Data? {
      state.withLock { $0.answers.removeValue(forKey: number) }
    }
  }

  /// Starts it with an empty page.
  init(_ folder: ScratchFolder) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      "-c", "exec chromium \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "chromium", "--headless",
      "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--lang=en",
      "--user-data-dir=\(folder.path("chromium"))", "about:blank",
    ]
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let (messages, reading) = (messages, output.fileHandleForReading)
    Thread.detachNewThread {
      while true {
        let bytes = reading.availableData
        if bytes.isEmpty { return }
        messages.add(bytes)
      }
    }
    let page = try call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? ""
    session =
      try call("Target.attachToTarget", ["targetId": page, "flatten": true])["sessionId"]
      as? String
    for domain in ["Page", "Runtime", "Network"] { _ = try call("\(domain).enable") }
  }

  deinit { process.terminate() }

  /// Calls a method of the protocol, and waits for its result.
  @discardableResult func call(
    _ method: String, _ parameters: [String: Any] = [:]
  ) throws -> [String: Any] {
    let number = messages.begin()
    var message: [String: Any] = ["id": number, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    try input.fileHandleForWriting.write(
      contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
    var answer: Data?
    try eventually("the answer to \(method)") {
      answer = messages.take(number)
      return answer != nil
    }
    let object = try JSONSerialization.jsonObject(with: answer ?? Data()) as? [String: Any]
    guard let result = object?["result"] as? [String: Any] else {
      throw Problem("\(method): \(object?["error"] ?? "no result")")
    }
    return result
  }

  /// The value of an expression of the page's, when its promise is kept.
  func value(_ expression: String) throws -> Any? {
    let result = try call(
      "Runtime.evaluate",
      ["expression": expression, "returnByValue": true, "awaitPromise": true])
    if let problem = result["exceptionDetails"] { throw Problem("\(expression): \(problem)") }
    return (result["result"] as? [String: Any])?["value"]
  }

  func text(_ selector: String) throws -> String {
    try value("document.querySelector('\(selector)')?.innerText ?? ''") as? String ?? ""
  }

  func open(_ address: String) throws {
    try call("Page.navigate", ["url": address])
    try eventually("the page") { try value("document.readyState") as? String == "complete" }
  }

  /// Presses the button of the mouse on an element, where it is.
  func click(_ selector: String) throws {
    let place =
      try value(
        """
        (() => { const it = document.querySelector('\(selector)'); it.scrollIntoView();
        const box = it.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; })()
        """) as? [Double] ?? []
    guard place.count == 2 else { throw Problem("there is no \(selector)") }
    for kind in ["mousePressed", "mouseReleased"] {
      try call(
        "Input.dispatchMouseEvent",
        ["type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1])
    }
  }

  /// Types into an element.
  func type(_ text: String, into selector: String) throws {
    _ = try value("document.querySelector('\(selector)').focus()")
    try call("Input.insertText", ["text": text])
  }

  func look(width: Int, isDark: Bool) throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500])
    let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
    try call("Emulation.setEmulatedMedia", ["features": [scheme]])
  }
}

/// Passes bytes on between clients and a server, and can keep them back.
final class HoldingProxy: Sendable {
  private struct State {
    var target: UInt16
    var isHolding = false
    var isOver = false
  }
  private let state: Mutex<State>
  private let listener: Int32
  let port: UInt16

  init(to target: UInt16) throws {
    state = Mutex(State(target: target))
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var place = Self.place(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) + listen(listener, 64)
          + getsockname(listener, address, &length)
      }
    }
    port = UInt16(bigEndian: place.sin_port)
    guard code == 0 else { throw Problem("cannot listen: \(errno)") }
    let proxy = self
    Thread.detachNewThread { proxy.accept() }
  }

  func end() {
    state.withLock { $0.isOver = true }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Where new connections lead.
  func lead(to port: UInt16) { state.withLock { $0.target = port } }

  /// Whether bytes are kept back, in both directions.
  func hold(_ isHolding: Bool) { state.withLock { $0.isHolding = isHolding } }

  private static func place(_ port: UInt16) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return place
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      if client < 0 || state.withLock({ $0.isOver }) {
        close(listener)
        return
      }
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var place = Self.place(state.withLock { $0.target })
      let code = withUnsafePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard code == 0 else {
        close(client)
        close(server)
        continue
      }
      // Closed by whichever direction ends last.
      let open = Atomic(2)
      pass(from: client, to: server, open)
      pass(from: server, to: client, open)
    }
  }

  private final class Atomic: Sendable {
    private let value: Mutex<Int>
    init(_ value: Int) { self.value = Mutex(value) }
    func takeOne() -> Int {
      value.withLock {
        $0 -= 1
        return $0
      }
    }
  }

  private func pass(from source: Int32, to sink: Int32, _ open: Atomic) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = recv(source, &buffer, buffer.count, 0)
        while state.withLock({ $0.isHolding && !$0.isOver }) { usleep(10_000) }
        if count <= 0 { break }
        if send(sink, &buffer, count, Int32(MSG_NOSIGNAL)) < count { break }
      }
      shutdown(sink, Int32(SHUT_RDWR))
      shutdown(source, Int32(SHUT_RDWR))
      if open.takeOne() == 0 {
        close(source)
        close(sink)
      }
    }
  }
}
