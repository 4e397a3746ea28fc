import Glibc

/// One line on standard error.
func printError(_ line: String) {
  var bytes = Array(line.utf8)
  bytes.append(10)
  // Nowhere is left to complain that standard error is closed.
  _ = write(2, bytes, bytes.count)
}
