/// What `--help` prints. At most 80 columns.
enum Help {
  static let version = "0.1.0"

  static let text = """
    trackerctl speaks to a running tracker and looks after its captures by hand.

    usage:
      trackerctl status [--socket PATH]
                        how a running tracker stands
      trackerctl start | stop | send now | capture now | set team NAME
                        tell a running tracker to do so
      trackerctl push --store FILE --server URL [options]
                        send what waits in a store to a server
      trackerctl captures --store FILE
                        list the captures; also while a tracker uses the store
      trackerctl export --store FILE --format gpx|kml|geojson|csv
                        write them to standard output, for a map or a stick

    --socket PATH       the tracker's control socket [/run/trailtracker/control]

    options of push:
      --store FILE      the tracker's store; the tracker must be stopped
      --server URL      a layer of an ArcGIS FeatureServer, as in
                        https://host/arcgis/rest/services/Walk/FeatureServer/0
      --secrets FILE    who we are, of mode 0600: a line "token = ...", or
                        "password = ..." with --user NAME, or
                        "clientSecret = ..." with --client-id ID --token-url URL
      --token-url URL   where tokens come from           [the server's own site]
      --ca FILE         certificates to trust instead of the system's (PEM)
      --help, --version

    Each capture reaches the server once, however often push is interrupted and
    repeated: what may have arrived is asked for before it is sent again.

    exit code: 0 nothing is left to be sent; 1 something is; 2 wrong use or
    unreadable input.

    """
}
