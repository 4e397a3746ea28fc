/// The version of all programs.
public let version = "0.1.0"
