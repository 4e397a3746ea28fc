extension DrivenBrowser {
  /// Opens the control room's page, where nobody has to log in.
  ///
  /// - Parameter name: what a person types before acting.
  public func enterRoom(of camp: CampServer, as name: String) throws {
    try open("http://127.0.0.1:\(camp.port)/room")
    try eventually("the question") { try text("#siren").contains("May this browser") }
    try agreeToSiren()
    try type(name, into: "#me")
  }

  /// What the page does about an emergency: `sounds`, `shows` or nothing.
  public func siren() throws -> String {
    try value("document.body.dataset.siren || ''") as? String ?? ""
  }

  /// Agrees to the siren, and waits for the end of what it sounds like.
  public func agreeToSiren() throws {
    _ = try value(
      "window.heard = []; new MutationObserver(() => heard.push(document.body.dataset.siren))"
        + ".observe(document.body, { attributes: true, attributeFilter: ['data-siren'] }); 1")
    try click("[data-key=sirenYes]")
    try eventually("its sound") { try value("heard.includes('sounds')") as? Bool == true }
    try eventually("its end") { try siren().isEmpty }
  }

  /// Presses "read" of the first emergency.
  public func readEmergency() throws { try click("[data-key^=take]") }
}
