extension World {
  /// How things stand at one moment.
  public struct Standing: Sendable {
    public var delivered = 0
    public var boardJoules = 0.0
    public var receiverJoules = 0.0
    public var modemJoules = 0.0
    public var conversionJoules = 0.0

    public init() {}
  }

  public var standing: Standing {
    var standing = Standing()
    standing.delivered = tally.acknowledged
    standing.boardJoules = meter.boardMillijoules / 1000
    standing.receiverJoules = meter.receiverMillijoules / 1000
    standing.modemJoules = meter.modemMillijoules / 1000
    standing.conversionJoules = meter.conversionMillijoules / 1000
    return standing
  }
}
