/// The technician's console on a serial port, instead of a login.
public enum SerialConsole {
  /// The folder of the unit's own settings, below `/etc/systemd/system`.
  public static func file(port: String) -> String {
    "/etc/systemd/system/serial-getty@\(port).service.d/trailtracker.conf"
  }

  /// The link by which it starts with the system, and where it leads.
  public static func link(port: String) -> (path: String, target: String) {
    (
      "/etc/systemd/system/getty.target.wants/serial-getty@\(port).service",
      "/lib/systemd/system/serial-getty@.service"
    )
  }

  public static let text = """
    # The technician's console (trackerctl setup).
    [Service]
    ExecStart=
    ExecStart=-/sbin/agetty --skip-login --noissue --login-program /usr/bin/trackerctl \
    --login-options "console --serial" --keep-baud 115200,57600,9600 %I vt220

    """
}
