import CCurl
import Uplink
import Wording

/// Translates libcurl's codes.
enum CurlErrorText {
  static func kind(_ code: CURLcode, wasSent: Bool) -> HTTPFailure.Kind {
    switch code {
    // libcurl takes an answer that does not begin like HTTP/1 for HTTP/0.9.
    case CURLE_UNSUPPORTED_PROTOCOL where wasSent: .answerUnreadable
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_SSL_CACERT_BADFILE: .unusable
    case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound
    case CURLE_COULDNT_CONNECT: .notConnected
    case CURLE_INTERFACE_FAILED: .interfaceMissing
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxyRefused
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: .certificateRefused
    case CURLE_SSL_CONNECT_ERROR: .tlsFailed
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .answerUnreadable
    case CURLE_ABORTED_BY_CALLBACK, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR,
      CURLE_SEND_ERROR:
      .connectionLost
    default: .broken
    }
  }

  /// Whether libcurl's text contains only host, port, interface, certificate and times.
  static func textIsHarmless(_ code: CURLcode) -> Bool {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED,
      CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_OPERATION_TIMEDOUT:
      true
    default: false
    }
  }

  /// The general text for a code, without details of the request.
  static func text(_ code: CURLcode, _ kind: HTTPFailure.Kind) -> Texts {
    HTTPFailure.meaning(kind)
      ?? HTTPFailure.quoting(String(cString: curl_easy_strerror(code)), kind)
  }
}
