import Foundation
import ModemTerminal
import Simulation
import TestSupport
import Testing

/// A link whose address is there before the addresses of the DNS servers.
@Suite(.serialized, .blocking) struct FreshNameTests {
  /// In place of the C library's own: it knows the server once there is a file.
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <netdb.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                    struct addrinfo **found) {
      int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
          dlsym(RTLD_NEXT, "getaddrinfo");
      if (!node || strcmp(node, "camp")) return real(node, service, hints, found);
      if (access(getenv("RESOLVER_READY"), F_OK)) return EAI_AGAIN;
      return real("127.0.0.1", service, hints, found);
    }

    """

  @Test(.enabled(if: SharedLibrary.isPossible, "it takes a C compiler to make a resolver"))
  func `A name that is not found on a fresh link is looked up again a second later`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("name-camp-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let camp = try CampServer(folder: folder)
    let modem = try ModemTerminal(try ModemScript(named: "sim7600"))
    defer { modem.stop() }
    let run = try DaemonRun()
    run.settings["modemPort"] = "'\(modem.path)'"
    run.settings["bearer"] = "'interface'"
    // The loopback interface is up before the command has done its work.
    run.settings["network"] =
      "{ interface: 'lo', up: ['sh', '-c', 'sleep 2; touch \(run.path("ready"))'] }"
    run.server = "http://camp:\(camp.port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
    run.environment = [
      "LD_PRELOAD": try SharedLibrary.make(Self.source, "resolver", in: run),
      "RESOLVER_READY": run.path("ready"),
    ]
    run.line.walk(speed: 1)
    try run.startAndWait()
    try run.wait("outcome=\"answered", seconds: 60)
    #expect(!run.logText.contains("request failed"), "\(run.command)\n\(run.logText)")
    #expect(try !camp.identifiers().isEmpty, "\(run.command)")
  }
}
