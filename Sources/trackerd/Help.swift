enum Help {
  static let text = """
    trackerd: takes captures from a receiver, keeps them on disk until a server has
    acknowledged them, and wakes the modem when there is something to send.

    usage:
      trackerd --board BOARD --config FILE [options]

    options:
      --board BOARD    a folder in boards/, or the path of a board file
      --config FILE    settings, JSON5: who, where to, how often
      --record FILE    keep a flight record that tracker-sim replay plays again
      --speed N        for rehearsals: time passes N times as fast, and the receiver
                       has to keep up with it                               [1]
      --check          read all settings, say what is wrong with them, and end;
                       a finish that is past is wrong here, and here only
      --machine DIR    look for the board's serial numbers below DIR           [/]
      --settings       list every key of the settings file
      --help, --version

    The receiver is on the board's port, or where the settings say (receiverPort):
      /dev/ttyAMA0           a device file, at the board's speed
      /dev/ttyAMA0@9600      at that speed; @auto finds it by trying
      usb:1e0e:9001:2        a USB device and its interface, whatever its name
      gpsd://127.0.0.1:2947  a receiver that gpsd owns

    It logs to standard error, with priorities that systemd's journal reads. SIGTERM
    and SIGINT end it within a second, SIGHUP reads the settings anew. trackerctl
    status shows how it stands.

    exit code: 0 ended by a signal; 2 wrong use, unusable settings or hardware.

    """
}
