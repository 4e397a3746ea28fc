public import TrackerCore
public import Wording

/// What a process does that does not answer.
public enum ProcessText: String, Catalogue {
  case stopped, traced, waitsForDisk, ended, busy

  public var texts: Texts {
    switch self {
    case .stopped:
      Texts(
        ca: "el procés {1} està aturat (SIGSTOP)", es: "el proceso {1} está parado (SIGSTOP)",
        en: "process {1} is stopped (SIGSTOP)", fr: "le processus {1} est arrêté (SIGSTOP)")
    case .traced:
      Texts(
        ca: "un depurador té aturat el procés {1}", es: "un depurador tiene parado el proceso {1}",
        en: "process {1} is stopped by a debugger",
        fr: "le processus {1} est arrêté par un débogueur")
    case .waitsForDisk:
      Texts(
        ca: "el procés {1} espera un disc", es: "el proceso {1} espera un disco",
        en: "process {1} waits for a disk", fr: "le processus {1} attend un disque")
    case .ended:
      Texts(
        ca: "el procés {1} s'ha acabat i ningú no l'ha recollit",
        es: "el proceso {1} ha terminado y nadie lo ha recogido",
        en: "process {1} has ended and is not reaped",
        fr: "le processus {1} est fini, et personne ne l'a recueilli")
    case .busy:
      Texts(
        ca: "el procés {1} està ocupat", es: "el proceso {1} está ocupado",
        en: "process {1} is busy", fr: "le processus {1} est occupé")
    }
  }

  /// - Parameter state: as `TrackerFacts.process` has it.
  public static func text(_ state: String, in language: Language) -> String? {
    let words = state.split(separator: " ").map(String.init)
    guard words.count == 2, let text = ProcessText(rawValue: words[0]) else { return nil }
    return text.text(in: language, words[1])
  }
}
