import Glibc

/// Holds back the signals that would end the program, so that it can first undo what it has begun.
/// One that has come meanwhile ends the program when this goes.
struct HeldSignals: ~Copyable {
  private var before = sigset_t()
  private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  init() {
    var set = sigset_t()
    sigemptyset(&set)
    for ending in Self.endings { sigaddset(&set, ending) }
    pthread_sigmask(SIG_BLOCK, &set, &before)
  }

  /// Whether one has come. Those that are ignored (`nohup`) never do.
  var isPending: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return Self.endings.contains { sigismember(&pending, $0) == 1 }
  }

  deinit {
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
