import TrackerCore

/// The bounds of the services, with their reasons.
enum Bounds {
  /// A where clause: 1500 GlobalIDs in a list.
  static let whereBytes = 64 << 10
  /// Nesting of parentheses and NOTs in a where clause: the parser recurses for each.
  static let whereDepth = 64
  /// UPPERs and LOWERs around a field in a where clause: the parser recurses for each, and more
  /// than one changes nothing.
  static let whereFunctions = 16
  /// Comparisons in a where clause: SQLite allows expressions 1000 deep.
  static let whereTerms = 900
  /// Values in a where clause: SQLite binds 32 766.
  static let whereValues = 16_000
  /// Objects requested by number.
  static let objectIDs = 100_000
  /// A coordinate system's definition; those of EPSG's register are up to 5 kB long.
  static let wktBytes = 16 << 10
  /// Positions in the geometry of a filter: the outline of a county has some thousands.
  static let filterPositions = 20_000
  /// Comparisons of a feature's position with one of a filter; how long they take was not measured.
  static let filterWork = 100_000_000
  /// How far from a filter's geometry features are found: distances are within ten metres up to
  /// there.
  static let filterMetres = 1_000_000.0
  /// Columns of statistics in one query.
  static let statistics = 64
  /// The name of such a column: it stands in each row of the answer.
  static let columnNameBytes = 128
  /// A pattern of LIKE. SQLite compares a row without a pause, so that the bound on a query's time
  /// does not hold meanwhile; a team's name has 100 characters.
  static let patternBytes = 1000
  /// Connections for queries that wait for their next use; each keeps pages in memory.
  static let idleReaders = 4
  /// Features in one edit: 48 hours of captures every ten seconds are 17 280. Each takes some
  /// 500 bytes of memory.
  static let featuresInEdit = 50_000
  /// One feature's JSON; a capture's has 400 bytes. While it is read it takes twenty times that.
  static let featureBytes = 64 << 10
  /// Attributes in one edit, of all features: captures have seven. Each takes some 80 bytes.
  static let valuesInEdit = 500_000
  /// A message to a tracker: three text messages of a telephone.
  static let messageCharacters = 500
  static let resultCharacters = 200
  /// Messages to one tracker that are kept.
  static let messagesOfDevice: Int64 = 1000
  /// Fields in a form or an address: queries have some thirty parameters.
  static let formFields = 256
  /// Parts of histories of one tracker that are kept: of 200 requests, 4 kB each at most.
  static let historyPartsOfDevice: Int64 = 2000
  /// A field that is read as a whole, unlike lists of features, and takes up to twenty times that
  /// meanwhile: 50 000 GlobalIDs to delete have 2.1 MB.
  static let textBytes = 4 << 20
  /// Wrong passwords before a client must wait: a person mistypes it some times, and a tracker
  /// with a wrong one tries at each contact.
  static let triesOfUser = 10
  /// The same of all users at one address who have not given the right one there: five of them,
  /// since a whole village hall may have one.
  static let triesOfClient = 50
  /// The same for all clients together that have never given the right one, as somebody who guesses
  /// may have many addresses.
  static let triesOfStrangers = 100
  /// For how long wrong passwords count.
  static let triesWindow = Milliseconds.minutes(1)
  /// How long the description of a layer with that many objects may be old.
  static let reachLife = Milliseconds.minutes(1)
  static let smallLayer: Int64 = 20_000
  /// Captures of several edits that one transaction begins with: some ten milliseconds of work.
  static let capturesInCommit = 1000
  /// Addresses in the tables of tries.
  static let clientsRemembered = 4096
  /// The lifetime of a token unless a client asks for a shorter one (Esri: 60 minutes).
  static let tokenSeconds = 3600
  /// How long a fault given on the command line may delay an answer.
  static let lateMilliseconds = 600_000
  /// After which a client may try again where the database cannot be used: a restart takes some
  /// seconds, and thousands of trackers ask at their next contact anyway.
  static let unavailableSeconds: Int64 = 30
}
