import Foundation
import MachineAccess
import NMEA
import TestSupport
import Testing
import TrackerCore

/// A receiver behind the real gpsd, and other programs in its place.
@Suite(
  .blocking, .serialized, .enabled(if: GpsdRig.isInstalled, "no gpsd is installed; run .ci/setup"))
struct GpsdLineTests {
  struct Place: Equatable {
    var time: Int64?
    var latitude: Int32?
    var longitude: Int32?
  }

  static func places(_ bytes: [UInt8]) -> [Place] {
    var decoder = Decoder()
    var position = 0
    var places: [Place] = []
    func add(_ epoch: Epoch) {
      guard epoch.hasPosition, let time = epoch.utcMilliseconds else { return }
      places.append(Place(time: time, latitude: epoch.latitude, longitude: epoch.longitude))
    }
    while let epoch = decoder.next(in: bytes.span, from: &position) { add(epoch) }
    while let epoch = decoder.finish() { add(epoch) }
    return places
  }

  static let corpus = Built.repository.appendingPathComponent("../shared/corpus")
  static var hasCorpus: Bool { FileManager.default.fileExists(atPath: corpus.path) }

  @Test(
    .enabled(if: hasCorpus, "../shared/corpus is not beside the package: no real logs"),
    arguments: ["haicom-305N.log", "quectel-L70.log", "bu353s4.log"])
  func `Positions are the same through gpsd as directly from the receiver`(
    _ name: String
  ) throws {
    let log = [UInt8](try Data(contentsOf: Self.corpus.appendingPathComponent(name)))
    let direct = Self.places(log)
    try #require(direct.count >= 10, "\(name) has \(direct.count) positions")
    let rig = try GpsdRig()
    let pump = try LineContractTests.pump(rig, gathering: 100)
    try LineContractTests.warm(rig, pump)
    var next = 0
    var due = Date()
    var last = Date(timeIntervalSinceNow: 3)
    try pump.run("the log comes through") { pump in
      if Date() >= due, next < log.count {
        rig.receiver.say(Array(log[next..<min(next + 400, log.count)]))
        next += 400
        due = Date(timeIntervalSinceNow: 0.02)
        last = Date(timeIntervalSinceNow: 3)
      }
      return next >= log.count
        && (Self.places(pump.bytes).last == direct.last || Date() > last)
    }
    let through = Self.places(pump.bytes)
    #expect(Array(through.suffix(direct.count)) == direct, "\(name); \(pump.command)")
    #expect(!pump.text.contains("{"), "gpsd's own words came through; \(pump.command)")
  }

  @Test func `Only the receiver that the address names is heard`() throws {
    let rig = try GpsdRig()
    let device = try FileManager.default.destinationOfSymbolicLink(atPath: rig.receiver.link)
    for (name, isHeard) in [(device, true), ("/dev/ttyS99", false)] {
      let pump = LinePump(
        try LineAddress(rig.address + name).line(baud: 9600, gathering: 0))
      try pump.run("it opens") { $0.openings == 1 }
      let end = Date(timeIntervalSinceNow: isHeard ? 30 : 1)
      var second = 0
      try pump.run("what comes") { pump in
        rig.receiver.say(ReceiverLine.report(Date(), second))
        second += 1
        return Date() > end || !pump.bytes.isEmpty
      }
      #expect(pump.bytes.isEmpty != isHeard, "\(name); \(pump.command)")
    }
  }

  @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "{\"class\":\"ERROR\"}\r\n", "$GPGGA"])
  func `Who answers without being a gpsd is named once`(_ words: String) throws {
    let listener = try ScriptedServer { connection in
      connection.send(words)
      connection.stall()
    }
    let address = "gpsd://127.0.0.1:\(listener.port)"
    let pump = LinePump(try LineAddress(address).line(baud: 0, gathering: 0), speed: 200)
    let limit = pump.now + .seconds(40)
    try pump.run("many tries") { $0.now > limit }
    #expect(pump.events.count == 1 && pump.bytes.isEmpty, "\(pump.events)")
    let said = try #require(pump.complaints.first).description
    #expect(said.contains(address) && said.contains("is not gpsd"), "\(said)")
  }

  @Test func `Who takes the call and says nothing is named too`() throws {
    let listener = try ScriptedServer { $0.stall() }
    let line = try LineAddress("gpsd://127.0.0.1:\(listener.port)").line(baud: 0, gathering: 0)
    let pump = LinePump(line, speed: 50)
    try pump.run("a word") { !$0.complaints.isEmpty }
    #expect(pump.complaints[0].description.contains("is not gpsd"), "\(pump.complaints)")
  }

  @Test func `A gpsd cannot be sent anything`() throws {
    let rig = try GpsdRig()
    let pump = try LineContractTests.pump(rig)
    try pump.run("it opens", until: { $0.openings == 1 })
    #expect(!pump.line.send([0x24], at: pump.now) && !pump.line.wantsWrite, "\(pump.command)")
  }
}
