import Simulation
import Testing
import TrackerCore

@testable import Traces

/// Recordings that were cut, damaged, interrupted or forged.
@Suite struct BrokenTests {
  private let note = again("BrokenTests")

  static func passing(_ seed: UInt64 = 8, count: Int = 60) -> [Passing] {
    var generator = SeededGenerator(seed: seed, stream: 3)
    return RandomPassing.make(&generator, count: count)
  }

  /// All that stands above the first record.
  private var header: [UInt8] {
    Array(record([.end(0)]).bytes.dropLast(sentence("PTRKI,0,end").utf8.count))
  }

  @Test func `A recording that breaks off anywhere still has what came before`() throws {
    let passing = Self.passing(count: 40)
    let bytes = record(passing).bytes
    let all = expected(passing)
    let header = header.count
    #expect(try unplaced(MemorySource.all([bytes])) == all, note)
    var told = 0
    for end in stride(from: 0, to: bytes.count, by: 7) {
      do throws(RecordingError) {
        let read = try MemorySource.all([Array(bytes[..<end])])
        #expect(unplaced(read) == Array(all.prefix(read.count)), "cut at \(end); \(note)")
        #expect(end >= header, "cut at \(end); \(note)")
        // More of the file never says less.
        #expect(read.count >= told, "cut at \(end); \(note)")
        told = read.count
      } catch {
        // Without its header there is nothing to replay.
        #expect(error.problem == .notARecording && end < header, "\(error) at \(end); \(note)")
      }
    }
    #expect(told > all.count - 12, "\(told) of \(all.count); \(note)")
  }

  @Test func `Zeros where a file system had no time are the end, in the middle they are damage`()
    throws
  {
    let sink = record(Self.passing())
    let whole = try MemorySource.all(sink.parts)
    #expect(whole.count > 60, note)
    let zeros = [UInt8](repeating: 0, count: 5000)
    var source = MemorySource([sink.bytes + zeros])
    var count = 0
    #expect(throws: Never.self) { while try source.next() != nil { count += 1 } }
    #expect(count == whole.count && source.reader.isCut, note)
    let middle = sink.bytes.count / 2
    let torn = sink.bytes[..<middle] + zeros + [10] + sink.bytes[middle...]
    let error = #expect(throws: RecordingError.self) { try MemorySource.all([Array(torn)]) }
    #expect(error?.problem == .damaged && (error?.line ?? 0) > 50, "\(String(describing: error))")
  }

  /// How often the receiver said something.
  private static func receiverChunks(_ recorded: [Recorded]) -> Int {
    recorded.count { if case .bytes(_, .receiver) = $0.content { true } else { false } }
  }

  /// All but what the receiver said.
  private static func others(_ recorded: [Recorded]) -> [Recorded] {
    recorded.filter { if case .bytes(_, .receiver) = $0.content { false } else { true } }
  }

  @Test func `A byte that has flipped is noticed, or was in what the receiver said`() throws {
    let passing = Self.passing()
    let bytes = record(passing).bytes
    let all = expected(passing)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<250 {
      var damaged = bytes
      let index = generator.whole(in: 0...bytes.count - 1)
      damaged[index] ^= UInt8(1 << generator.whole(in: 0...7))
      var source = MemorySource([damaged])
      do throws(RecordingError) {
        var read: [Recorded] = []
        while let one = try source.next() { read.append(one) }
        // The receiver's own lines cannot be told from others; all else has a checksum.
        let hint: Comment = "flipped \(index); \(note)"
        #expect(Self.receiverChunks(read) == Self.receiverChunks(all), hint)
        #expect(Self.others(unplaced(read)) == Self.others(all), hint)
      } catch {
        #expect(!error.message.contains("\n"))
      }
      // Played as a trace, it is never refused for it.
      do throws(RecordingError) { _ = try MemorySource.all([damaged], .lenient) } catch {
        // Only a damaged first line of the header makes it no recording.
        #expect(
          error.problem == .notARecording && index < 200, "\(error), flipped \(index); \(note)")
      }
    }
  }

  @Test func `Played as a trace, a damaged line costs no more than what stood around it`() throws {
    let passing: [Passing] = (1...9).flatMap { second -> [Passing] in
      let at = Int64(second) * 1000
      return [
        .bytes(Array("$GPR".utf8), .receiver, at), .event(.deadlineReached, at + 5),
        .bytes(Array(ChunkTests.rmc.utf8).suffix(from: 4) + [], .receiver, at + 10),
        .bytes(Array(ChunkTests.gga.utf8), .receiver, at + 10),
      ]
    }
    let text = record(passing + [.end(10_000)]).text
    let lines = text.components(separatedBy: "\r\n")
    let first = try #require(lines.firstIndex { $0.hasPrefix("$PTRKI,5000") })
    for damaged in first..<first + 7 {
      var copy = lines
      copy[damaged] = String(copy[damaged].reversed())
      let bytes = Array(copy.joined(separator: "\r\n").utf8)
      let read = try unplaced(MemorySource.all([bytes], .lenient))
      let whole = expected(passing).filter { if case .bytes = $0.content { true } else { false } }
      #expect(Array(read.prefix(12)) == Array(whole.prefix(12)), "line \(damaged); \(note)")
      #expect(Array(read.suffix(9)) == Array(whole.suffix(9)), "line \(damaged); \(note)")
      #expect(read.count >= whole.count - 3, "line \(damaged); \(note)")
      #expect(read.count { !whole.contains($0) } <= 4, "line \(damaged); \(note)")
      // In between a chunk may be cut short, or have the whole line whose end it was.
      for one in read where !whole.contains(one) {
        guard case .bytes(let bytes, _) = one.content else { continue }
        let isKnown = whole.contains {
          guard $0.at == one.at, case .bytes(let all, _) = $0.content else { return false }
          return all.starts(with: bytes) || bytes.suffix(all.count) == all[...]
        }
        #expect(isKnown, "line \(damaged): \(one); \(note)")
      }
    }
  }

  @Test func `No input traps`() {
    var generator = SeededGenerator(seed: 21)
    let header = header
    let words =
      [
        "PTRKI,5,p", "PTRKI,,p,5+5", "PTRKI,9,p,99999999999", "PTRKI,9,p,3+9223372036854775807,2+1",
        "PTRKI,-9223372036854775808,p,3,2+-1", "PTRKI,9223372036854775807,p,3,4+5", "PTRKI,,",
        "PTRKI,",
        "PTRKI", "PTRKM,", "PTRKH,", "PTRKH,begin", "PTRKH,begin,9223372036854775807",
        "PTRKH,date,-5,9223372036854775807", "PTRKH,recording,1", "PTRKR,^", "PTRKR,^0", "PTRKO,",
        "PTRKO,5", "PTRKI,7,k,-1", "PTRKI,7,k,4097", "PTRKI,7,gap,-1", "PTRKI,7,m,^^", "PTRKX,1",
        "GPRMC,,V", "PTRKI,5,p,7", "PTRKI,6,due", "PTRKI,6,end,7",
      ].map { Array(sentence($0).utf8) } + [
        Array("\\s:gnss,c:999999999999999*3B\\\r\n".utf8), [0x5C, 0x0A], [0x0A], [0x24, 0x0A],
        Array("\\s:gnss,c:1767225602500*00\\\r\n".utf8), Array("$PTRKI,6,due".utf8),
      ]
    for manner in [RecordingReader.Manner.strict, .lenient] {
      for _ in 0..<1000 {
        var bytes = generator.once(in: 20) ? [] : header
        for _ in 0..<generator.whole(in: 1...6) {
          bytes += words[generator.whole(in: 0...words.count - 1)]
        }
        _ = try? MemorySource.all([bytes], manner)
      }
    }
  }

  @Test func `A line that never ends does not make a reader wait for ever`() {
    let many = String(repeating: sentence("PTRKI,6,due"), count: 5000)
    let text =
      String(decoding: header, as: UTF8.self) + sentence("PTRKI,5,p,7") + many
      + sentence("PTRKI,7,end")
    let error = #expect(throws: RecordingError.self) { try MemorySource.all([Array(text.utf8)]) }
    #expect(error?.problem == .damaged, "\(String(describing: error)); \(note)")
  }

  @Test func `A disk that is full for a while leaves a gap that says how much is missing`() throws {
    let sink = MemorySink()
    var recorder = Recorder(.bench, into: sink)
    let lines = Array(("GSV,1*00\r\n" + ChunkTests.rmc).utf8)
    // The disk is full, and free again, in the middle of a line.
    func second(_ number: Int) -> [Passing] {
      let at = Int64(number) * 1000
      return [
        .bytes(lines, .receiver, at), .effect(.note(.receiverHeard)),
        .event(.deadlineReached, at + 200), .bytes(Array("$GP".utf8), .receiver, at + 300),
      ]
    }
    let before = (1...5).flatMap(second)
    recorder.show(before)
    sink.isFull = true
    let during = (6...9).flatMap(second)
    recorder.show(during)
    #expect(recorder.lost > 0)
    sink.isFull = false
    recorder.show((10...12).flatMap(second) + [.end(13_000)])
    #expect(recorder.lost == 0)
    let read = try MemorySource.all(sink.parts)
    let gap = try #require(
      read.firstIndex { if case .gap = $0.content { true } else { false } }, "\(sink.text)")
    #expect(unplaced(Array(read[..<gap])) == Array(expected(before).prefix(gap)), note)
    // The last second was still held back when the disk was full.
    #expect(gap > before.count - 12, note)
    let lost = try #require(read[gap].content.lost)
    func arrivals(_ recorded: [Recorded]) -> Int {
      recorded.count {
        switch $0.content {
        case .bytes, .event, .settings, .end: true
        case .effect, .digest, .gap: false
        }
      }
    }
    let all = arrivals(expected(before + during + (10...12).flatMap(second))) + 1
    // The beginning of a line that could not be finished had been written.
    #expect((all - 1...all).contains(arrivals(read) + Int(lost)), "lost \(lost); \(note)")
    #expect(read.last?.content == .end, note)
  }

  @Test func `A recording that could never be begun says so when it can`() throws {
    let sink = MemorySink()
    sink.isFull = true
    var recorder = Recorder(.bench, into: sink)
    recorder.show((0..<9).map { .event(.deadlineReached, Int64($0) * 1000) })
    sink.isFull = false
    recorder.show([.event(.deadlineReached, 20_000), .end(21_000)])
    let read = try MemorySource.all(sink.parts)
    #expect(read.first?.content == .gap(lost: 9), "\(sink.text); \(note)")
  }
}

/// Recordings of several files.
@Suite struct PartTests {
  private let note = again("PartTests")

  private func parts() -> (MemorySink, [Passing]) {
    let passing = BrokenTests.passing(9, count: 400)
    let sink = MemorySink()
    sink.partBytes = 6000
    return (record(passing, into: sink), passing)
  }

  @Test func `The parts of a recording follow each other without a seam`() throws {
    let (sink, passing) = parts()
    #expect(sink.parts.count > 3)
    #expect(try unplaced(MemorySource.all(sink.parts)) == expected(passing), note)
    for (index, part) in sink.parts.enumerated() {
      let text = String(decoding: part, as: UTF8.self)
      #expect(text.hasPrefix("# trailtracker recording, part \(index + 1)\r\n"), note)
      #expect(RecordingReader.isRecording(part), note)
    }
  }

  @Test func `A part that is missing or stands in the wrong place is named`() {
    let (sink, _) = parts()
    func problem(_ parts: [[UInt8]]) -> RecordError? {
      do throws(RecordingError) {
        _ = try MemorySource.all(parts)
        return nil
      } catch { return error.problem }
    }
    #expect(problem([sink.parts[1]]) == .wrongPart(2, expected: 1))
    #expect(problem([sink.parts[0], sink.parts[2]]) == .wrongPart(3, expected: 2))
    #expect(problem([sink.parts[0], sink.parts[0]]) == .wrongPart(1, expected: 2))
    #expect(problem([sink.parts[0], Array(sink.parts[1].dropLast(4)), sink.parts[2]]) == .damaged)
    var other = RecordingHeader.bench
    other.identity.nextSequence = 99
    let foreign = MemorySink()
    var recorder = Recorder(other, into: foreign)
    recorder.show([.end(4)])
    #expect(problem([sink.parts[0], foreign.bytes]) == .otherRecording)
  }

  @Test func `Each part plays by itself on the recorded times`() throws {
    let (sink, passing) = parts()
    let whole = expected(passing).filter {
      if case .bytes(_, .receiver) = $0.content { true } else { false }
    }
    let alone = try sink.parts.flatMap { part in try MemorySource.all([part], .lenient) }
    // What stood in a line at the seam has been written as it was.
    #expect(unplaced(alone) == whole, note)
  }
}

extension Recorded.Content {
  fileprivate var lost: UInt32? { if case .gap(let lost) = self { lost } else { nil } }
}
