import Foundation
import Testing

@testable import CommandLineSupport
@testable import Simulation
@testable import tracker_sim

/// The traces of the repository, for tests.
struct TraceFile: CustomTestStringConvertible, Sendable {
  let name: String

  /// By name, so that a trace that is missing is noticed.
  static let all = [
    "race", "cold-start", "urban-canyon", "tunnel", "week-rollover", "rest-40min", "garbage",
  ].map(TraceFile.init)

  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("traces")

  var testDescription: String { "\(name).nmea" }

  func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: Self.folder.appendingPathComponent("\(name).nmea")))
  }

  /// The command in the header, without CR.
  func command() throws -> String {
    for line in try bytes().split(separator: 10).prefix(while: { $0.first == UInt8(ascii: "#") }) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(ProvenanceHeader.commandKey) {
        return text.dropFirst(ProvenanceHeader.commandKey.count)
          .trimmingCharacters(in: .whitespaces.union(.controlCharacters))
      }
    }
    return ""
  }
}

/// What `tracker-sim synth` reads in its command line.
func readSynth(_ words: String) throws -> Synth {
  let request = try Program.table.request(shellWords(words), for: Program.synth)
  guard case .run(let arguments) = request else { throw UsageError("no run") }
  return try Synth(arguments)
}

/// The words of a line that was written with `ShellWords.quoted`.
private func shellWords(_ line: some StringProtocol) -> [String] {
  var words: [String] = []
  var word: String?
  var isQuoted = false
  var isEscaped = false
  for character in line {
    if isEscaped {
      word = (word ?? "") + String(character)
      isEscaped = false
    } else if character == "'" {
      isQuoted.toggle()
      word = word ?? ""
    } else if isQuoted {
      word?.append(character)
    } else if character == "\\" {
      isEscaped = true
    } else if character == " " {
      if let done = word { words.append(done) }
      word = nil
    } else {
      word = (word ?? "") + String(character)
    }
  }
  if let done = word { words.append(done) }
  return words
}

/// The whole trace that a command line makes, as `tracker-sim synth` with these words would.
func synthesized(_ words: String) throws -> [UInt8] {
  let synth = try readSynth(words)
  var trace = try Synthesizer(
    options: synth.options, course: .olotToTheSea, command: synth.command)
  var bytes: [UInt8] = []
  while let chunk = trace.nextChunk() { bytes += chunk }
  return bytes
}

/// The sentences of a trace as text, each split at its commas, the checksum left out.
func fields(_ bytes: [UInt8]) -> [[String]] {
  bytes.split(separator: 10).filter { $0.first == UInt8(ascii: "$") }.map { line in
    let body = line.prefix(while: { $0 != UInt8(ascii: "*") })
    return body.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Lines that are neither comments nor whole sentences with a right checksum and CR LF.
func damagedLines(_ bytes: [UInt8]) -> Int {
  var damaged = 0
  for line in bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
    if line.first == UInt8(ascii: "#") { continue }
    let body = line.dropFirst().prefix(while: { $0 != UInt8(ascii: "*") })
    let sum = body.reduce(0, ^)
    let ending = "*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r"
    let isWhole =
      line.first == UInt8(ascii: "$") && line.dropFirst(body.count + 1).elementsEqual(ending.utf8)
    if !isWhole { damaged += 1 }
  }
  return damaged
}
