/// What `--help` prints. At most 80 columns.
enum Help {
  static let text = """
    basecamp receives captures like an ArcGIS FeatureServer, for rehearsals and
    tests, and shows them to any FeatureServer client.

    usage:
      basecamp --database DIR [options]

    options:
      --database DIR        where captures are kept; created if missing
      --listen ADDRESS      IPv4 address and port; port 0 chooses a free one
                                                              [127.0.0.1:8080]
      --course FILE         checkpoints and stages as GeoJSON  [Olot to the sea]
      --course-fields       the layer has fields for metres done (Fets) and to go
                            (PerFer), place (Lloc) and trigger (Motiu)
      --user NAME           the only user, with the password in the first line
      --password-file FILE  of a file of mode 0600                    [everybody]
      --owner NAME          who alone may change and delete captures, with the
      --owner-password-file FILE  password in another such file          [nobody]
      --certificate FILE    speak TLS with these certificates (PEM, the server's
                            first), with the private key in
      --key FILE            a file of mode 0600                     [plain HTTP]
      --token-seconds N     the longest lifetime of a token                [3600]
      --no-global-ids       a layer without GlobalIDs, as on older servers
      --max-records N       features in one answer                         [2000]
      --fault 'SPEC'        a fault to inject; may be given several times
      --fault-seed N        seed of the random faults                         [1]
      --origin URL          only web pages of this origin may use it, and store
                            captures; may be given several times   [any may read]
      --language CODE       of its pages for people: ca, es, en or fr
                                  [what the browser asks for, or LANG]
      --help, --version

    a fault: what, how often, and on what (by default: edits):
      503                an HTTP status (400 to 599) instead of doing anything
      504-after          an HTTP status after everything was done
      late 2s            everything is done, this much later
      reset              the connection reset before anything was done
      timeout            nothing is done, and no answer comes
      lose-acknowledgement  everything is done, and no answer comes
      cut-answer         the same, and the connection closed at once
      unauthorised       error 498, whatever the token
      reject-request 400 the whole request is refused, with this error
      portal             a captive portal's page under status 200
      partial            one feature of the batch is refused
        every 5th | 10%   above 2048 (bytes)   on edits | queries | both | all

    When it is ready it prints one line with its address, where a browser finds a
    page with links to everything. SIGINT or SIGTERM stops it. Services:
    TrailWalker/FeatureServer, TrailWalker/MapServer, UltimaEntrada/MapServer,
    rutes/MapServer.

    Each capture has a line on standard error, of more than 10 a second only the
    count. Without a password, web pages of other origins cannot store captures.

    bounds: 48 connections of one address; a request's headers within 30 s and its
    body, of 16 MB (inflated), within 120 s; all bodies 48 MB, then 503; a query
    5 s of computing; 10 wrong passwords a minute, then 429.

    exit code: 0 stopped by a signal; 2 wrong use or unreadable input.

    """
}
