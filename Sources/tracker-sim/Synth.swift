import CommandLineSupport
import Simulation

/// `tracker-sim synth`: writes a made-up trace.
///
/// - Returns: the exit code.
func synth(_ words: [String]) -> Int32 {
  complaining(command: "tracker-sim synth") {
    let arguments = try SynthArguments(words)
    if arguments.wantsHelp {
      let output = try OutputFile(path: nil)
      try output.write(Array(SynthHelp.text.utf8))
      return 0
    }
    let course = try course(at: arguments.options.courseFile)
    var trace = try Synthesizer(
      options: arguments.options, course: course, command: arguments.command)
    let output = try OutputFile(path: arguments.output)
    while let chunk = trace.nextChunk() { try output.write(chunk) }
    try output.finish()
    return 0
  }
}

private func course(at path: String?) throws -> Course {
  guard let path else { return .olotToTheSea }
  return try Course(file: try InputFile.bytes(of: path, atMost: 64 << 20), path: path)
}
