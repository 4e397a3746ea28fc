/// The version of all the programs.
public let version = "0.1.0"
