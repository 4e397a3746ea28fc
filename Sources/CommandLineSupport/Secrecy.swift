import Glibc

/// Prevents this program's passwords and keys from being written to core dumps or TLS key logs.
/// Call it before reading any of them.
public func guardSecrets() {
  // A core dump would contain them.
  var limit = rlimit(rlim_cur: 0, rlim_max: 0)
  setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  // The limit does not apply if core_pattern is a pipe; then exclude all memory from the dump
  // (core(5)).
  let filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
  if filter >= 0 {
    _ = write(filter, "0", 1)
    close(filter)
  }
  // TLS libraries write the keys of connections to the file that it names.
  unsetenv("SSLKEYLOGFILE")
}
