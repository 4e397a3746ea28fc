import Foundation
import ModemTerminal
import Simulation
import TestSupport
import Testing

/// Little memory: what the daemon gives back must be what it can have again.
@Suite(.serialized, .blocking) struct MemoryDaemonTests {
  @Test(.enabled(if: SwapRig.isPossible, SwapRig.reason))
  func `Swapped out and trimmed at the end of each contact, it goes on`() throws {
    let folder = try ScratchFolder()
    let rig = try SwapRig(folder.url)
    let camp = try CampServer(folder: folder.url)
    let modem = try ModemTerminal(try ModemScript(named: "sim7600"), speed: 20)
    defer { modem.stop() }
    for _ in 0..<5 {
      let run = try DaemonRun(["--speed", "20"])
      run.wrapper = rig.wrapper
      run.server =
        "http://127.0.0.1:\(camp.port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
      run.settings["bearer"] = "'interface'"
      run.settings["network"] = "{ interface: 'lo' }"
      run.settings["modemPort"] = "'\(modem.path)'"
      run.settings["capture"] = "{ policy: 'standard', interval: '30 s' }"
      run.settings["transmit"] = "{ interval: '1 min' }"
      run.settings["reconnectFloor"] = "'0 s'"
      run.line.walk(speed: 20)
      try run.startAndWait()
      for contact in 1...2 {
        rig.squeeze()
        #expect(try run.kibibytes("VmSwap") > 0, "\(run.command)")
        // Its link is closed, and its memory trimmed, before the next one is delivered.
        try run.wait("upload finished outcome=\"answered", times: contact)
      }
      try run.wait("modem phase=off", times: 2)
      try run.wait("captured sequence=", times: run.announced.count + 1)
      run.end(SIGTERM)
      #expect(run.code == 0, "\(run.command)\n\(run.logText)")
    }
  }

  /// A server that answers edits of a layer with a million results.
  private static let verbose = """
    import http.server, json, os
    names = ['CodiEquip', 'Equip', 'Bateria', 'Entrada', 'Tipus', 'UUID']
    types = ['String', 'String', 'Integer', 'Date', 'String', 'String']
    layer = json.dumps({
        'type': 'Feature Layer', 'geometryType': 'esriGeometryPoint',
        'capabilities': 'Create,Query', 'maxRecordCount': 1000,
        'fields': [{'name': n, 'type': 'esriFieldType' + t} for n, t in zip(names, types)],
    }).encode()
    results = b'{"addResults":[' + b'{},' * 1300000 + b'{}]}'
    class Verbose(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers.get('Content-Length', 0)))
            body = results if 'add' in self.path or 'apply' in self.path else layer
            self.send_response(200)
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        do_GET = do_POST
        def log_message(self, *words): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Verbose)
    os.write(1, b'%d\\n' % server.server_port)
    server.serve_forever()
    """

  @Test(.enabled(if: Tool.url("python3") != nil, "needs python3"))
  func `An answer of 3.9 MB costs no more than one to a batch can`() throws {
    let server = try RunningProgram(["python3", "-c", Self.verbose], output: .pipe)
    defer { server.end() }
    let line = try server.line()
    let port = try #require(UInt16(line.dropLast()))
    let run = try DaemonRun(["--speed", "100"])
    run.server = "http://127.0.0.1:\(port)/rest/services/W/FeatureServer/0"
    run.settings["bearer"] = "'none'"
    run.settings["capture"] = "{ policy: 'standard', interval: '10 s' }"
    run.settings["transmit"] = "{ interval: '1 min' }"
    run.line.walk(speed: 100)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    try run.wait("request failed", times: 3)
    let peak = try run.kibibytes("VmHWM")
    print("memory test: VmHWM \(peak) KiB")
    #expect(peak < 48 << 10, "\(peak) KiB; \(run.command)")
    #expect(run.logText.contains("the answer is larger than allowed"), "\(run.logText)")
  }
}
