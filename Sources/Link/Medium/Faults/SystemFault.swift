/// What a device's system does to an app beside HealthKit: each a knob of its own.
public enum SystemFlaw: String, Sendable, CaseIterable {
  case locationRevoked, noFix, coarseFix, audioInterrupted, speechLate, recognitionFails, notificationsOff
  case calendarRevoked, memoryLow

  /// What it does, for the reference page.
  public var about: String {
    switch self {
    case .locationRevoked: "the user takes away the access to the position; the app's delegate learns of it"
    case .noFix: "no satellite is received: positions cease, and `requestLocation` fails with 0 after 10 s"
    case .coarseFix: "positions are off by up to 100 m, and say so"
    case .audioInterrupted:
      "a call: the audio session is inactive and speech pauses; at the end the app learns that it may go on, that the call"
        + " is over, or nothing, one time in three each"
    case .speechLate: "each utterance begins 1 to 4 s late, as while another app gives the audio up"
    case .recognitionFails: "speech is not recognized, as without a network"
    case .notificationsOff: "the user has switched the app's notifications off"
    case .calendarRevoked: "the user takes away the access to appointments and reminders"
    case .memoryLow:
      "when it begins, a running phone app gets a memory warning; a watch's app gets none"
    }
  }

  /// What a story says of the device.
  var words: String {
    switch self {
    case .locationRevoked: "the access to the position is taken away"
    case .noFix: "no satellite is received"
    case .coarseFix: "the position is known to 100 m only"
    case .audioInterrupted: "a call comes in"
    case .speechLate: "speech begins late"
    case .recognitionFails: "speech is not recognized"
    case .notificationsOff: "notifications are switched off"
    case .calendarRevoked: "the access to the calendar is taken away"
    case .memoryLow: "memory is low"
    }
  }
}

/// Makes a device's system do to an app what systems and users do.
public struct SystemFault: NodeFault {
  /// The device whose system it is.
  public var node: NodeRole
  public var flaw: SystemFlaw

  public init(_ node: NodeRole, _ flaw: SystemFlaw) {
    self.node = node
    self.flaw = flaw
  }

  public static let kind = "systemFlaw"
  public static let isForAppsOnly = true
  public static let example = Self(.phone, .audioInterrupted)
  public static let page = FaultPage(
    about: "A device's system does to an app what is not in its hands: one flaw for each fault; "
      + "`sim-runner faults systemFlaw` describes each.",
    formula: "from begin to end. "
      + SystemFlaw.allCases.map { "`\($0.rawValue)`: \($0.about)." }.joined(separator: " "),
    reality:
      "Documented: access can be taken away at any time, an interruption need not have an end, tunnels have no"
      + " satellites. [device-modules.md](device-modules.md) says what each module makes of it.")
  public static let story = FaultStory(ending: "the system works again") { fault in
    let words = fault.text("flaw").flatMap { SystemFlaw(rawValue: $0) }?.words
    return "system of the \(fault.device): \(words ?? "something is wrong")"
  }
  /// The cause of an app's death by a task in the background.
  public static let taskDeath = "backgroundTask"
  public static let deaths = [
    (cause: taskDeath, words: "its app is ended: a task in the background took longer than the system allows")
  ]
  public static let parameters = besideDevice(
    Self(.phone, .audioInterrupted), "the device whose system it is",
    [Field("flaw", \.flaw, .choice(SystemFlaw.allCases.map { ($0.rawValue, $0) }), "what is wrong", .required)])

  public static func draw(_ dice: inout FaultDice) -> Self {
    let node = dice.pickApp()
    let flaw = dice.pickElement(SystemFlaw.allCases)
    return Self(flaw == .memoryLow ? .phone : node, flaw)
  }

  public var orders: [NodeOrder] { [.spoilSystem(flaw)] }
}
