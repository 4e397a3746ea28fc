import TrackerCore

/// What `--help` prints. At most 80 columns.
enum Help {
  static func text(in language: Language) -> String {
    switch language {
    case .catalan: catalan
    case .spanish: spanish
    case .english: english
    case .french: french
    }
  }

  /// The part of the help about one command: its entries, and the options that it takes. All of it
  /// for a word that is none.
  static func text(of command: String, in language: Language) -> String {
    let whole = text(in: language)
    let parts = whole.pieces(between: "\n\n").map(String.init)
    let entries = entries(of: parts.count > 1 ? parts[1] : "").filter { entry in
      let head = entry.drop { $0 == " " }.drop { $0 != " " }
      return head.prefix { $0 != "\n" }.split(separator: "|").contains { alternative in
        alternative.split(separator: " ").first.map { $0 == command } ?? false
      }
    }
    guard !entries.isEmpty, parts.count > 3 else { return whole }
    let usage = parts[1].prefix { $0 != "\n" }
    var text = "\(usage)\n" + entries.joined(separator: "\n") + "\n"
    switch command {
    case "push", "import", "bench": text += "\n\(parts[3])\n"
    case "boards", "export", "compare": break
    default: text += "\n\(parts[2])\n"
    }
    return text
  }

  /// What follows `usage:`, one entry each: a line that begins with the program's name, and those
  /// further to the right.
  private static func entries(of usage: String) -> [String] {
    var entries: [String] = []
    for line in usage.split(separator: "\n").dropFirst() {
      if line.hasPrefix("  trackerctl ") || line.hasPrefix("  sudo ") {
        entries.append(String(line))
      } else if let last = entries.indices.last {
        entries[last] += "\n\(line)"
      }
    }
    return entries
  }

  static let english = """
    trackerctl controls a running tracker, and lists, sends and exports captures.

    usage:
      trackerctl status one line with GO, WAIT or NO-GO, and below it why; also
                        of a tracker that does not run, from its store
      trackerctl captures [N|all] [pending|sent|aside] | show N | proof
                        the captures, everything about one, and whether any is
                        missing; they only need the store
      trackerctl stats [N|all] [--every METRES] [--course FILE] [--session N]
      trackerctl stats --sessions
                        distance, times, speeds and climb of a session [the last
                        one], and its marks [the last 10, each 1000 m], those of
                        a course (GeoJSON or GPX), too; the sessions of the store
      trackerctl compare A B --course FILE [--every METRES] [--json]
      trackerctl compare A --plan FILE.csv --course FILE [--json]
                        who was ahead where on a course (GeoJSON or GPX), or
                        against a timetable; A and B are stores, or files of
                        export or GPX
      trackerctl why | events [N] | log [N] | self-test
                        why nothing is captured or sent, what has happened, and
                        each part with its cure
      trackerctl start | stop | send now | capture now | pin try
                        order a running tracker to do so; it remembers start and
                        stop across restarts (stop: for six hours)
      trackerctl set KEY VALUE | get | undo [KEY] | unset team
                        change a value, as in set team "Els Senglars", set
                        interval 5min, set finish 2027-04-18T12:00; list all, and
                        who changed them; take a change back, or the last one
      trackerctl help [verdict]
                        all of these in your language, or when it is NO-GO
      trackerctl console [--socket PATH] [--store FILE] [--read-only] [--serial]
                        [--idle 10min]
                        the same in a terminal, with history and completion (TAB);
                        --idle 0: it never ends by itself; --serial: it waits for
                        a key, as on a serial line. From a pipe: a command a line
      trackerctl push --store FILE --server URL [options]
      trackerctl push --config FILE [--store FILE]
                        send a store's waiting captures to a server
      trackerctl retry [N | DEVICE4:N | all] [--socket PATH | --store FILE]
                        put back captures set aside [all, in a running tracker];
                        DEVICE4: the first digits of the device, as in 6F1C:17
      trackerctl export --store FILE --format gpx|kml|geojson|csv [--output FILE]
                        write them for a map or a USB stick; the output file
                        appears when it is complete   [standard output]
      trackerctl export --stick [--device DEVICE] [--store FILE]
                        write them in all formats, with a report, to a USB stick;
                        it is mounted for that only (needs root)
      trackerctl import FILE --server URL [options]
                        send a file from export (GeoJSON or CSV) to a server
      sudo trackerctl setup [options]
                        the first set-up of a tracker; see trackerctl setup --help
      trackerctl boards
                        list the boards, and the parts that can be combined
      trackerctl fleet FILE.csv --output FOLDER [--config FILE] [--board NAME]
                        [--replace]
                        the files of many trackers, for the boot partitions of
                        their cards: columns team, number, secret, and user,
                        language, board, apn, server, receiver, interface, pin,
                        consolePin; --config: what they have in common
      trackerctl first-boot [--root FOLDER]
                        take them from the boot partition (at each start)
      trackerctl bench --server URL [--captures N] [--yes] [options]
                        measure how fast N made-up captures are delivered to a
                        basecamp on this machine   [17280: 48 h at 10 s]

    options of the commands to a tracker:
      --socket PATH     its control socket [/run/trailtracker/control]
      --store FILE      its store [/var/lib/trailtracker/captures.db]; without
                        --socket the store alone is looked at
      --config FILE     its configuration, which names both
                        [/etc/trailtracker/trackerd.json5]
      --json            for scripts, the same in every language
      --language L      ca, es, en or fr [the tracker's, or the environment's]
      --yes             do not ask before stop and pin try
      --color, --no-color                                  [on a terminal]

    options of push, import and bench:
      --store FILE      the tracker's store (push); the tracker must be stopped
      --config FILE     the tracker's configuration (push, import): its server,
                        whatever its kind, attributes, secrets and store
      --server URL      a layer of an ArcGIS FeatureServer, as in
                        https://host/arcgis/rest/services/Walk/FeatureServer/0
      --secrets FILE    credentials, mode 0600: a line "token = ...", or
                        "password = ..." with --user NAME, or
                        "clientSecret = ..." with --client-id ID --token-url URL
      --token-url URL   where to get tokens              [the server's own site]
      --ca FILE         certificates to trust instead of the system's (PEM)
      --help, --version

    Each capture reaches an ArcGIS layer once, however often push is interrupted
    and repeated, and whichever way it arrives: import asks the server which it has
    before it sends, and a layer with GlobalIDs refuses a second copy. Without
    GlobalIDs, push waits before it asks about what may have arrived: 10 min, or
    server: { mayActFor: ... } in the configuration. A copy of a store does not
    know what was sent from the original: such a layer then gets it twice. A
    truncated file is refused before anything is sent; captures whose positions or
    times were edited count as different captures.

    exit code: 0 everything is delivered; 1 something is left or set aside; 2 wrong
    use or unreadable input. Of status: 0 GO, 1 NO-GO, 3 WAIT.

    """
}
