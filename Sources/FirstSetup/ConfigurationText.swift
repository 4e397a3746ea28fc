public import BoardSupport

/// The text of `/etc/trailtracker/trackerd.json5`.
public enum ConfigurationText {
  /// The settings of a tracker that has none yet. `server.address` is missing.
  public static let template = """
    // This tracker's configuration. "trackerd --settings" lists every key. After a change:
    //   sudo trackerctl setup   checks it, or: sudo systemctl reload trackerd
    {
      store: "/var/lib/trailtracker/captures.db",
      control: "/run/trailtracker/control",
      server: {
        kind: "arcgis",
      },
      capture: { policy: "standard", interval: "10 min" },
      transmit: { interval: "10 min" },
    }

    """

  /// A configuration file with these choices. Everything else of it stays as it is.
  ///
  /// - Parameters:
  ///   - old: the file's content, or another tracker's; `nil`: there is none.
  ///   - path: for errors.
  /// - Throws: if the old or the new text is not a valid configuration of a tracker.
  public static func applying(
    _ choices: TrackerChoices, to old: [UInt8]?, path: String
  ) throws(FileError) -> [UInt8] {
    var text = try JSON5Text(old ?? Array(template.utf8), path: path)
    for (key, choice) in choices.places {
      switch choice {
      case .kept: break
      case .none: try text.remove(key)
      case .text(let value): try text.set(key, to: value)
      }
    }
    let root = try text.root()
    _ = try ConfigurationFile(root)
    _ = try DaemonSettings(root)
    return text.bytes
  }
}
