import Foundation
import Synchronization

/// A Chromium without a window, driven over its DevTools protocol, through pipes.
public final class DrivenBrowser {
  /// Whether there is one, and the library with which pages draw maps.
  public static let isPossible =
    Tool.url("chromium") != nil
    && FileManager.default.fileExists(atPath: "/usr/share/javascript/leaflet/leaflet.js")

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
  public init(_ folder: ScratchFolder) throws {
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
  @discardableResult public func call(
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
  public func value(_ expression: String) throws -> Any? {
    let result = try call(
      "Runtime.evaluate",
      ["expression": expression, "returnByValue": true, "awaitPromise": true])
    if let problem = result["exceptionDetails"] { throw Problem("\(expression): \(problem)") }
    return (result["result"] as? [String: Any])?["value"]
  }

  public func text(_ selector: String) throws -> String {
    try value("document.querySelector('\(selector)')?.innerText ?? ''") as? String ?? ""
  }

  public func open(_ address: String) throws {
    try call("Page.navigate", ["url": address])
    try eventually("the page") { try value("document.readyState") as? String == "complete" }
  }

  /// Presses the button of the mouse on an element, once the page shows it, where it is.
  ///
  /// A page that is still being drawn moves it away under the mouse, or puts another like it in its
  /// place: as a person would, it tries again until the page has heard a click on such an element.
  public func click(_ selector: String) throws {
    _ = try value(
      """
      window.hasHeard = false;
      document.addEventListener('click', (event) => {
        if (event.target.closest('\(selector)')) window.hasHeard = true;
      }, { capture: true });
      1
      """)
    try eventually("\(selector) to be clicked") {
      let place =
        try value(
          """
          (() => {
            const it = document.querySelector('\(selector)');
            it?.scrollIntoView();
            const box = it?.getBoundingClientRect();
            return box ? [box.x + box.width / 2, box.y + box.height / 2] : [];
          })()
          """) as? [Double] ?? []
      for kind in place.count == 2 ? ["mousePressed", "mouseReleased"] : [] {
        try call(
          "Input.dispatchMouseEvent",
          ["type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1])
      }
      // A page that was left by the click does not know of it.
      return try value("window.hasHeard ?? true") as? Bool == true
    }
  }

  /// Types into an element, once the page shows it.
  public func type(_ text: String, into selector: String) throws {
    try eventually("\(selector) to take the focus") {
      try value(
        """
        (() => { const it = document.querySelector('\(selector)'); it?.focus();
        return it && it === document.activeElement; })()
        """) as? Bool == true
    }
    try call("Input.insertText", ["text": text])
  }

  public func look(width: Int, isDark: Bool) throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500])
    let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
    try call("Emulation.setEmulatedMedia", ["features": [scheme]])
  }
}
