import FieldConsole
import SystemCalls
public import TrackerCore
import Wording

/// What a `HaltControl` works with.
public struct HaltParts {
  /// The clock that wakes the machine, as the kernel names it.
  var clock: String
  /// How long the machine takes to halt.
  var stopTime: Milliseconds
  /// The helper's socket; `nil`: this program has the right to set alarms and halt the machine.
  var helper: String?
  /// The folder in which `sys`, `dev` and `run` are.
  var root: String

  public init(clock: String, stopTime: Milliseconds, helper: String?, root: String) {
    (self.clock, self.stopTime, self.helper, self.root) = (clock, stopTime, helper, root)
  }
}

/// Why the machine is not halted although the tracker wants it.
enum HaltObstacle: Equatable {
  /// The tracker's clock runs faster than the machine's.
  case rehearsal
  /// Somebody has used the control socket lately.
  case console
  /// Somebody is logged in on the machine.
  case login
  /// A program forbids it to be shut down: apt, while it installs.
  case inhibited
  /// Something could not be written to the store.
  case unsaved
  /// Captures in a second store wait for the first one.
  case secondStore
  /// The alarm was not tested yet.
  case untested
  case noAlarm(SystemError)

  /// For the log: what, and what to do.
  var text: String {
    switch self {
    case .rehearsal: "in a rehearsal no machine is halted"
    case .console: "somebody is using trackerctl"
    case .login: "somebody is logged in"
    case .inhibited: "a program forbids a shutdown; see systemd-inhibit --list"
    case .unsaved: "orders or settings are not saved yet"
    case .secondStore: "a second store waits; see the error about it"
    case .untested: "the clock's alarm is being tested"
    case .noAlarm(let error): "the clock's alarm: \(error); check the clock's driver and overlay"
    }
  }
}

/// Halts the machine for the tracker, and tests at the start that the alarm works that is to start
/// it again.
///
/// A machine is never halted before its alarm was tested, while a person uses it, or if the clock
/// does not accept the alarm.
final class HaltControl: PollSource {
  private enum State {
    /// Exits: `ordering`.
    case untested
    /// Whoever may set alarms is doing it. Exits: `testing`, `ready`, `halting`, `failed`.
    case ordering(HaltOrder, giveUpAt: Instant)
    /// The alarm is set. Exits: `ordering`, `failed`.
    case testing(alarm: Int64, giveUpAt: Instant)
    /// Exits: `ordering`.
    case ready
    /// The alarm cannot be set, or does not go off. Exits: `ordering`.
    case failed(SystemError, retryAt: Instant)
    /// The machine is going down. Exits: `ordering`.
    case halting(giveUpAt: Instant)
  }

  private let parts: HaltParts
  private let settings: SettingsKeeper
  private let isRehearsal: Bool
  private let alarm: WakeAlarm?
  private let hand: HaltHand
  private var state = State.untested
  private var consoleAt: Instant?
  private var lastFailure: SystemError?
  private var refusal: (why: HaltObstacle, at: Instant)?

  /// - Parameter machine: where orders are carried out without a helper; `nil`: this machine.
  init(
    _ parts: HaltParts, _ settings: SettingsKeeper, isRehearsal: Bool, machine: MachineHalt? = nil
  ) {
    self.parts = parts
    self.settings = settings
    self.isRehearsal = isRehearsal
    alarm = WakeAlarm(parts.clock, below: parts.root)
    hand = HaltHand(machine ?? MachineHalt(root: parts.root), helper: parts.helper)
  }

  /// Whether it is not known yet if the alarm works.
  var isTesting: Bool {
    switch state {
    case .untested, .ordering, .testing: true
    case .ready, .failed, .halting: false
    }
  }

  private var isWanted: Bool { settings.configuration.sleep == .halt && !isRehearsal }

  /// Somebody asks or orders something.
  func heardConsole(at now: Instant) { consoleAt = now }

  /// The tracker wants the machine halted for this long.
  ///
  /// - Parameter obstacle: what the host knows that is against it.
  func halt(for time: Milliseconds, unless obstacle: HaltObstacle?, _ pass: inout Pass) {
    if let why = obstacle ?? ownObstacle(at: pass.now) { return refuse(why, &pass) }
    pass.log.write(.notice, "halting the machine", ["seconds": "\(time.count / 1000)"])
    order(.halt(time.count / 1000), &pass)
  }

  private func ownObstacle(at now: Instant) -> HaltObstacle? {
    if isRehearsal { return .rehearsal }
    switch state {
    case .ready: break
    case .failed(let error, _): return .noAlarm(error)
    case .untested, .ordering, .testing, .halting: return .untested
    }
    if let consoleAt, now - consoleAt < HostBounds.consoleStay { return .console }
    if Logind.isAnybodyLoggedIn(below: parts.root) { return .login }
    return Logind.isShutdownInhibited(below: parts.root) ? .inhibited : nil
  }

  private func refuse(_ why: HaltObstacle, _ pass: inout Pass) {
    pass.news.append(.event(.haltRefused))
    if let refusal, refusal.why == why, pass.now - refusal.at < HostBounds.haltRefusalPause {
      return
    }
    refusal = (why, pass.now)
    pass.log.write(.notice, "the machine is not halted", ["why": why.text])
  }

  // MARK: The loop

  func tend(_ pass: inout Pass) {
    switch state {
    case .untested where isWanted: order(.alarm(HostBounds.alarmTestSeconds), &pass)
    case .failed(_, let retryAt) where isWanted && pass.now >= retryAt:
      order(.alarm(HostBounds.alarmTestSeconds), &pass)
    case .ordering(let order, let giveUpAt):
      let late = Result<Int64, SystemError>.failure(SystemError(code: Errno.timedOut))
      guard let outcome = hand.outcome() ?? (pass.now >= giveUpAt ? late : nil) else { break }
      hand.end()
      ended(order, outcome, &pass)
    case .testing(let time, let giveUpAt): look(at: time, giveUpAt: giveUpAt, &pass)
    case .halting(let giveUpAt) where pass.now >= giveUpAt:
      pass.news.append(.event(.haltRefused))
      pass.log.write(.error, "the machine was ordered to halt, and still runs", [:])
      order(.clear, &pass)
    case .untested, .ready, .failed, .halting: break
    }
  }

  func register(in wait: inout LoopWait, at now: Instant) {
    switch state {
    case .untested, .ready: break
    case .ordering(_, let giveUpAt):
      if let descriptor = hand.descriptor { wait.add(descriptor) }
      wait.wake(at: hand.descriptor == nil ? now : giveUpAt)
    case .testing: wait.wake(at: now + HostBounds.alarmLook)
    case .failed(_, let retryAt): wait.wake(at: isWanted ? retryAt : nil)
    case .halting(let giveUpAt): wait.wake(at: giveUpAt)
    }
  }

  private func order(_ act: HaltOrder.Act, _ pass: inout Pass) {
    let order = HaltOrder(act, parts.clock)
    hand.begin(order)
    state = .ordering(order, giveUpAt: pass.now + HostBounds.haltHelperLimit)
  }

  private func ended(
    _ order: HaltOrder, _ outcome: Result<Int64, SystemError>, _ pass: inout Pass
  ) {
    switch (order.act, outcome) {
    case (.alarm, .success(let time)):
      state = .testing(alarm: time, giveUpAt: pass.now + HostBounds.alarmTestLimit)
    case (.clear, .success):
      state = .ready
      lastFailure = nil
    case (.halt, .success):
      state = .halting(giveUpAt: pass.now + parts.stopTime + HostBounds.haltPatience)
    case (let act, .failure(let error)):
      fail(error, &pass)
      if case .halt = act { refuse(.noAlarm(error), &pass) }
    }
  }

  /// Looks whether the alarm has gone off. The kernel does not hear one whose line leads to the
  /// supply instead of to the computer: then it is past, and still set.
  private func look(at time: Int64, giveUpAt: Instant, _ pass: inout Pass) {
    do throws(SystemError) {
      guard let alarm else { throw SystemError(code: Errno.invalid) }
      let set = try alarm.time()
      guard set == nil || set == time else {
        throw SystemError("read", "wakealarm", code: Errno.busy)
      }
      let date = try alarm.date()
      if set == nil || date > time {
        order(.clear, &pass)
      } else if pass.now >= giveUpAt {
        throw SystemError("wait for", "wakealarm", code: Errno.timedOut)
      }
    } catch { fail(error, &pass) }
  }

  private func fail(_ error: SystemError, _ pass: inout Pass) {
    if error != lastFailure {
      pass.log.write(
        .error, "the clock's alarm cannot be used; the machine stays awake",
        ["clock": parts.clock, "why": "\(error)"])
    }
    state = .failed(error, retryAt: pass.now + HostBounds.alarmTestRetry)
    lastFailure = error
  }

  // MARK: For people

  /// `nil`: the machine is never halted.
  var note: Texts? { isWanted ? HaltPhrase.sleeps.texts : nil }

  /// Why it is not, until somebody does something about it.
  var problem: Texts? {
    guard isWanted, case .failed(let error, _) = state else { return nil }
    return HaltPhrase.noAlarm.texts(parts.clock, SystemReason.texts(of: error.code))
  }
}

/// Gives orders to whoever may carry them out: the helper, or this program itself.
final class HaltHand {
  private let machine: MachineHalt
  /// The helper's socket.
  private let helper: String?
  private var socket: Descriptor?
  private var incoming = LineGathering(limit: HostBounds.haltOrderBytes)
  private var ready: Result<Int64, SystemError>?

  init(_ machine: MachineHalt, helper: String?) { (self.machine, self.helper) = (machine, helper) }

  /// Readable when there is an outcome; `nil`: there is one.
  var descriptor: Int32? { ready == nil ? socket?.number : nil }

  func begin(_ order: HaltOrder) {
    end()
    guard let helper else {
      ready = machine.obey(order)
      return
    }
    do throws(SystemError) {
      guard let address = UnixAddress(helper) else { throw SystemError(code: Errno.invalid) }
      // It does not wait: systemd takes the connection before the helper runs.
      let connection = try address.connected()
      guard try connection.send(Array("\(order.line)\n".utf8)) else {
        throw SystemError(code: Errno.again)
      }
      socket = consume connection
    } catch { ready = .failure(error.at(helper)) }
  }

  /// `nil`: not yet.
  func outcome() -> Result<Int64, SystemError>? {
    if let ready { return ready }
    guard socket != nil, let line = incoming.take(from: socket!).first else {
      return incoming.hasEnded ? .failure(SystemError(code: Errno.protocolError)) : nil
    }
    return HaltOrder.outcome(line)
  }

  func end() {
    socket = nil
    ready = nil
    incoming = LineGathering(limit: HostBounds.haltOrderBytes)
  }
}

/// What systemd-logind keeps in `/run/systemd` of who uses the machine.
///
/// Root may shut it down in spite of all that, so it has to be asked for.
enum Logind {
  /// - Parameter root: the folder in which `run` is.
  static func isAnybodyLoggedIn(below root: String) -> Bool {
    isAny("sessions", below: root) { lines in
      // `user-early` is root's since systemd 256 (pam_systemd(8)); `manager` is nobody's session.
      lines.contains { $0 == "CLASS=user" || $0.hasPrefix("CLASS=user-") }
        && !lines.contains("STATE=closing")
    }
  }

  /// Whether a program has taken a lock against shutdowns (systemd-inhibit(1)), and not only to
  /// delay them, which they do by themselves.
  static func isShutdownInhibited(below root: String) -> Bool {
    isAny("inhibit", below: root) { lines in
      lines.contains { $0 == "MODE=block" || $0 == "MODE=block-weak" }
        && lines.contains { line in
          line.hasPrefix("WHAT=")
            && line.dropFirst(5).split(separator: ":").contains("shutdown")
        }
    }
  }

  private static func isAny(
    _ kind: String, below root: String, _ isMeant: ([Substring]) -> Bool
  ) -> Bool {
    let folder = "\(root == "/" ? "" : root)/run/systemd/\(kind)"
    return names(inFolder: folder).contains { name in
      guard !name.hasSuffix(".ref"),
        let file = try? Descriptor(opening: "\(folder)/\(name)", [.read, .nonBlocking]),
        let bytes = try? file.firstBytes(atMost: HostBounds.loginBytes)
      else { return false }
      return isMeant(String(decoding: bytes, as: UTF8.self).split(separator: "\n"))
    }
  }
}

enum HaltPhrase: String, Catalogue {
  case sleeps, noAlarm

  var texts: Texts {
    switch self {
    case .sleeps:
      Texts(
        ca: "l'ordinador s'atura entre captures; per tenir-lo despert: set sleep never",
        es: "el ordenador se para entre capturas; para mantenerlo despierto: set sleep never",
        en: "the computer is halted between captures; to keep it awake: set sleep never",
        fr: "l'ordinateur s'arrête entre les captures ; pour le garder éveillé : set sleep never")
    case .noAlarm:
      Texts(
        ca: "l'ordinador queda despert, perquè l'alarma de {1} no va: {2}",
        es: "el ordenador sigue despierto, porque la alarma de {1} no funciona: {2}",
        en: "the computer stays awake, as the alarm of {1} does not work: {2}",
        fr: "l'ordinateur reste éveillé, car l'alarme de {1} ne marche pas : {2}")
    }
  }
}
