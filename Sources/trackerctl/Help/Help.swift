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

  static let english = """
    trackerctl controls a running tracker, and lists, sends and exports captures.

    usage:
      trackerctl status one line with GO, WAIT or NO-GO, and below it why; also
                        of a tracker that does not run, from its store
      trackerctl captures [N|all] [pending|sent|aside] | show N | proof
                        the captures, everything about one, and whether any is
                        missing; they only need the store
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
      trackerctl boards
                        list the boards, and the parts that can be combined
      trackerctl bench --server URL [--captures N] [options]
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
