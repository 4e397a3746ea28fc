/// What `--help` prints. At most 80 columns.
enum Help {
  static let text = """
    trackerctl speaks to a running tracker and looks after its captures by hand.

    usage:
      trackerctl status [--socket PATH]
                        how a running tracker stands
      trackerctl start | stop | send now | capture now
      trackerctl set team NAME | unset team
                        tell a running tracker to do so; it remembers that over
                        restarts (a stop: for six hours), until it is undone
      trackerctl pin try
                        have it enter the SIM's PIN, were it the last try
      trackerctl push --store FILE --server URL [options]
      trackerctl push --config FILE [--store FILE]
                        send what waits in a store to a server
      trackerctl retry [N | DEVICE4:N | all] [--socket PATH | --store FILE]
                        put back what was set aside  [all, in a running tracker];
                        DEVICE4 is how the device's identifier begins, 6F1C:17
      trackerctl captures --store FILE
                        list the captures; also while a tracker uses the store
      trackerctl export --store FILE --format gpx|kml|geojson|csv [--output FILE]
                        write them for a map or a stick; an output file appears
                        when it is whole   [standard output]
      trackerctl import FILE --server URL [options]
                        bring what export wrote (GeoJSON or CSV) to a server
      trackerctl bench --server URL [--captures N] [options]
                        how fast N made-up captures leave a store; for a
                        basecamp on this machine   [17280: 48 h at 10 s]

    --socket PATH       the tracker's control socket [/run/trailtracker/control]

    options of push, import and bench:
      --store FILE      the tracker's store (push); the tracker must be stopped
      --config FILE     the tracker's own configuration (push, import): its server
                        of any kind, attributes, secrets and store
      --server URL      a layer of an ArcGIS FeatureServer, as in
                        https://host/arcgis/rest/services/Walk/FeatureServer/0
      --secrets FILE    who we are, of mode 0600: a line "token = ...", or
                        "password = ..." with --user NAME, or
                        "clientSecret = ..." with --client-id ID --token-url URL
      --token-url URL   where tokens come from           [the server's own site]
      --ca FILE         certificates to trust instead of the system's (PEM)
      --help, --version

    Each capture reaches an ArcGIS layer once, however often push is interrupted
    and repeated, and whichever way it comes: import asks what is there before it
    sends, and a layer with GlobalIDs takes no second copy. Without GlobalIDs push
    waits before it asks about what may have arrived: 10 min, or what server:
    { mayActFor: ... } says in the configuration. A copy of a store knows nothing
    of what was sent from the other: such a layer gets that twice. A file that is
    cut is refused as a whole before anything is sent; one whose positions or
    times were changed by hand brings them as other captures.

    exit code: 0 all is delivered; 1 something is left or was set aside; 2 wrong
    use or unreadable input.

    """
}
