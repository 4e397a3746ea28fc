extension ModemScript {
  /// What the three families have in common besides 3GPP's commands: the query for the PIN tries
  /// left. It is in the manuals of all series.
  static let simcom = builtIn(
    #"""
    like generic

    > AT+SPIC if uncounted
    < ERROR

    > AT+SPIC if twoWrong
    < +SPIC: 1,10,3,10
    < OK

    > AT+SPIC if oneWrong
    < +SPIC: 2,10,3,10
    < OK

    > AT+SPIC
    < +SPIC: 3,10,3,10
    < OK

    > AT+CGPS=1
    ! clear receiverOff
    < OK

    > AT+CGPS=0
    ! set receiverOff
    < OK
    """#, "simcom")

  /// SIM5320E. SIM5320 AT Command Manual V2.02, Hardware Design V1.07 (serial line ready within 5
  /// s, off within 7.5 s); boot messages from github.com/axjtan/SIM5320E-3G-Module. It has no LTE,
  /// and its HTTP commands are different and not supported here.
  static let sim5320 = builtIn(
    #"""
    like simcom
    key on 64 ms off 500 ms
    off takes 6 s

    at boot
      0 ms   ! set starting
      5 s    START
      5 s    ! clear starting
      7 s    +CPIN: READY if sim
      7 s    +CPIN: SIM PIN if locked
      7 s    +SIMCARD: NOT AVAILABLE if noSIM
      12 s   SMS DONE if sim
      15 s   PB DONE if sim

    > AT+CREG?;+CGREG?;+CEREG?
    < ERROR

    > AT+CEREG?
    < ERROR

    > AT+CREG?;+CGREG? if denied
    < +CREG: 0,3
    < +CGREG: 0,3
    < OK

    > AT+CREG?;+CGREG? if searching
    < +CREG: 0,2
    < +CGREG: 0,2
    < OK

    > AT+CGSN
    < 356370040000007
    < OK

    > AT+CSQ
    < +CSQ: 22,0
    < OK

    # With the access technology (2: UTRAN), as all three manuals have it.
    > AT+COPS? if not searching
    < +COPS: 0,0,"Movistar",2
    < OK

    # It joins the data network when the bearer is asked for.
    > AT+CREG?;+CGREG? if not searching
    < +CREG: 0,1
    < +CGREG: 0,0
    < OK

    > AT+CMGS="*" if not searching
    << \r\n>\x20
    ! text
    wait 3 s
    < +CMGS: 12
    < OK
    """#, "sim5320")

  /// SIM7600E on a HAT. SIM7500_SIM7600 Series AT Command Manual V3.00; boot messages and times
  /// from SIM7600E/-H Hardware Design V1.01 (serial line ready after 11 s, off after 14 s and
  /// more).
  static let sim7600 = builtIn(
    #"""
    like simcom
    http sim7600
    key on 100 ms off 2500 ms
    off takes 15 s

    at boot
      0 ms   ! set starting
      11 s   RDY
      11 s   ! clear starting
      12 s   +CPIN: READY if sim
      12 s   +CPIN: SIM PIN if locked
      12 s   +SIMCARD: NOT AVAILABLE if noSIM
      14 s   SMS DONE if sim
      20 s   PB DONE if sim

    > AT+CGSN
    < 351602000330570
    < OK

    > AT+CBC
    < +CBC: 3.591V
    < OK

    > AT+COPS? if not searching
    < +COPS: 0,0,"Movistar",7
    < OK

    > AT+CPOF
    < OK
    < NORMAL POWER DOWN
    ! off

    > AT+CGPS=0
    ! set receiverOff
    < OK
    wait 2 s
    < +CGPS: 0
    """#, "sim7600")

  /// A7670E. A76XX Series AT Command Manual V1.09, A7670 Hardware Design V1.06 (serial line ready
  /// after 11.1 s, off within 2 s).
  static let a7670 = builtIn(
    #"""
    like simcom
    http a7670
    key on 50 ms off 2500 ms
    off takes 2 s
    search takes 2 s

    at boot
      0 ms   ! set starting
      9 s    *ATREADY: 1
      9 s    ! clear starting
      10 s   +CPIN: READY if sim
      10 s   +CPIN: SIM PIN if locked
      10 s   +SIMCARD: NOT AVAILABLE if noSIM
      11 s   +CGEV: EPS PDN ACT 1 if sim
      12 s   SMS DONE if sim
      13 s   PB DONE if sim

    > AT+CGSN
    < 861234050000008
    < OK

    > AT+CSQ
    < +CSQ: 24,99
    < OK

    > AT+CBC
    < +CBC: 3.900V
    < OK

    > AT+COPS? if not searching
    < +COPS: 0,0,"Orange",7
    < OK

    # Calls are elsewhere: a SIM for data only.
    > AT+CREG?;+CGREG?;+CEREG? if not searching
    < +CREG: 0,3
    < +CGREG: 0,0
    < +CEREG: 0,5
    < OK

    > AT+CGPS=1
    < ERROR

    > AT+CGPS=0
    < ERROR

    > AT+CGNSSPWR=1
    ! clear receiverOff
    < OK

    > AT+CGNSSPWR=0
    ! set receiverOff
    < OK

    > AT+CMGS="*" if not searching
    << \r\n>\x20
    ! text
    wait 2 s
    < +CMGS: 7
    < OK
    """#, "a7670")
}
