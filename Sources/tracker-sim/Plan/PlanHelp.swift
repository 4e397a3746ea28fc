/// What `plan --help` prints. At most 80 columns.
enum PlanHelp {
  static let text = """
    tracker-sim plan says before the race how long a battery lasts: it runs the
    tracker's core over a made-up walk until the battery is empty, many times with
    different luck and with the board's unverified figures somewhere in their bands.

    usage:
      tracker-sim plan [options]

    options:
      --board NAME        as for tracker-sim --board  [pi-zero-2w-sim7600]
      --pack PACK         instead of the board's own battery:
                            '8 alkaline-aa'      so many cells (see below)
                            '2s3p li-ion'        two in series, three such strings
                            '6 nimh-aa 2600mAh'  with the capacity of each cell
                            li-ion-3p, FILE      the battery of a board file
                          kinds: alkaline-aa lithium-aa nimh-aa li-ion lifepo4
      --measured VOLTAGE  of the whole pack, at rest, now: 4.02V  [full]
      --interval TIME     between captures, and between contacts; may be given
                          several times  [5min 10min 20min 60min]
      --hours H           from the start to the finish  [32]
      --coverage NAME     good, a scenario in traces/scenarios (valleys,
                          cold-night ...), or a scenario file  [good]
      --config FILE       settings other than the intervals (JSON5)
      --runs N            races for each interval  [40]
      --seed N            of the first race  [1]
      --search interval   find the shortest interval that holds
      --search pack       find the smallest number of cells that holds
      --share PERCENT     of the races that must reach the finish  [95]
      --json              print the figures as JSON: one object for one interval,
                          a list for several
      --html FILE         write a page with pictures
      --language CODE     of text and page: ca, es, en or fr  [of the configuration,
                          else of the environment]
      --threads N         at once; the figures do not depend on it  [processors]
      --help

    A number of cells without 's' and 'p' is in parallel on a board that runs from
    one such cell, and in series on any other.

    Lifetimes are counted up to four times the hours. Captures are those delivered
    by the finish; joules are the mean until then.

    exit code: 0 success; 1 a search found nothing; 2 wrong use or unreadable input.

    """
}
