import Foundation
import Testing

/// The arrows between the modules: what each may import, beside the system's own modules.
@Suite struct ImportRuleTests {
  /// A module without a row here may not exist; a row without a folder is dead.
  static let allowed: [(module: String, imports: Set<String>)] = [
    ("NMEA", []),
    ("TrackerCore", ["NMEA"]),
    ("CardStore", ["TrackerCore"]),
    ("LeanUplink", ["TrackerCore"]),
    ("FirmwareHost", ["NMEA", "TrackerCore", "CardStore", "LeanUplink"]),
    ("SystemCalls", ["Glibc"]),
    ("JSONReading", []),
    ("Courses", ["TrackerCore", "JSONReading"]),
    ("Notes", ["TrackerCore", "Wording"]),
    ("History", ["TrackerCore", "Courses", "Wording"]),
    ("Uplink", ["TrackerCore", "LeanUplink", "Wording", "JSONReading", "Notes", "History"]),
    (
      "BoardSupport",
      ["TrackerCore", "SystemCalls", "Wording", "JSONReading", "Synchronization", "Glibc"]
    ),
    ("FirstSetup", ["BoardSupport", "TrackerCore", "Wording"]),
    ("Traces", ["NMEA", "TrackerCore", "Courses"]),
    (
      "Simulation",
      [
        "NMEA", "TrackerCore", "Traces", "Uplink", "CaptureStore", "SQLite", "Courier",
        "FeatureService", "ModemDialogues", "SystemCalls", "Courses", "Wording", "BoardSupport",
        "Synchronization", "CardStore", "FirmwareHost",
      ]
    ),
    ("Wording", ["TrackerCore", "JSONReading", "SystemCalls"]),
    (
      "FieldConsole",
      [
        "NMEA", "TrackerCore", "BoardSupport", "CaptureStore", "Courses", "Statistics", "Wording",
        "JSONReading", "Uplink", "Notes",
      ]
    ),
    ("Statistics", ["TrackerCore", "Courses", "Wording"]),
    (
      "Reports",
      ["TrackerCore", "Courses", "Statistics", "Wording", "JSONReading", "MapTiles", "Notes"]
    ),
    ("CCrypto", []), ("Digests", ["CCrypto"]),
    (
      "ControlRoom",
      [
        "TrackerCore", "Courses", "Statistics", "Reports", "Wording", "JSONReading", "Digests",
      ]
    ),
    ("CSQLite", []),
    ("SQLite", ["CSQLite", "Synchronization"]),
    ("SQL", ["SQLite"]),
    ("CPostgreSQL", []),
    ("PostgreSQL", ["SQL", "SystemCalls", "CPostgreSQL"]),
    ("MapTiles", ["SQLite", "Wording"]),
    (
      "CaptureStore",
      ["TrackerCore", "SQLite", "SystemCalls", "Wording", "Notes", "Synchronization"]
    ),
    ("Courier", ["TrackerCore", "Uplink", "CaptureStore", "Wording", "Notes", "History"]),
    ("ModemDialogues", ["TrackerCore", "LeanUplink", "Uplink", "Wording"]),
    ("CCurl", []),
    ("HTTPTransfer", ["TrackerCore", "Uplink", "SystemCalls", "Wording", "MQTT", "CCurl"]),
    ("CMosquitto", []),
    (
      "MQTT", ["TrackerCore", "Uplink", "SystemCalls", "Wording", "CMosquitto", "Synchronization"]
    ),
    ("CSerialPort", []),
    ("CSystemClock", []),
    ("CGPIO", []),
    ("CEdit", []),
    (
      "MachineAccess",
      [
        "NMEA", "TrackerCore", "BoardSupport", "Uplink", "CaptureStore", "SystemCalls",
        "FieldConsole", "Wording", "CSerialPort", "CardStore", "Glibc",
      ]
    ),
    (
      "LinuxHost",
      [
        "NMEA", "TrackerCore", "BoardSupport", "Traces", "Uplink", "CaptureStore", "Courier",
        "ModemDialogues", "SystemCalls", "FieldConsole", "Wording", "HTTPTransfer", "CSystemClock",
        "CGPIO", "Courses", "Notes", "History", "MachineAccess", "Synchronization", "Glibc",
      ]
    ),
    (
      "FeatureService",
      [
        "TrackerCore", "SQL", "SystemCalls", "Wording", "JSONReading", "Courses", "Notes",
        "History", "Digests",
        "Synchronization", "Glibc",
      ]
    ),
    ("CMicroHTTP", []),
    ("CPROJ", []),
    ("CZlib", []),
    (
      "Basecamp",
      [
        "TrackerCore", "FeatureService", "SystemCalls", "CMicroHTTP", "CPROJ", "CZlib", "Wording",
        "ControlRoom", "Courses", "Reports", "SQLite", "SQL", "PostgreSQL", "Digests", "MapTiles",
        "Uplink", "HTTPTransfer", "MQTT", "Notes", "History", "ModemDialogues", "JSONReading",
        "Synchronization", "Glibc",
      ]
    ),
    (
      "basecamp",
      [
        "Basecamp", "SQL", "PostgreSQL", "FeatureService", "CommandLineSupport", "SystemCalls",
        "Wording", "ControlRoom",
        "FirstSetup", "HTTPTransfer", "Uplink", "TrackerCore",
      ]
    ),
    (
      "trackerctl",
      [
        "TrackerCore", "BoardSupport", "Uplink", "CaptureStore", "Courier", "MachineAccess",
        "HTTPTransfer", "Reports",
        "FieldConsole", "Wording", "CommandLineSupport", "SystemCalls", "CEdit", "FirstSetup",
        "Statistics", "Courses", "Notes", "FirmwareHost", "Glibc",
      ]
    ),
    (
      "trackerd",
      [
        "TrackerCore", "BoardSupport", "Uplink", "CaptureStore", "Courier", "LinuxHost",
        "MachineAccess", "HTTPTransfer",
        "Traces", "ModemDialogues", "FieldConsole", "CommandLineSupport", "Courses", "Wording",
        "SystemCalls",
      ]
    ),
    ("CommandLineSupport", ["SystemCalls", "TrackerCore", "Wording", "Glibc"]),
    (
      "tracker-sim",
      [
        "NMEA", "TrackerCore", "BoardSupport", "FeatureService", "Simulation", "Reports",
        "CaptureStore", "CommandLineSupport", "SystemCalls", "Traces", "Wording", "FieldConsole",
        "Statistics", "Courses", "MapTiles", "ControlRoom", "HTTPTransfer", "Uplink", "Notes",
        "Digests", "JSONReading", "CardStore", "FirmwareHost", "MachineAccess",
      ]
    ),
  ]

  @Test(arguments: allowed.map(\.module))
  func `A module imports only what the layout allows`(_ module: String) throws {
    let allowed = try #require(Self.allowed.first { $0.module == module }).imports
    for (file, found) in try Self.files.get() where file.hasPrefix("Sources/\(module)/") {
      let forbidden = found.subtracting(allowed)
      #expect(
        forbidden.isEmpty,
        "\(file) imports \(forbidden.sorted()); repeat with: grep -n import \(file)")
    }
  }

  /// The files outside SystemCalls that call C's library themselves, and for what: a wrapper would
  /// have one user and say no more than the call.
  static let callers: [(file: String, purpose: String)] = [
    ("Sources/Basecamp/HTTP/Callbacks.swift", "texts of libmicrohttpd, which need not be UTF-8"),
    ("Sources/Basecamp/HTTP/HTTPServer.swift", "the listening socket that libmicrohttpd takes"),
    ("Sources/BoardSupport/Files/FileNode+Time.swift", "time zones"),
    ("Sources/CommandLineSupport/Interruption.swift", "a signal handler"),
    ("Sources/FeatureService/Places/SpatialReference.swift", "sine, logarithm"),
    ("Sources/LinuxHost/Daemon/MemoryTrim.swift", "madvise"),
    ("Sources/LinuxHost/Link/LinkWatch.swift", "network interfaces"),
    ("Sources/MachineAccess/Lines/SerialPort.swift", "termios, beside libserialport"),
    ("Sources/trackerctl/Console/LineInput.swift", "streams, texts and locale that libedit takes"),
    ("Sources/trackerctl/Console/TerminalDoor.swift", "termios"),
    ("Sources/trackerctl/Setup/SetupInterview.swift", "termios and a signal handler"),
    ("Sources/trackerctl/Stick.swift", "mount, and signals that are ignored for a while"),
    ("Tests/DaemonTests/GpsdDaemonTests.swift", "the number of a signal"),
    ("Tests/LinuxHostTests/LogTape.swift", "a pipe that a log writes to"),
    ("Tests/ModemEmulatorTests/PortTests.swift", "another program's end of a serial port"),
    ("Tests/ModemTerminal/PseudoTerminal.swift", "pseudo-terminals"),
    ("Tests/ProgramTests/InterruptionTests.swift", "a named pipe, and the number of a signal"),
    ("Tests/StoreHammer/Process.swift", "a process with an environment of its own"),
    ("Tests/TestSupport/ScriptedServer.swift", "a server that breaks connections"),
  ]

  @Test func `System calls go through SystemCalls, but for what one file alone needs`() throws {
    let found = try Self.files.get().filter { file, imports in
      imports.contains("Glibc") && !file.hasPrefix("Sources/SystemCalls/")
    }
    #expect(
      found.map(\.file) == Self.callers.map(\.file),
      "repeat with: grep -rl 'import Glibc' Sources Tests")
  }

  @Test func `Every module has its row, and every row its module`() throws {
    let folders = try PackageFolder.entries(of: "Sources").filter { $0 != "README.md" }
    #expect(folders == Self.allowed.map(\.module).sorted(), "repeat with: ls Sources")
  }

  @Test func `Each C module is imported by one file or folder`() throws {
    for module in try PackageFolder.entries(of: "Sources")
    where module.hasPrefix("C") && module.dropFirst().first?.isUppercase == true {
      let users = try Self.files.get().filter { file, imports in
        imports.contains(module) && file.hasPrefix("Sources/")
      }.map(\.file)
      let folders = Set(users.map { $0.split(separator: "/").dropLast().joined(separator: "/") })
      // A folder that holds nothing but the bridge: a module's top folder only where the module
      // imports nothing else but the system's locks.
      let path = folders.first?.split(separator: "/") ?? []
      let isBridge = Self.allowed.contains {
        $0.module == path.last ?? "" && $0.imports.filter { $0 != "Synchronization" } == [module]
      }
      let isOne = users.count == 1 || path.count > 2 || isBridge
      #expect(folders.count == 1 && isOne, "\(module) is imported by \(users)")
    }
  }

  @Test(arguments: [
    ("import Glibc", "Glibc"), ("public import Foundation", "Foundation"),
    ("@testable import NMEA", "NMEA"), ("import struct NMEA.Epoch", "NMEA"),
    ("  @preconcurrency import Dispatch // why", "Dispatch"),
  ])
  func `No form of import escapes the rule`(_ line: String, _ module: String) {
    #expect(Self.imports(in: "let a = 1\n\(line)\n") == [module])
  }

  @Test func `The word in a comment is not an import`() {
    #expect(Self.imports(in: "// import Glibc\n/// import NMEA\nlet imports = 1") == [])
  }

  /// Each file of the package, and what it imports.
  private static let files = Result {
    try ["Sources", "Tests"].flatMap { try PackageFolder.swiftFiles(below: $0) }.map { file in
      (file: file, imports: imports(in: try PackageFolder.text(of: file)))
    }
  }

  /// The modules that a source text imports.
  static func imports(in text: String) -> Set<String> {
    var modules: Set<String> = []
    for line in text.split(separator: "\n") {
      var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      while let word = words.first,
        word.hasPrefix("@")
          || ["public", "internal", "package", "private", "fileprivate"].contains(word)
      {
        words.removeFirst()
      }
      guard words.first == "import", words.count > 1 else { continue }
      let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
      let path = kinds.contains(String(words[1])) && words.count > 2 ? words[2] : words[1]
      modules.insert(String(path.split(separator: ".")[0]))
    }
    return modules
  }
}
