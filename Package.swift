// swift-tools-version: 6.2
import PackageDescription

/// Every target: Swift 6 language mode, a warning stops the build.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]

/// Most of what tests wait for is computed here: without the optimiser they take twice as long.
/// Assertions stay.
let fast: [SwiftSetting] = [
  .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

/// What is generic over its host is compiled anew for each host: 5 % less work in a simulated race.
/// Programs are 6 % larger by that; `.ci/package` makes small ones.
#if SMALL
  let specialised: [SwiftSetting] = []
#else
  let specialised: [SwiftSetting] = [
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))
  ]
#endif

/// The core compiles for bare metal too: what Embedded Swift lacks is an error on the host already.
#if compiler(>=6.3)
  let core: [SwiftSetting] =
    strict + fast + specialised + [.treatWarning("EmbeddedRestrictions", as: .error)]
#else
  let core = strict + fast + specialised  // Swift 6.2 does not have these warnings.
#endif

let package = Package(
  name: "trailtracker",
  products: [
    .executable(name: "trackerd", targets: ["trackerd"]),
    .executable(name: "tracker-sim", targets: ["tracker-sim"]),
    .executable(name: "trackerctl", targets: ["trackerctl"]),
    .executable(name: "basecamp", targets: ["basecamp"]),
  ],
  targets: [
    .target(name: "NMEA", swiftSettings: core),
    .target(name: "SystemCalls", swiftSettings: strict),
    .target(name: "JSONReading", swiftSettings: strict + fast),
    .target(name: "TrackerCore", dependencies: ["NMEA"], swiftSettings: core),
    .target(name: "CardStore", dependencies: ["TrackerCore"], swiftSettings: core),
    .target(name: "LeanUplink", dependencies: ["TrackerCore"], swiftSettings: core),
    .target(
      name: "FirmwareHost", dependencies: ["NMEA", "TrackerCore", "CardStore", "LeanUplink"],
      swiftSettings: core),
    .target(
      name: "Courses", dependencies: ["TrackerCore", "JSONReading"], swiftSettings: strict + fast),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CSerialPort", pkgConfig: "libserialport",
      providers: [.apt(["libserialport-dev"])]),
    .systemLibrary(name: "CGPIO", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),
    .systemLibrary(name: "CSystemClock"),
    .systemLibrary(name: "CEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(
      name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .target(
      name: "MQTT",
      dependencies: ["TrackerCore", "Uplink", "SystemCalls", "Wording", "CMosquitto"],
      swiftSettings: strict),
    .target(
      name: "HTTPTransfer",
      dependencies: ["TrackerCore", "Uplink", "SystemCalls", "Wording", "MQTT", "CCurl"],
      swiftSettings: strict),
    .target(
      name: "MachineAccess",
      dependencies: [
        "NMEA", "TrackerCore", "BoardSupport", "Uplink", "CaptureStore", "SystemCalls",
        "FieldConsole", "Wording", "CSerialPort", "CardStore",
      ],
      swiftSettings: strict),
    .target(
      name: "LinuxHost",
      dependencies: [
        "NMEA", "TrackerCore", "BoardSupport", "Traces", "Uplink", "CaptureStore", "Courier",
        "ModemDialogues", "SystemCalls", "FieldConsole", "Wording", "HTTPTransfer", "CSystemClock",
        "CGPIO", "Courses", "Notes", "History", "MachineAccess",
      ],
      swiftSettings: strict),
    .target(
      name: "Uplink",
      dependencies: ["TrackerCore", "LeanUplink", "Wording", "JSONReading", "Notes", "History"],
      swiftSettings: strict + fast),
    .target(
      name: "ModemDialogues", dependencies: ["TrackerCore", "LeanUplink", "Uplink", "Wording"],
      swiftSettings: strict + fast),
    .target(
      name: "BoardSupport",
      dependencies: ["TrackerCore", "SystemCalls", "Wording", "JSONReading"],
      swiftSettings: strict),
    .target(
      name: "FirstSetup", dependencies: ["BoardSupport", "TrackerCore", "Wording"],
      swiftSettings: strict),
    .target(
      name: "Traces", dependencies: ["NMEA", "TrackerCore", "Courses"], swiftSettings: strict + fast
    ),
    .target(
      name: "Simulation",
      dependencies: [
        "NMEA", "TrackerCore", "Traces", "Uplink", "CaptureStore", "SQLite", "Courier",
        "FeatureService", "ModemDialogues", "SystemCalls", "Courses", "Wording", "BoardSupport",
        "CardStore", "FirmwareHost",
      ],
      swiftSettings: strict + fast),
    .target(
      name: "Wording", dependencies: ["TrackerCore", "JSONReading", "SystemCalls"],
      swiftSettings: strict + fast),
    .target(
      name: "FieldConsole",
      dependencies: [
        "NMEA", "TrackerCore", "BoardSupport", "CaptureStore", "Courses", "Statistics", "Wording",
        "JSONReading", "Uplink", "Notes",
      ],
      swiftSettings: strict + fast),
    .target(
      name: "Statistics", dependencies: ["TrackerCore", "Courses", "Wording"],
      swiftSettings: strict + fast),
    .target(
      name: "Reports",
      dependencies: [
        "TrackerCore", "Courses", "Statistics", "Wording", "JSONReading", "MapTiles", "Notes",
      ],
      swiftSettings: strict),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Digests", dependencies: ["CCrypto"], swiftSettings: strict),
    .target(
      name: "ControlRoom",
      dependencies: [
        "TrackerCore", "Courses", "Statistics", "Reports", "Wording", "JSONReading", "Digests",
      ], swiftSettings: strict + fast),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict + fast),
    .target(name: "SQL", dependencies: ["SQLite"], swiftSettings: strict + fast),
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "PostgreSQL", dependencies: ["SQL", "SystemCalls", "CPostgreSQL"],
      swiftSettings: strict + fast),
    .target(name: "Notes", dependencies: ["TrackerCore", "Wording"], swiftSettings: strict + fast),
    .target(
      name: "History", dependencies: ["TrackerCore", "Courses", "Wording"],
      swiftSettings: strict + fast),
    .target(name: "MapTiles", dependencies: ["SQLite", "Wording"], swiftSettings: strict),
    .target(
      name: "CaptureStore",
      dependencies: ["TrackerCore", "SQLite", "SystemCalls", "Wording", "Notes"],
      swiftSettings: strict + fast),
    .target(
      name: "Courier",
      dependencies: ["TrackerCore", "Uplink", "CaptureStore", "Wording", "Notes", "History"],
      swiftSettings: strict + fast),
    .systemLibrary(
      name: "CMicroHTTP", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "FeatureService",
      dependencies: [
        "TrackerCore", "SQL", "SystemCalls", "Wording", "JSONReading", "Courses", "Notes",
        "History", "Digests",
      ], swiftSettings: strict + fast),
    .systemLibrary(name: "CPROJ", pkgConfig: "proj", providers: [.apt(["libproj-dev"])]),
    .target(
      name: "Basecamp",
      dependencies: [
        "TrackerCore", "FeatureService", "SystemCalls", "CMicroHTTP", "CPROJ", "CZlib", "Wording",
        "ControlRoom", "Courses", "Reports", "SQLite", "SQL", "PostgreSQL", "Digests", "MapTiles",
        "Uplink", "HTTPTransfer", "MQTT", "Notes", "History", "ModemDialogues", "JSONReading",
      ],
      resources: [
        .embedInCode("Web/room.html"), .embedInCode("Web/room.css"), .embedInCode("Web/room.js"),
        .embedInCode("Web/words.js"), .embedInCode("Web/team.js"), .embedInCode("Web/staff.js"),
        .embedInCode("Web/siren.js"),
        .embedInCode("Web/diary.js"), .embedInCode("Web/map.js"), .embedInCode("Web/alarms.js"),
        .embedInCode("Web/notes.js"), .embedInCode("Web/history.js"),
        .embedInCode("Web/phones.js"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "basecamp",
      dependencies: [
        "Basecamp", "SQL", "PostgreSQL", "FeatureService", "CommandLineSupport", "SystemCalls",
        "Wording", "ControlRoom", "FirstSetup", "HTTPTransfer", "Uplink", "TrackerCore",
      ],
      exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "trackerctl",
      dependencies: [
        "TrackerCore", "BoardSupport", "Uplink", "CaptureStore", "Courier", "MachineAccess",
        "HTTPTransfer", "Reports",
        "FieldConsole", "Wording", "CommandLineSupport", "SystemCalls", "CEdit", "FirstSetup",
        "Statistics", "Courses", "Notes", "FirmwareHost",
      ],
      exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "trackerd",
      dependencies: [
        "TrackerCore", "BoardSupport", "Uplink", "CaptureStore", "Courier", "LinuxHost",
        "MachineAccess", "HTTPTransfer",
        "ModemDialogues", "Traces", "FieldConsole", "CommandLineSupport", "Courses", "Wording",
        "SystemCalls",
      ],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "CommandLineSupport", dependencies: ["SystemCalls", "TrackerCore", "Wording"],
      swiftSettings: strict),
    .executableTarget(
      name: "tracker-sim",
      dependencies: [
        "NMEA", "TrackerCore", "BoardSupport", "FeatureService", "Simulation", "Reports",
        "CaptureStore", "CommandLineSupport", "SystemCalls", "Traces", "Wording", "FieldConsole",
        "Statistics", "Courses", "MapTiles", "ControlRoom", "HTTPTransfer", "Uplink", "Notes",
        "Digests", "JSONReading", "CardStore", "FirmwareHost", "MachineAccess",
      ],
      exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "store-hammer",
      dependencies: ["CaptureStore", "SystemCalls", "TrackerCore", "Wording"],
      path: "Tests/StoreHammer", exclude: ["torn.c"], swiftSettings: strict),
    .target(name: "BareLoops", dependencies: ["CSQLite"], path: "Tests/BareLoops"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "trackerd", "trackerctl", "tracker-sim", "basecamp", "BareLoops", "BoardSupport",
        "CaptureStore",
        "CommandLineSupport", "Courier", "MachineAccess", "HTTPTransfer", "MQTT", "NMEA",
        "Simulation", "SystemCalls", "TrackerCore", "Uplink", "Wording",
      ],
      path: "Tests/Bench", swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: [
        "TrackerCore", "CaptureStore", "Uplink", "HTTPTransfer", "Wording", "Notes",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "SystemCallsTests", dependencies: ["SystemCalls", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PostgreSQLTests", dependencies: ["PostgreSQL", "SQL", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "NotesTests", dependencies: ["Notes", "TrackerCore"], swiftSettings: strict),
    .testTarget(
      name: "HistoryTests", dependencies: ["History", "TrackerCore", "Wording"],
      swiftSettings: strict),
    .testTarget(
      name: "MapTilesTests", dependencies: ["MapTiles", "SQLite", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FeatureServiceTests",
      dependencies: [
        "FeatureService", "TrackerCore", "Notes", "History", "PostgreSQL", "SQL", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ControlRoomTests",
      dependencies: [
        "ControlRoom", "Courses", "Digests", "Reports", "Simulation", "TestSupport", "TrackerCore",
        "Wording",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CaptureStoreTests",
      dependencies: [
        "CaptureStore", "SQLite", "SystemCalls", "TrackerCore", "store-hammer", "TestSupport",
        "Wording", "Notes",
      ],
      exclude: ["Stores"], swiftSettings: strict),
    .testTarget(
      name: "BasecampTests",
      dependencies: [
        "basecamp", "trackerctl", "tracker-sim", "Basecamp", "ControlRoom", "FeatureService",
        "Digests", "SQLite", "SystemCalls", "TestSupport", "TrackerCore", "Uplink",
        "ModemDialogues", "Wording",
      ],
      exclude: ["Readers"], swiftSettings: strict),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "trackerd", "trackerctl", "tracker-sim", "basecamp", "CaptureStore", "SQLite", "Courier",
        "BoardSupport", "LinuxHost", "MachineAccess", "SystemCalls", "Uplink", "TrackerCore",
        "NMEA", "TestSupport", "ModemTerminal", "Simulation", "FieldConsole",
      ], swiftSettings: strict),
    .testTarget(
      name: "CourierTests",
      dependencies: [
        "Courier", "CaptureStore", "Uplink", "TrackerCore", "Simulation", "TestSupport", "Wording",
        "Notes", "History",
      ], swiftSettings: strict),
    .testTarget(
      name: "DeliveryTests",
      dependencies: [
        "MachineAccess", "HTTPTransfer", "CaptureStore", "SQLite", "Uplink", "Courier",
        "TrackerCore",
        "Simulation",
        "FeatureService", "trackerctl", "basecamp", "bench", "TestSupport", "Notes",
      ], swiftSettings: strict),
    .testTarget(
      name: "TracesTests", dependencies: ["Traces", "TrackerCore", "Simulation"],
      swiftSettings: strict),
    .testTarget(
      name: "FieldConsoleTests",
      dependencies: [
        "FieldConsole", "BoardSupport", "CaptureStore", "Wording", "Reports", "TrackerCore", "NMEA",
        "TestSupport", "Uplink", "Notes",
      ],
      exclude: ["Transcripts"], swiftSettings: strict + fast),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Reports", "Courses", "MapTiles", "Notes", "TestSupport", "TrackerCore", "Wording",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StatisticsTests",
      dependencies: [
        "Statistics", "Courses", "Reports", "Simulation", "NMEA", "TestSupport", "TrackerCore",
        "Wording",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MachineAccessTests",
      dependencies: [
        "MachineAccess", "BoardSupport", "Uplink", "TrackerCore", "NMEA", "SystemCalls",
        "TestSupport", "Wording",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HTTPTransferTests",
      dependencies: ["HTTPTransfer", "Uplink", "TrackerCore", "SystemCalls", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "LinuxHostTests",
      dependencies: [
        "LinuxHost", "MachineAccess", "BoardSupport", "CaptureStore", "Courier",
        "Uplink", "Traces",
        "TrackerCore", "NMEA", "SystemCalls", "TestSupport", "Wording", "History",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ModemDialoguesTests",
      dependencies: [
        "ModemDialogues", "CaptureStore", "Uplink", "TrackerCore", "Simulation", "TestSupport",
        "Wording",
      ],
      swiftSettings: strict),
    .target(
      name: "ModemTerminal",
      dependencies: ["Simulation", "SystemCalls", "Uplink", "TrackerCore"],
      path: "Tests/ModemTerminal", swiftSettings: strict),
    .executableTarget(
      name: "modem-terminal", dependencies: ["ModemTerminal", "Simulation"],
      path: "Tests/ModemProgram", swiftSettings: strict),
    .testTarget(
      name: "LaboratoryTests",
      dependencies: [
        "trackerd", "trackerctl", "tracker-sim", "basecamp", "modem-terminal", "CaptureStore",
        "ModemTerminal", "Simulation", "Uplink", "TrackerCore", "TestSupport",
      ], exclude: ["Guest"], swiftSettings: strict),
    .testTarget(
      name: "ModemEmulatorTests",
      dependencies: [
        "ModemTerminal", "Simulation", "ModemDialogues", "Uplink", "TrackerCore", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LeanUplinkTests",
      dependencies: ["LeanUplink", "ModemDialogues", "Simulation", "TrackerCore", "Uplink"],
      swiftSettings: strict),
    .testTarget(
      name: "CoursesTests", dependencies: ["Courses", "TestSupport", "TrackerCore"],
      swiftSettings: strict),
    .testTarget(name: "JSONReadingTests", dependencies: ["JSONReading"], swiftSettings: strict),
    .testTarget(name: "StructureTests", dependencies: ["TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "FirmwareTests",
      dependencies: [
        "tracker-sim", "trackerctl", "basecamp", "Traces", "FirmwareHost", "CardStore", "Reports",
        "TrackerCore", "ModemTerminal", "Simulation", "Uplink", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "UplinkTests",
      dependencies: ["Uplink", "LeanUplink", "TrackerCore", "TestSupport", "Wording", "Notes"],
      swiftSettings: strict),
    .testTarget(name: "NMEATests", dependencies: ["NMEA"], swiftSettings: strict),
    .testTarget(
      name: "CardStoreTests", dependencies: ["CardStore", "TestSupport", "TrackerCore"],
      swiftSettings: strict + fast),
    .testTarget(
      name: "TrackerCoreTests", dependencies: ["TrackerCore", "NMEA"], swiftSettings: strict),
    .testTarget(
      name: "BoardSupportTests",
      dependencies: ["BoardSupport", "TestSupport", "Wording", "JSONReading"],
      swiftSettings: strict),
    .testTarget(
      name: "FirstSetupTests",
      dependencies: [
        "FirstSetup", "BoardSupport", "TestSupport", "TrackerCore", "Uplink", "Wording",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Simulation", "FeatureService", "BoardSupport", "Reports", "Traces", "TrackerCore", "NMEA",
        "CaptureStore", "Uplink", "Courses", "Statistics", "Wording", "CommandLineSupport",
        "TestSupport", "tracker-sim", "bench",
      ],
      exclude: ["PublishedBoards", "Arrivals/README.md", "Arrivals/Tables"], swiftSettings: strict),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "tracker-sim", "trackerctl", "trackerd", "basecamp", "bench", "BoardSupport",
        "CommandLineSupport", "ControlRoom", "Courses", "FieldConsole",
        "Simulation", "TrackerCore", "FeatureService", "Reports", "TestSupport", "Uplink",
        "Wording",
      ],
      exclude: ["Recordings", "Screens", "Summaries"], swiftSettings: strict),
  ]
)

// Swift's regular expressions, of which nothing is used, would add a megabyte to each program.
for target in package.targets
where target.type != .test && target.type != .system && target.path == nil
  && target.swiftSettings != nil
{
  target.swiftSettings?.append(
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]))
}
