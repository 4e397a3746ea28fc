import Foundation
import Testing
import TrackerCore

@testable import Traces

/// Events, effects and settings in the fields of records.
@Suite struct FieldTests {
  private let note = again("FieldTests")

  private func written(_ value: some FieldWritable) -> [UInt8] {
    var fields = FieldWriter()
    fields.add(value)
    return fields.bytes.kept
  }

  @Test func `Every event comes back as it was, and new settings do`() throws {
    #expect(Roster.events.count > 20)
    for event in Roster.events {
      var fields = FieldReader(written(event))
      let read = try Event(from: &fields)
      try fields.expectEnd()
      #expect(read == event, note)
    }
    for new in Roster.settings {
      var fields = FieldReader(written(new))
      let read = try NewSettings(from: &fields)
      try fields.expectEnd()
      #expect(read == new, note)
    }
  }

  @Test func `A reading of the battery alone is written as by earlier programs`() {
    let event = Event.batteryMeasured(BatteryReading(millivolts: 3987))
    #expect(String(decoding: written(event), as: UTF8.self) == "battery,3987", note)
  }

  @Test func `Reloaded settings have their names, and unknown ones are refused by name`() throws {
    let new = Roster.settings[0]
    let text = String(decoding: written(new), as: UTF8.self)
    #expect(text.contains("configuration.accuracyMetres,17,"), "\(text); \(note)")
    let spoilt: [(String, String)] = [
      (
        text.replacing("configuration.accuracyMetres,17,", with: ""), "configuration.accuracyMetres"
      ),
      (text.replacing("accuracyMetres", with: "accuracyFeet"), "configuration.accuracyMetres"),
      (text + ",configuration.more,1", "configuration.more"),
    ]
    for (text, name) in spoilt {
      #expect(throws: RecordError.otherSettings(name), "\(text); \(note)") {
        var fields = FieldReader(Array(text.utf8))
        _ = try NewSettings(from: &fields)
      }
    }
    // Older recordings: the values alone, and the team behind them.
    let start = try #require(text.range(of: "configuration."))
    let settings = text[start.lowerBound...]
    let values = settings.split(separator: ",", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("configuration.") }
    var fields = FieldWriter()
    fields.add(new.team)
    let old =
      "configuration," + values.joined(separator: ",") + ","
      + String(decoding: fields.bytes.kept, as: UTF8.self)
    var reader = FieldReader(Array(old.utf8))
    #expect(try NewSettings(from: &reader) == new, note)
    try reader.expectEnd()
  }

  @Test func `Effects that differ have fields that differ`() {
    let effects = Roster.effects
    #expect(effects.count > 20)
    for (index, one) in effects.enumerated() {
      for other in effects[..<index] {
        #expect((written(one) == written(other)) == (one == other), "\(one), \(other); \(note)")
      }
    }
  }

  @Test func `An upload without a silence is written as by earlier programs`() {
    var request = UploadRequest(
      id: RequestID(2), selection: .oldest(limit: 9), nextContactBy: UTC(milliseconds: 5))
    #expect(String(decoding: written(request), as: UTF8.self) == "2,oldest,9,5", note)
    request.silence = .stoppedByPerson
    let fields = String(decoding: written(request), as: UTF8.self)
    #expect(fields == "2,oldest,9,5,stoppedByPerson", note)
  }

  @Test func `Memories that differ have fields that differ`() {
    let memories = [Memory(), Roster.memory, Roster.stopped]
    let all = memories.map { memory in
      var writer = FieldWriter()
      writer.remember(memory)
      return writer.bytes.kept
    }
    #expect(Set(all).count == memories.count && !Roster.effects.map(written).contains(all[0]), note)
  }

  @Test func `A memory that an earlier program recorded has nothing of what was learned`() throws {
    let fields = written(Roster.memory).split(
      separator: .comma, omittingEmptySubsequences: false)
    var reader = FieldReader(Array(fields.dropLast(15).joined(separator: [.comma])))
    let memory = try Memory(from: &reader)
    try reader.expectEnd()
    var expected = Roster.memory
    expected.charge = ChargeRecord(
      charge: 463_210, deviation: 31_000, drain: 1_400_000, drainDeviation: 90_000,
      at: Moment(at: .start + .minutes(2), utc: nil))
    expected.sleep?.spent = 0
    expected.sleep?.planned = 0
    expected.emergency = nil
    #expect(memory == expected, note)
  }

  @Test func `A capture has a field for each of its properties`() {
    let properties = Mirror(reflecting: Roster.capture).children.count
    // A position is two numbers, and a mark three; a capture without one ends before it.
    var marked = Roster.capture
    marked.mark = CourseMark(doneMetres: 38_600, toGoMetres: 62_800, place: 3)
    let fields = written(marked).count { $0 == .comma } + 1
    #expect(fields == properties + 3, note)
    #expect(String(decoding: written(marked), as: UTF8.self).hasSuffix(",38600,62800,3"), note)
    let bytes = String(decoding: written(Roster.capture), as: UTF8.self)
    #expect(
      bytes == "11,1776499242000,1,-421234567,23456789,-1204,1250,90500,7,9,83,3912,heartbeat,"
        + "Els Fal^C2^B7lers")
  }

  @Test func `A field holds whatever a text may`() throws {
    for byte in UInt8.min...UInt8.max {
      let text = [byte, 0x41, byte]
      var writer = FieldWriter()
      writer.text(text.span)
      writer.number(7)
      #expect(writer.bytes.kept.allSatisfy { $0.isPrintable }, note)
      #expect(writer.bytes.kept.count { $0 == .comma } == 1, note)
      #expect(!writer.bytes.kept.contains(.star) && !writer.bytes.kept.contains(.dollar), note)
      var reader = FieldReader(writer.bytes.kept)
      let read = try reader.text()
      let seven: Int = try reader.number()
      #expect(read == text && seven == 7, note)
    }
  }

  static let bad: [(String, RecordError)] = [
    ("", .field(.unknownWord(""))), ("dues", .field(.unknownWord("dues"))),
    ("battery", .field(.missing)), ("battery,", .field(.notANumber)),
    ("battery,4.2", .field(.notANumber)), ("battery,99999999999", .field(.notANumber)),
    ("battery,3987,310", .field(.missing)), ("battery,3987,,256", .field(.notANumber)),
    ("stored,-1,0,0", .field(.notANumber)), ("stored,1,0", .field(.missing)),
    ("link,2", .field(.notANumber)), ("pin,modemStatus", .field(.missing)),
    ("pin,other,1", .field(.unknownWord("other"))),
    ("command,setTeam,^4", .field(.badEscape)), ("command,setTeam,^4G", .field(.badEscape)),
    ("command,stop", .field(.missing)), ("command,stop,moon", .field(.unknownWord("moon"))),
    ("uploaded,1,2,3,busy,503", .field(.missing)),
    ("uploaded,1,2,3,bust", .field(.unknownWord("bust"))),
  ]

  @Test(arguments: bad.indices)
  func `What is not a record is recognised`(_ index: Int) {
    let (text, problem) = Self.bad[index]
    var fields = FieldReader(Array(text.utf8))
    #expect(throws: problem, "\(text); \(note)") { try Event(from: &fields) }
  }
}

/// The header makes the same tracker again, on any day and on any machine.
@Suite struct SettingsTests {
  private let note = again("SettingsTests")

  private func reread(_ beginning: RecordingHeader) throws -> RecordingHeader {
    let sink = MemorySink()
    var recorder = Recorder(beginning, into: sink)
    recorder.show([.end(5000)])
    var source = MemorySource(sink.parts)
    while try source.next() != nil {}
    return try #require(source.reader.beginning, "\(sink.text)")
  }

  @Test func `A tracker is made again from the header alone`() throws {
    var beginning = RecordingHeader.bench
    beginning.utc = UTC(milliseconds: 1_776_499_242_000)
    beginning.instant = Instant(milliseconds: 1234)
    let read = try reread(beginning)
    #expect(read == beginning, note)
    #expect(read.tracker == beginning.tracker, note)
  }

  @Test func `Every policy and every regulator is kept`() throws {
    let policies: [CapturePolicy] = [
      .standard(interval: 1, minimumDistanceMetres: 2, heartbeat: 3), .significant, .proximity,
      .route(everyMetres: 4), .adaptive(interval: 5),
    ]
    for policy in policies {
      for regulator in [Regulator.linear, .switching(efficiencyPercent: 85)] {
        var beginning = RecordingHeader.bench
        beginning.configuration.capture = policy
        beginning.configuration.betweenUploads = .attached
        beginning.configuration.receiverUse = .dutyCycle
        beginning.configuration.startsBySelf = false
        beginning.board.battery.regulator = regulator
        #expect(try reread(beginning) == beginning, note)
      }
    }
  }

  @Test func `What is remembered and the finish are kept`() throws {
    var (chargeOnly, sleepOnly, courseOnly) = (Memory(), Memory(), Memory())
    chargeOnly.charge = Roster.memory.charge
    sleepOnly.sleep = Roster.sleep
    courseOnly.course = Roster.course
    for memory in [
      Memory(), Roster.memory, Roster.stopped, chargeOnly, sleepOnly, courseOnly,
    ] {
      for finish in [nil, Finish.at(UTC(milliseconds: 7)), .after(.hours(3))] {
        var beginning = RecordingHeader.bench
        beginning.identity.memory = memory
        beginning.configuration.finish = finish
        beginning.configuration.endAfterFinish = finish == nil ? nil : .hours(1)
        #expect(try reread(beginning) == beginning, note)
      }
    }
  }

  @Test func `No property of board, configuration or identity is forgotten`() {
    var bench = RecordingHeader.bench
    // What has its usual value is left out.
    bench.configuration.sleep = .halt
    bench.configuration.emergencyInterval = .minutes(2)
    bench.configuration.fetchesMessages = true
    bench.configuration.remoteLimit = .minutes(20)
    bench.board.hasEmergencyButton = true
    bench.identity.hasLeftModem = true
    bench.board.halting = Halting(
      microamps: 1, wakeTime: 2, wakeMicroamps: 3, stopTime: 4, keepsReceiver: true,
      keepsModem: false)
    let lines = String(decoding: SettingsWriter.records(of: bench), as: UTF8.self)
    let names = Set(
      lines.replacingSplitSentences.split(separator: "\r\n").compactMap {
        $0.dropFirst("$PTRKH,".count).split(whereSeparator: { $0 == "," || $0 == "*" }).first
      }.map(String.init))
    var properties: Set<String> = []
    collect("board", Mirror(reflecting: bench.board), names, into: &properties)
    collect(
      "configuration", Mirror(reflecting: bench.configuration), names,
      into: &properties)
    collect(
      "identity", Mirror(reflecting: bench.identity), names, into: &properties)
    #expect(
      names == properties,
      "add to SettingsWalk: \(properties.subtracting(names).sorted()); \(note)")
  }

  /// The paths of all properties, into those groups that the names go into.
  private func collect(
    _ path: String, _ mirror: Mirror, _ names: Set<String>, into properties: inout Set<String>
  ) {
    for child in mirror.children {
      let name = path + "." + (child.label ?? "?")
      if names.contains(where: { $0.hasPrefix(name + ".") }) {
        collect(name, Mirror(reflecting: child.value), names, into: &properties)
      } else {
        properties.insert(name)
      }
    }
  }

  @Test func `A header that lacks a setting or has another is refused`() throws {
    let text = record([.end(0)]).text
    func problem(_ text: String) -> RecordError? {
      do throws(RecordingError) {
        _ = try MemorySource.all([Array(text.utf8)])
        return nil
      } catch { return error.problem }
    }
    let setting = try #require(
      text.components(separatedBy: "\r\n").first { $0.contains("identity.pending") })
    #expect(problem(text) == nil)
    #expect(
      problem(text.replacing(setting + "\r\n", with: "")) == .settingMissing("identity.pending"))
    let other = "$" + checked("PTRKH,identity.colour,3")
    #expect(
      problem(text.replacing(setting, with: setting + "\r\n" + other))
        == .unknownSetting("identity.colour"))
    // Added later: earlier programs did not take the modem's supply for the battery's.
    let added = try #require(
      text.components(separatedBy: "\r\n").first { $0.contains("battery.isMeasuredByModem") })
    #expect(problem(text.replacing(added + "\r\n", with: "")) == nil, note)
    let bad = "$" + checked("PTRKH,identity.pending,many")
    #expect(problem(text.replacing(setting, with: bad)) == .badSetting("identity.pending"))
    let newer = try #require(
      text.components(separatedBy: "\r\n").first { $0.contains("recording,1") })
    let label = "$" + checked("PTRKH,recording,2,1,0,trackerd 9")
    #expect(problem(text.replacing(newer, with: label)) == .otherFormat(program: "trackerd 9"))
  }
}

extension String {
  /// Records that go on in a second sentence, put together.
  fileprivate var replacingSplitSentences: String {
    var text = self
    while let more = text.range(of: "$PTRKM,") {
      guard let star = text[more.upperBound...].firstIndex(of: "*"),
        let next = text[star...].firstIndex(of: ",")
      else { return text }
      text.replaceSubrange(star...next, with: "")
      text.replaceSubrange(more, with: "$PTRKH,")
    }
    return text
  }
}
