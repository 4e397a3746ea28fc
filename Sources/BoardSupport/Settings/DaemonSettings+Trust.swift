public import TrackerCore

extension DaemonSettings {
  /// Checks that a modem that speaks TLS itself has a certificate to trust.
  public func checkTrust(of bearer: Bearer) throws(FileError) {
    guard bearer == .modem, network.modemAuthority == nil,
      try server.address.path().lowercased().hasPrefix("https://")
    else { return }
    throw server.address.error(
      "bearer \"modem\" needs a certificate to trust; add "
        + "network: { modemAuthority: \"ca.pem\" }, a file in the modem's storage")
  }
}
