/// What `--help` prints. At most 80 columns.
enum Help {
  static let bench = """
    tracker-sim bench measures this machine. Build it with -c release.

    usage:
      tracker-sim bench                      decoder, closed loop of 32 h, recorder
                                             and durable queue, as ratios to plain
                                             loops in C where there is one
      tracker-sim bench --modems SCRIPT ...  deliveries and radio time by modem, as
                                             with traces/modems/*.script
      tracker-sim bench --races N            time of N races of traces/race.nmea
      tracker-sim bench --policies N         adaptive against fixed intervals, over
                                             N races
      tracker-sim bench --arrivals N         how honest the band of arrivals is, over
                                             N walks of each kind of team

    The figures are of one run: repeat it, and compare on a quiet machine.

    """

  static let text = """
    tracker-sim plays a recorded race through the tracker's core in virtual time
    and prints the figures of captures, modem, uploads and battery.

    usage:
      tracker-sim --trace FILE [options]     play a trace
      tracker-sim replay FILE ...            repeat a recording (replay --help)
      tracker-sim decode FILE                print a trace's position reports
      tracker-sim synth [options]            write a made-up trace (synth --help)
      tracker-sim board NAME[+PART]...       show a board and check it
      tracker-sim compare A B                which figures of two --json differ;
                                             --course FILE: two walks on a course
      tracker-sim stats FILE [options]       distance, times, climb and marks of a
                                             walk: NMEA, GPX or an export
      tracker-sim plan [options]             how long a battery lasts (plan --help)
      tracker-sim passages [options] FILE... who was where on the course, and when
                                             (passages --help)
      tracker-sim bench                      measure the speed of this machine
      tracker-sim bench --modems SCRIPT ...  deliveries and radio time by modem
      tracker-sim bench --races N            time of N races of traces/race.nmea
      tracker-sim bench --policies N         adaptive against fixed intervals
      tracker-sim bench --arrivals N         how honest the band of arrivals is

    options:
      --trace FILE      NMEA 0183, as a receiver sends it; or a recording, from
                        which only the receiver is played; or a GPX track, which
                        a receiver is made to walk; - is standard input
      --board NAME      a folder in boards/, or a path   [pi-zero-2w-sim7600];
                        or parts: pi-4b+waveshare-sim7600+ina219
      --config FILE     capture policy, intervals, team (JSON5)    [defaults]
      --scenario FILE   coverage holes, server faults, cold ... (JSON5)  [none]
      --course FILE     the course to follow: GeoJSON or GPX, with checkpoints
      --seed N          of what differs from day to day: registration,
                        latency, signal, first fix, the server's clock  [1]
      --json            print the figures as JSON
      --series          in JSON, too, what --report draws over time, for compare
      --events FILE     write every event and effect, one per line; - is
                        standard output, instead of the summary
      --store FILE      keep the captures in a new file, for trackerctl captures
      --record FILE     record the run to a new file, as trackerd --record does;
                        it can be replayed, or played as a trace
      --report FILE     write a picture of the run, one page of HTML; its times
                        are those of the configuration's timeZone, else of TZ
      --tiles FILE      with --report: MBTiles (PNG or JPEG) below the map
      --expect 'CLAIM'  fail unless it holds; may be given several times:
                          'captures.pending == 0'
                          'delivery.latency_s.p95 <= 900'
                          'energy.battery_end_percent >= 15'
      --language CODE   of the summary: ca, es, en or fr  [the configuration's,
                        else that of LC_ALL, LC_MESSAGES or LANG]
      --console         stop at the start and answer the commands of the field
                        console, read from standard input (help)
      --timing          print time and peak memory to standard error
      --help, --version

    The same trace, board, configuration, scenario and seed give the same output,
    byte for byte, everywhere.

    exit code: 0 success; 1 an expectation failed; 2 wrong use or unreadable input.

    """
}
