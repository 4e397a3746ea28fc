import FeatureService
import Testing
import TrackerCore
import Uplink

@testable import Simulation

/// A run with servers of different kinds, all of them spoken to in bytes.
@Suite struct ServiceModelTests {
  static let again: Comment = "repeat with: swift test --filter ServiceModelTests"

  /// A capture each two minutes for an hour and a quarter, each sent at once.
  static func race(_ service: ServiceModel = ServiceModel()) -> Race {
    var race = Race()
    race.configuration.capture = .standard(
      interval: .minutes(2), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    race.configuration.transmitInterval = .minutes(2)
    race.configuration.reconnectFloor = 0
    race.scenario.service = service
    return race
  }

  static func services() -> [ServiceModel] {
    var services: [ServiceModel] = []
    for takesGlobalIDs in [true, false] {
      for keepsPartOfRequest in [true, false] {
        var service = ServiceModel()
        service.takesGlobalIDs = takesGlobalIDs
        service.keepsPartOfRequest = keepsPartOfRequest
        services.append(service)
      }
    }
    return services
  }

  @Test(arguments: services())
  func `Every kind of layer gets each capture once, and the bad one is set aside`(
    _ service: ServiceModel
  ) throws {
    var race = Self.race(service)
    race.scenario.badCaptures = [9]
    race.scenario.server = [
      Window(
        from: .minutes(20), to: .minutes(50),
        content: Fault(.loseAcknowledgement, .every(2)))
    ]
    let result = try race.run()
    let taken = result.sequences.count
    #expect(taken > 20 && result.ending == .finished && result.pending == 0, Self.again)
    #expect(result.setAside == 1 && result.rows.count == taken - 1, Self.again)
    #expect(result.duplicates == 0 && Int(result.acknowledged) == taken - 1, Self.again)
    #expect(result.captures.filter { $0.state == .setAside }.map(\.code) == [1016], Self.again)
  }

  @Test func `A server that answers with a status only has each capture once, and not the bad one`()
    throws
  {
    var service = ServiceModel()
    service.kind = .osmAnd
    var race = Self.race(service)
    race.scenario.badCaptures = [9]
    race.scenario.server = [
      Window(from: .minutes(10), to: .minutes(20), content: Fault(.http(status: 500))),
      Window(from: .minutes(20), to: .minutes(50), content: Fault(.loseAcknowledgement, .every(2))),
      Window(from: .minutes(50), to: .minutes(55), content: Fault(.unauthorised)),
    ]
    let result = try race.run()
    let taken = result.sequences.count
    #expect(taken > 20 && result.ending == .finished && result.pending == 0, Self.again)
    #expect(result.setAside == 1 && result.rows.count == taken - 1, Self.again)
    #expect(result.duplicates == 0 && Int(result.acknowledged) == taken - 1, Self.again)
    #expect(result.captures.filter { $0.state == .setAside }.map(\.code) == [400], Self.again)
    #expect(result.tally.silences.contains { $0.reason == .unauthorised }, Self.again)
  }

  @Test func `The layer is described once, and each capture takes one request more`() throws {
    let result = try Self.race().run()
    #expect(Int(result.requests) == result.sequences.count + 1, Self.again)
  }

  @Test func `A token is asked for when it is needed, and renewed before its end`() throws {
    var service = ServiceModel()
    service.tokenLife = .minutes(20)
    let without = try Self.race().run()
    let with = try Self.race(service).run()
    // Renewed five minutes before the end of twenty: after 15, on a walk of some 70 minutes.
    let tokens = Int(with.requests) - Int(without.requests)
    #expect(tokens >= 4 && tokens <= 6, "\(tokens) tokens; \(Self.again)")
    #expect(with.ending == .finished && with.rows.count == with.sequences.count, Self.again)
    #expect(!with.tally.silences.contains { $0.reason == .unauthorised }, Self.again)
  }

  @Test func `A token that the server forgets is replaced within the upload`() throws {
    var service = ServiceModel()
    service.tokenLife = .hours(10)
    var race = Self.race(service)
    race.scenario.server = [
      Window(
        from: .minutes(30), to: .minutes(50), content: Fault(.unauthorised, .every(4)))
    ]
    let result = try race.run()
    #expect(result.ending == .finished && result.pending == 0, Self.again)
    #expect(result.tally.failed == 0, Self.again)
    // Layer and first token; and for each that was forgotten a refusal and another token.
    let more = Int(result.requests) - result.sequences.count - 2
    #expect(more >= 4 && more % 2 == 0, "\(more); \(Self.again)")
  }

  @Test func `A captive portal's page is no server, and nothing counts as delivered`() throws {
    var race = Self.race()
    race.scenario.server = [
      Window(from: 0, to: .minutes(30), content: Fault(.portal))
    ]
    let result = try race.run()
    #expect(result.longestLatency > .minutes(25), Self.again)
    #expect(result.rows.count == result.sequences.count && result.duplicates == 0, Self.again)
  }

  @Test func `A slow network costs time by the byte, and not one byte more`() throws {
    let usual = try Self.race().run()
    var race = Self.race()
    race.scenario.network.bytesPerSecond = 2000
    race.scenario.network.latency = .seconds(2)
    let slow = try race.run()
    // Connection and request: three round trips and some 4 KB instead of 3 and some 4 KB.
    let more = slow.longestLatency - usual.longestLatency
    #expect(more > .seconds(4) && more < .seconds(10), "\(more); \(Self.again)")
    #expect(slow.bytesSent == usual.bytesSent, Self.again)
  }

  /// What cannot be sent within the client's patience has not arrived.
  @Test func `A request that the network cannot carry in time is given up, and harms nothing`()
    throws
  {
    var race = Self.race()
    race.scenario.network.bytesPerSecond = 20
    let result = try race.run()
    #expect(result.ending == .stillPending && result.acknowledged == 0, Self.again)
    #expect(result.rows.isEmpty && Int(result.pending) == result.sequences.count, Self.again)
  }
}
