enum Help {
  static let text = """
    trackerd takes captures from a receiver, keeps them on disk until a server has
    acknowledged them, and wakes the modem when there is something to send.

    usage:
      trackerd --board BOARD --config FILE [options]

    options:
      --board BOARD    a folder in boards/, or the path of a board file; or parts
                       joined by +, as in pi-4b+waveshare-sim7600+ina219
      --config FILE    settings (JSON5): team, intervals, server, ports
      --record FILE    record the run, for tracker-sim replay
      --speed N        for rehearsals: time passes N times as fast; the receiver
                       has to keep up                                       [1]
      --link-helper SOCKET
                       network.up and down are run by the helper that listens there,
                       instead of by the daemon (trackerd link, root's)
      --clock-helper SOCKET
                       the machine's date is set by the helper that listens there
                       (trackerd clock, with CAP_SYS_TIME)
      --check          check all settings, report the first mistake, and exit;
                       only this refuses a finish in the past
      --machine DIR    the board's serial numbers and sensors are below DIR    [/]
      --settings       list every key of the settings file
      --help, --version

    The receiver is on the board's port, or on receiverPort in the settings:
      /dev/ttyAMA0           a device file, at the board's speed
      /dev/ttyAMA0@9600      at that speed; @auto finds the speed by trying
      usb:1e0e:9001:2        a USB device and its interface, whatever its name
      gpsd://127.0.0.1:2947  a receiver that gpsd owns

    It logs to standard error, with priorities that systemd's journal reads. SIGTERM
    and SIGINT end it within a second, SIGHUP reloads the settings. trackerctl
    status shows its state.

    trackerd link --config FILE --user NAME --memory FILE
      that helper, as trackerd-link.service starts it: for this user it runs the
      link's commands of FILE, which nobody but root may be able to change.

    trackerd clock
      the helper that sets the date for this user, as trackerd-clock.service
      starts it.

    exit code: 0 ended by a signal; 2 wrong use, unusable settings or hardware.

    """
}
