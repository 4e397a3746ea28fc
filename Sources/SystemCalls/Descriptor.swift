internal import Glibc

/// An open file, pipe or socket. Closed with its owner.
public struct Descriptor: ~Copyable, Sendable {
  /// For `poll` and other calls. It must not be closed.
  public let number: Int32

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) { self.number = number }

  deinit { close(number) }
}

/// A non-blocking pipe with close-on-exec.
public struct DescriptorPipe: ~Copyable, Sendable {
  public let readEnd: Descriptor
  public let writeEnd: Descriptor

  public init() throws(SystemError) {
    var numbers: [Int32] = [-1, -1]
    guard pipe(&numbers) == 0 else { throw .last }
    readEnd = Descriptor(owning: numbers[0])
    writeEnd = Descriptor(owning: numbers[1])
    // pipe2 would do this in one call, but Swift's Glibc does not import it. No other thread starts
    // programs in between.
    for number in numbers {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      _ = fcntl(number, F_SETFL, O_NONBLOCK)
    }
  }
}
