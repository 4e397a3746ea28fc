/// A command of the shell that gets a text on its standard input, such as sendmail.
public struct ShellCommand: Sendable, Equatable {
  let command: String

  public init(_ command: String) { self.command = command }

  /// Starts it, in a process group of its own.
  ///
  /// - Parameter text: longer ones than a pipe holds (pipe(7): 64 kB) are cut.
  /// - Returns: the process, which is to be reaped.
  public func start(_ text: String) throws(SystemError) -> Int32 {
    let pipe = try DescriptorPipe()
    _ = Descriptor.write(pipe.writeEnd.number, Array(text.utf8)[...])
    // The writing end is closed before it starts, so that it reads the text and then the end.
    let input = pipe.takeReadEnd()
    var spawn = Spawn(["/bin/sh", "-c", command])
    spawn.hasOwnGroup = true
    spawn.streams = [(StandardStream.input, .descriptor(input.number))]
    return try spawn.start()
  }
}
