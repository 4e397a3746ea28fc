import Glibc

/// Writes one line to standard error: what, where, what to do.
func complain(_ message: String) {
  var line = "tracker-sim: \(message)\n"
  line.withUTF8 { bytes in
    // Nothing is left to do when standard error is gone too.
    _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}
