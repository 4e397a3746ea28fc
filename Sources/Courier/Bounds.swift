public import TrackerCore

/// The fixed times of a courier, with reasons.
public enum CourierBounds {
  /// How long a server may still apply a request that was given up, unless configured otherwise
  /// (`server: { mayActFor: … }`).
  ///
  /// ArcGIS Server lets a client use a service for 600 s by default (Esri technical article
  /// 000010052, "What timeout settings affect longer replication or WFS processes on ArcGIS
  /// server?"), and that time began while the client was still waiting. Servers in front of it give
  /// up sooner by default: IIS after 120 s (`connectionTimeout`), nginx after 60 s
  /// (`proxy_read_timeout`).
  public static let mayActFor = Milliseconds.minutes(10)
  /// What a question takes for each capture: 38 characters of its identifier, some of them encoded,
  /// and a part of the rest.
  static let questionBytes = 64
  /// Open orders that a question for messages leaves out, so that it has a bound; others take a
  /// place among the messages that are asked for.
  static let toldOrders = 8
  /// Requests with which one contact exchanges notes: what is left goes on with the next one.
  static let noteRequests = 6
  /// Requests with which one contact tells a history: a question, and ten parts.
  static let historyRequests = 5
  /// A path that does not carry this carries nothing: a single capture has some 400 bytes.
  static let smallRequest = 512
}
