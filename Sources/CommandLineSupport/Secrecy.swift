import Glibc

/// Keeps what this program knows of passwords and keys from being written by others than itself.
/// To be called before any of it is read.
public func guardSecrets() {
  // A dump would hold them.
  var limit = rlimit(rlim_cur: 0, rlim_max: 0)
  setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  // A core_pattern that is a pipe knows no limit; then the dump holds no memory (core(5)).
  let filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
  if filter >= 0 {
    _ = write(filter, "0", 1)
    close(filter)
  }
  // Libraries for TLS write the keys of their connections to the file that it names.
  unsetenv("SSLKEYLOGFILE")
}
