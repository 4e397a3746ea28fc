import Foundation
import TestSupport
import Testing

/// A resolver that answers nobody, as without a way to any DNS server, holds nothing else up.
@Suite(.serialized, .blocking) struct ResolverTests {
  /// In place of the C library's own: it leaves a mark, and never returns.
  private static let source = """
    #include <fcntl.h>
    #include <netdb.h>
    #include <stdlib.h>
    #include <unistd.h>
    int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                    struct addrinfo **found) {
      close(open(getenv("RESOLVER_ASKED"), O_CREAT | O_WRONLY, 0600));
      for (;;) pause();
    }

    """

  @Test(.enabled(if: SharedLibrary.isPossible, "it takes a C compiler to make one"))
  func `While a name is being resolved it captures, reloads its settings and ends when told`()
    throws
  {
    let run = try DaemonRun(["--speed", "20"])
    run.settings["bearer"] = "'none'"
    run.server = "http://camp.invalid/rest/services/Walk/FeatureServer/0"
    run.environment = [
      "LD_PRELOAD": try SharedLibrary.make(Self.source, "resolver", in: run),
      "RESOLVER_ASKED": run.path("asked"),
    ]
    run.line.walk(speed: 20)
    try run.startAndWait()
    try eventually("a name to be asked for; \(run.command)") {
      FileManager.default.fileExists(atPath: run.path("asked"))
    }
    // The request ends, and the client with it.
    run.signal(SIGHUP)
    try run.wait("configuration reloaded")
    try run.wait("captured sequence=", times: run.announced.count + 2)
    run.signal(SIGTERM)
    try run.waitUntilExit()
    #expect(run.code == 0, "\(run.command)\n\(run.logText)")
  }
}
