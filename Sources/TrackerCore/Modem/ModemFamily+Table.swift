// The families. Sources:
// - 3GPP TS 27.007 and 27.005: everything without another source.
// - `AT+SPIC` (tries left for PIN1, and the other codes after it): SIMCom's manuals of each series.
// - SIM5320: AT Command Manual V2.02, Hardware Design V1.07.
// - SIM7600: SIM7500_SIM7600 Series AT Command Manual V3.00; Hardware Design V1.01 (`RDY`, which is
//   not sent with automatic baud rate); lengths of address and headers unverified.
// - A7670: A76XX Series AT Command Manual V1.09; `*ATREADY: 1` as A76XX firmware prints it.
extension ModemStrings {
  static let generic = ModemStrings(
    name: "generic", begins: "RDY|START", ready: "PB DONE|SMS DONE|+CPIN: READY",
    simGone: "+CPIN: NOT READY|+CPIN: NOT INSERTED|+CPIN: SIM REMOVED|+SIMCARD: NOT AVAILABLE",
    reset: "AT+CFUN=1,1")

  static let sim5320 = ModemStrings(
    name: "SIM5320", begins: "START", ready: "PB DONE|SMS DONE|+CPIN: READY",
    simGone: "+CPIN: NOT READY|+CPIN: SIM REMOVED|+SIMCARD: NOT AVAILABLE",
    pinTries: "AT+SPIC", registration: "AT+CREG?;+CGREG?", reset: "AT+CRESET",
    receiverOn: "AT+CGPS=1", receiverOff: "AT+CGPS=0")

  static let sim7600 = ModemStrings(
    name: "SIM7600", begins: "RDY|START", ready: "PB DONE|SMS DONE|+CPIN: READY",
    simGone: "+CPIN: NOT READY|+CPIN: SIM REMOVED|+SIMCARD: NOT AVAILABLE",
    pinTries: "AT+SPIC", reset: "AT+CRESET",
    receiverOn: "AT+CGPS=1", receiverOff: "AT+CGPS=0",
    http: http)

  // Its receiver, if there is one, is a separate chip that AT+CGNSSPWR switches.
  static let a7670 = ModemStrings(
    name: "A7670", begins: "*ATREADY: 1|RDY", ready: "PB DONE|SMS DONE|+CPIN: READY",
    simGone: "+CPIN: NOT READY|+CPIN: SIM REMOVED|+SIMCARD: NOT AVAILABLE",
    pinTries: "AT+SPIC", reset: "AT+CRESET",
    receiverOn: "AT+CGNSSPWR=1", receiverOff: "AT+CGNSSPWR=0",
    http: http)

  private static let http = ModemHTTPStrings(
    secure: tls, longestBody: 153_600, longestAddress: 512, longestHeaders: 256)

  // TLS 1.2, and the server's name in the handshake (SNI): many servers need it, and modems do not
  // send it by default.
  private static let tls: StaticString =
    "AT+CSSLCFG=\"sslversion\",0,3|AT+CSSLCFG=\"enableSNI\",0,1|AT+HTTPPARA=\"SSLCFG\",0"
}
