/// What a query may ask for beyond what is implemented here.
enum QueryParameters {
  /// Those that would change the answer: refused, because ignoring one would give a wrong answer.
  static let refused = [
    "having", "relationParam", "text", "fullText", "quantizationParameters", "historicMoment",
    "datumTransformation", "rangeValues", "parameterValues", "uniqueIds", "collation", "callback",
    "multipatchOption",
  ]

  /// Those that would change the answer if they are true.
  static let refusedIfTrue = [
    "returnCentroid", "returnEnvelope", "returnUniqueIdsOnly", "returnQueryGeometry",
  ]

  /// Those that do not change what is in the answer: hints about formats, pages and caches, and
  /// what these layers do not have (heights, measures, curves, versions). Every line has all its
  /// positions, which any `maxAllowableOffset` allows. The service reads none of them.
  static let ignored = [
    "resultType", "cacheHint", "sqlFormat", "maxRecordCountFactor", "maxAllowableOffset",
    "returnZ", "returnM", "returnTrueCurves", "gdbVersion", "timeReferenceUnknownClient",
    "returnFullTextScore", "featureEncoding",
  ]

  static func check(_ request: ServiceRequest) throws(ArcGISError) {
    for name in refused where request.text(name) != nil {
      throw .invalid(name, "It is not supported here.")
    }
    for name in refusedIfTrue where try request.flag(name, default: false) {
      throw .invalid(name, "It is not supported here.")
    }
  }
}
