import FieldConsole
import SystemCalls
import Wording

/// A program that prints a few lines, abandoned when it takes too long.
final class BriefProgram {
  private let process: Int32
  private let output: Descriptor
  private var hasEnded = false

  /// Starts it, without input and without a terminal.
  ///
  /// - Returns: `nil` if it cannot be run.
  init?(_ words: [String]) {
    guard let pipe = try? DescriptorPipe() else { return nil }
    var spawn = Spawn(words)
    spawn.hasOwnGroup = true
    spawn.streams = [
      (StandardStream.input, .input("/dev/null")),
      (StandardStream.output, .descriptor(pipe.writeEnd.number)),
      (StandardStream.error, .output("/dev/null")),
    ]
    guard !words.isEmpty, let process = try? spawn.start() else { return nil }
    self.process = process
    // The write end is closed here, so that the output ends with the program.
    output = pipe.takeReadEnd()
  }

  deinit {
    guard !hasEnded else { return }
    send(.kill, toGroup: process)
    // One that hangs in the kernel on a disk ends later or never, so it is not waited for.
    for _ in 0..<20 where reap(process) == .running { pause(milliseconds: 2) }
  }

  /// Its output.
  ///
  /// - Parameter deadline: milliseconds of CLOCK_MONOTONIC.
  /// - Returns: `nil` if it has failed or was not done by then.
  func text(until deadline: Int64) -> String? {
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while text.count < ControlBounds.programOutput {
      let rest = deadline - KernelTimer.monotonic.milliseconds
      if poll(output.number, atMost: rest).isEmpty {
        // A signal may have come.
        if rest > 0 { continue }
        return nil
      }
      guard let count = try? output.read(into: &bytes) else { return nil }
      if count == 0 { return isGood(until: deadline) ? String(decoding: text, as: UTF8.self) : nil }
      text += bytes[..<count]
    }
    return nil
  }

  private func isGood(until deadline: Int64) -> Bool {
    while true {
      switch reap(process) {
      case .running: break
      case .ended(let end):
        hasEnded = true
        return end == .code(0)
      case .unknown:
        hasEnded = true
        return false
      }
      guard KernelTimer.monotonic.milliseconds < deadline else { return false }
      pause(milliseconds: 1)
    }
  }
}

/// What a process that does not answer is doing.
enum ProcessState {
  /// `process 812 is stopped (SIGSTOP)`; `nil` if it is gone.
  static func text(of process: Int32) -> Texts? {
    guard let state = state(of: process) else { return nil }
    let phrase: ProcessPhrase =
      switch state {
      case "T": .stopped
      case "t": .traced
      case "D": .waitsForDisk
      case "Z", "X": .ended
      default: .busy
      }
    return phrase.texts("\(process)")
  }

  /// The letter of the state (proc_pid_stat(5)).
  private static func state(of process: Int32) -> Character? {
    guard let line = line(of: "/proc/\(process)/stat"),
      // The name in front of it can contain anything.
      let end = line.lastIndex(of: ")")
    else { return nil }
    return line[line.index(after: end)...].first { $0 != " " }
  }

  /// The only process of a name; `nil` if there is none, or several.
  static func only(named name: String) -> Int32? {
    let processes = names(inFolder: "/proc").compactMap { Int32($0) }
      .filter { line(of: "/proc/\($0)/comm") == name }
    return processes.count == 1 ? processes.first : nil
  }

  private static func line(of path: String) -> String? { firstLine(of: path, atMost: 1024) }
}

/// What its process and systemd say about a trackerd that does not answer.
enum ProcessPhrase: String, Catalogue {
  case stopped, traced, waitsForDisk, ended, busy, noService, masked, systemd, restarted
  case listensNowhere

  var texts: Texts {
    switch self {
    case .stopped:
      Texts(
        ca: "el procés {1} està aturat (SIGSTOP)", es: "el proceso {1} está detenido (SIGSTOP)",
        en: "process {1} is stopped (SIGSTOP)", fr: "le processus {1} est arrêté (SIGSTOP)")
    case .traced:
      Texts(
        ca: "el procés {1} l'atura un depurador", es: "al proceso {1} lo detiene un depurador",
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
        fr: "le processus {1} est fini et n'a pas été recueilli")
    case .busy:
      Texts(
        ca: "el procés {1} està ocupat", es: "el proceso {1} está ocupado",
        en: "process {1} is busy", fr: "le processus {1} est occupé")
    case .noService:
      Texts(
        ca: "systemd: no hi ha trackerd.service", es: "systemd: no hay trackerd.service",
        en: "systemd: no trackerd.service", fr: "systemd : pas de trackerd.service")
    case .masked:
      Texts(
        ca: "systemd: emmascarat; primer: sudo systemctl unmask trackerd",
        es: "systemd: enmascarado; primero: sudo systemctl unmask trackerd",
        en: "systemd: masked, so first: sudo systemctl unmask trackerd",
        fr: "systemd : masqué ; d'abord : sudo systemctl unmask trackerd")
    case .listensNowhere:
      Texts(
        ca: "{1}, però ningú no escolta a {2}", es: "{1}, pero nadie escucha en {2}",
        en: "{1}, but nobody listens at {2}", fr: "{1}, mais personne n'écoute à {2}")
    case .systemd:
      Texts(
        ca: "systemd: {1}", es: "systemd: {1}", en: "systemd: {1}", fr: "systemd : {1}")
    case .restarted:
      Texts(
        ca: "engegat de nou {1} cop | engegat de nou {1} cops",
        es: "reiniciado {1} vez | reiniciado {1} veces",
        en: "restarted {1} time | restarted {1} times", fr: "relancé {1} fois | relancé {1} fois")
    }
  }
}
