import TrackerCore

extension ModemScript {
  /// The built-in script of a family.
  public init(family: ModemFamily) {
    switch family {
    case .generic: self = .generic
    case .sim5320: self = .sim5320
    case .sim7600: self = .sim7600
    case .a7670: self = .a7670
    }
  }

  /// A built-in script by the name used with `like`.
  static func family(_ name: Substring) -> ModemScript? {
    switch name {
    case "generic": .generic
    case "simcom": .simcom
    case "sim5320": .sim5320
    case "sim7600": .sim7600
    case "a7670": .a7670
    default: nil
    }
  }

  /// Only called with texts of this module, which are all tested.
  static func builtIn(_ text: String, _ name: String) -> ModemScript {
    do throws(ModemScriptError) {
      return try ModemScript(text, name: name)
    } catch {
      preconditionFailure("a built-in script cannot be read: \(error)")
    }
  }

  /// Only what 3GPP TS 27.007 and 27.005 require of every modem. Times and identities are not those
  /// of a particular modem.
  static let generic = builtIn(
    #"""
    key on 100 ms off 500 ms
    off takes 5 s
    search takes 8 s

    at boot
      0 ms   ! set starting
      5 s    RDY
      5 s    ! clear starting
      6 s    +CPIN: READY if sim
      6 s    +CPIN: SIM PIN if locked

    > AT+CPIN? if noSIM
    < +CME ERROR: 10

    > AT+CPIN? if blocked
    < +CPIN: SIM PUK
    < OK

    > AT+CPIN? if locked
    < +CPIN: SIM PIN
    < OK

    > AT+CPIN?
    < +CPIN: READY
    < OK

    # Three tries: oneWrong, twoWrong and blocked tell how many are gone. While uncounted holds the
    # modem does not know the question for them.
    > AT+CPINR if uncounted
    < ERROR

    > AT+CPINR if twoWrong
    < +CPINR: SIM PIN,1,3
    < OK

    > AT+CPINR if oneWrong
    < +CPINR: SIM PIN,2,3
    < OK

    > AT+CPINR
    < +CPINR: SIM PIN,3,3
    < OK

    > AT+CPIN="$PIN" if locked
    ! clear locked
    < OK
    wait 800 ms
    < +CPIN: READY

    > AT+CPIN="*" if not locked
    < +CME ERROR: 3

    > AT+CPIN="*" if twoWrong
    ! set blocked
    < +CME ERROR: 12

    > AT+CPIN="*" if oneWrong
    ! set twoWrong
    < +CME ERROR: 16

    > AT+CPIN="*"
    ! set oneWrong
    < +CME ERROR: 16

    > AT+CIMI if noSIM
    < +CME ERROR: 10

    > AT+CIMI if locked
    < +CME ERROR: 11

    > AT+CIMI
    < 214070000000001
    < OK

    > AT+CGSN
    < 490154203237518
    < OK

    > AT+CSQ
    < +CSQ: 15,99
    < OK

    > AT+CBC
    < +CBC: 0,75,3.810V
    < OK

    > AT+COPS? if searching
    < +COPS: 0
    < OK

    > AT+COPS?
    < +COPS: 0,2,"21407"
    < OK

    > AT+CGDCONT=1,"IP","*"
    < OK

    > AT+CREG?;+CGREG?;+CEREG? if denied
    < +CREG: 0,3
    < +CGREG: 0,3
    < +CEREG: 0,3
    < OK

    > AT+CREG?;+CGREG?;+CEREG? if searching
    < +CREG: 0,2
    < +CGREG: 0,2
    < +CEREG: 0,2
    < OK

    > AT+CREG?;+CGREG?;+CEREG?
    < +CREG: 0,1
    < +CGREG: 0,1
    < +CEREG: 0,1
    < OK

    > AT+CREG? if denied
    < +CREG: 0,3
    < OK

    > AT+CREG? if searching
    < +CREG: 0,2
    < OK

    > AT+CREG?
    < +CREG: 0,1
    < OK

    > AT+CGREG? if denied
    < +CGREG: 0,3
    < OK

    > AT+CGREG? if searching
    < +CGREG: 0,2
    < OK

    > AT+CGREG?
    < +CGREG: 0,1
    < OK

    > AT+CEREG? if denied
    < +CEREG: 0,3
    < OK

    > AT+CEREG? if searching
    < +CEREG: 0,2
    < OK

    > AT+CEREG?
    < +CEREG: 0,1
    < OK

    > AT+CFUN=4
    ! set radioOff
    < OK

    > AT+CFUN=1
    ! clear radioOff
    < OK

    > AT+CFUN=0
    ! set radioOff
    < OK

    > AT+CNMI=*
    < OK

    > AT+CMGF=1
    < OK

    > AT+CMGS="*" if searching
    << \r\n>\x20
    ! text
    wait 2 s
    < +CMS ERROR: 331

    > AT+CMGS="*"
    << \r\n>\x20
    ! text
    wait 2 s
    < +CMGS: 5
    < OK
    """#, "generic")
}
