import Glibc

/// A program whose output is read.
struct Process {
  private let identifier: pid_t
  private let output: Int32

  /// - Parameter settings: its environment, `NAME=value`.
  init?(_ program: String, _ arguments: [String], _ settings: [String]) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var environment = settings.map { strdup($0) } + [nil]
    defer { for word in words + environment { free(word) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, program, &actions, nil, &words, &environment)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      return nil
    }
    self.identifier = identifier
    output = ends[0]
  }

  /// Returns when it has written something, or has ended.
  func awaitOutput() {
    var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    poll(&wanted, 1, -1)
  }

  func kill(afterMicroseconds delay: UInt32) {
    usleep(delay)
    Glibc.kill(identifier, SIGKILL)
  }

  /// The whole lines that it writes until its end.
  func remainingLines() -> [String] {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(output, &chunk, chunk.count)
      if count <= 0 { break }
      text += chunk[..<count]
    }
    close(output)
    var status: Int32 = 0
    waitpid(identifier, &status, 0)
    let whole = text.lastIndex(of: 10).map { text[..<$0] } ?? []
    return whole.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
  }
}
