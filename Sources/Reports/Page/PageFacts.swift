public import Courses
public import MapTiles
public import TrackerCore
public import Wording

/// Everything that a picture of a run shows.
public struct PageFacts {
  /// A claim about the run and what was found.
  public struct Claim {
    public var source: String
    public var found: String
    public var holds: Bool
    /// It holds only because the battery was empty before the end.
    public var isDead: Bool

    public init(source: String, found: String, holds: Bool, isDead: Bool) {
      self.source = source
      self.found = found
      self.holds = holds
      self.isDead = isDead
    }
  }

  /// A part of the run without coverage.
  public struct Hole {
    public enum Kind: Sendable, CaseIterable {
      case noService, noBearer, denied

      init?(name: String) {
        guard let kind = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = kind
      }
    }

    public var from: Instant
    /// `nil`: until the end.
    public var to: Instant?
    public var kind: Kind

    public init(from: Instant, to: Instant?, kind: Kind) {
      self.from = from
      self.to = to
      self.kind = kind
    }
  }

  /// A place with a name.
  public struct Place {
    public var name: String
    public var position: Coordinate

    public init(name: String, position: Coordinate) {
      self.name = name
      self.position = position
    }
  }

  /// What the run was to follow, and what became of its places.
  public struct Course {
    public struct Place {
      public var place: PageFacts.Place
      public var alongMetres: Double
      public var radiusMetres: Double
    }

    public var line: [Coordinate] = []
    /// In the order along it.
    public var places: [Place] = []
    /// In the order in which they were noticed.
    public var passages: [Passage] = []

    public init() {}

    public init(_ course: MappedCourse, _ passages: [Passage]) {
      line = course.points.map(\.position)
      places = course.places.map { place in
        Place(
          place: PageFacts.Place(name: place.name, position: place.place.position),
          alongMetres: Double(place.place.alongMillimetres) / 1000,
          radiusMetres: Double(place.place.radiusMetres))
      }
      self.passages = passages
    }
  }

  /// The figures of the summary.
  public var figures: Figure
  public var history: RunHistory
  public var language: Language
  public var zone: PageZone
  public var claims: [Claim] = []
  public var holes: [Hole] = []
  public var checkpoints: [Place] = []
  /// `nil`: it followed none.
  public var course: Course?
  /// What is below a map; `nil`: nothing.
  public var tiles: ((MapView) -> TileMosaic)?
  /// From capture to acknowledgement, milliseconds.
  public var latencies: [Int64] = []
  /// The run's end, after the last transmission.
  public var end: Instant
  /// The battery's charge at the start, percent.
  public var startPercent = 100.0
  /// How far the used charge may be off, as a share of it.
  public var bandShare = 0.0
  /// What made the page: `tracker-sim 0.1`.
  public var program = ""

  public init(
    figures: Figure, history: RunHistory, end: Instant, language: Language, zone: PageZone
  ) {
    self.figures = figures
    self.history = history
    self.end = end
    self.language = language
    self.zone = zone
  }
}
