/// The help of `tracker-sim synth`. The options that it lists are the known ones.
public enum SynthHelp {
  public static let text = """
    Usage: tracker-sim synth [--out FILE] [options]

    Writes an NMEA 0183 trace of a walk that nobody walked. The same options give
    the same bytes on every machine; the trace's header holds the command.

      --out FILE            where to write; - is standard output (default)
      --name TEXT           title for the header (default: synth)
      --comment TEXT        remark for the header
      --seed N              another seed is another walk (default: 1)

    The walk
      --course FILE         GeoJSON with a LineString; its Points are checkpoints,
                            else there is one every 12 km (default: olot, built in:
                            Olot - Sant Feliu de Guíxols, 100 km, synthetic)
      --from-km KM          walk from here (default: 0)
      --to-km KM            to here (default: the end)
      --start DATE          default: 2026-04-18T08:00:00Z
      --duration TIME       length of the trace; after the arrival the team stands
                            (default: until 10 min after the arrival)
      --pace KMH            fresh, by day, on the flat (default: 5.4); 15 % less at
                            night, up to 20 % less with the kilometres, 8 % less
                            per 1 % uphill
      --checkpoint-rest M-M minutes of rest at each checkpoint, drawn from this
                            range, 0 is none (default: 10-40)
      --night HH:MM-HH:MM   in UTC, or none (default: 19:00-05:00)

    The receiver
      --sentences LIST      of rmc,vtg,gga,gsa,gsv,gll,gns,zda, in this order
                            (default: rmc,gga)
      --talker gp|gn        GPS, or GPS and GLONASS (default: gp)
      --every TIME          between reports (default: 1s)
      --noise METRES        error of a position, one standard deviation on each
                            axis at HDOP 1; it drifts over minutes (default: 2.5)
      --cold-start TIME     first third without time, then without fix (default: 0)
      --rollover TIME       from this moment on dates are 1024 weeks early

    What happens, and when: each may be given several times
      --rest SPAN           the team stands
      --tunnel SPAN         sentences without a fix
      --dropout SPAN        no bytes
      --canyon SPAN         between high walls: few satellites, big errors, jumps
      --garbage SPAN        damage on the line
      --garbage-percent P   sentences damaged meanwhile (default: 20)

    TIME is 40min, 1h30min, 5s, 200ms, 2:30 (hours:minutes) or 2:30:00. SPAN is
    FROM-TO or FROM+LENGTH, counted from the beginning of the trace.

    Example: tracker-sim synth --out my.nmea --seed 7 --every 5s \\
               --tunnel 2:00:00-2:04:00 --rest 3:00:00+40min

    Exit codes: 0 written; 2 wrong use, or the file cannot be read or written.

    """

  /// Every option in the text.
  static let flags: [String] = text.split(separator: "\n").compactMap { line in
    let words = line.split(separator: " ")
    guard line.hasPrefix("  --"), let flag = words.first else { return nil }
    return String(flag)
  }
}
