/// What a device's HealthKit does that no documentation promises: reports from the field, each a knob of its own.
public enum HealthFlaw: String, Sendable, CaseIterable {
  case launchSentOnly, launchSilent, sheetIgnored, accessReset, accessRevoked, otherWorkout, deadSessionBlocks
  case mirrorSilent, mirrorSendFails, mirrorFails, mirrorEndLate, mirrorStays, slowRecovery, locked, syncHeld
  case noHeartRate, distanceBackwards, wakeOverruns

  /// What it does, for the reference page.
  public var about: String {
    switch self {
    case .launchSentOnly: "`startWatchApp` reports success, and the watch's app is not started (H1, H2); of the phone"
    case .launchSilent: "`startWatchApp` never completes, and starts nothing (H3); of the phone"
    case .sheetIgnored: "the user does not answer the sheet that asks for access (H4, H7)"
    case .accessReset: "at its begin every answer about access is forgotten, as after an installation (H6)"
    case .accessRevoked: "the user has taken the access away, and the app gets no notice of it (8.22)"
    case .otherWorkout: "at its begin another app starts a workout session, which ends this app's with code 8 (H9)"
    case .deadSessionBlocks: "a failed session that the app has neither ended nor released makes the next one fail (H8)"
    case .mirrorSilent: "mirroring starts without an error, and nothing of it arrives (H10)"
    case .mirrorSendFails: "one of four sends to the mirrored session fails with code 300 (H12)"
    case .mirrorFails: "at its begin the phone's mirrored session fails, and the watch's goes on (H15); of the phone"
    case .mirrorEndLate: "the end of a mirrored session is reported 5 to 30 s late (H13); of the phone"
    case .mirrorStays: "a mirror that was lost does not come back by itself (8.25); of the watch"
    case .slowRecovery: "`recoverActiveWorkoutSession` answers after 5 to 20 s (H17)"
    case .locked: "the store cannot be read, and what is saved is stored later (H20)"
    case .syncHeld: "no sample reaches the other device (H21); of the watch"
    case .noHeartRate: "the sensor gives no heart rate"
    case .distanceBackwards: "a workout's distance goes back by some metres now and then"
    case .wakeOverruns:
      "the second and each later background delivery ends the app after 15 s, though it has completed it (H23); of the"
        + " watch"
    }
  }

  /// What a story says of the device.
  var words: String {
    switch self {
    case .launchSentOnly: "startWatchApp starts nothing and says that it did"
    case .launchSilent: "startWatchApp never completes"
    case .sheetIgnored: "the user does not answer the sheet for Health access"
    case .accessReset: "Health access has to be asked for again"
    case .accessRevoked: "Health access is taken away"
    case .otherWorkout: "another app starts a workout"
    case .deadSessionBlocks: "a failed workout session blocks the next one"
    case .mirrorSilent: "mirroring delivers nothing"
    case .mirrorSendFails: "sends to the mirrored session fail now and then"
    case .mirrorFails: "the mirrored session fails"
    case .mirrorEndLate: "the end of a mirrored session is reported late"
    case .mirrorStays: "a lost mirror does not come back"
    case .slowRecovery: "the recovery of a workout answers late"
    case .locked: "Health data is locked"
    case .syncHeld: "Health data is not synchronised"
    case .noHeartRate: "the sensor gives no heart rate"
    case .distanceBackwards: "the measured distance goes back now and then"
    case .wakeOverruns: "an app that is woken for Health data is ended after 15 s"
    }
  }

  /// Those of a device's HealthKit.
  static func ones(of node: NodeRole) -> [Self] {
    let ofPhone: [Self] = [.launchSentOnly, .launchSilent, .mirrorFails, .mirrorEndLate]
    let ofBoth: [Self] = [.sheetIgnored, .accessReset, .accessRevoked, .mirrorSendFails, .locked]
    return node == .phone ? ofPhone + ofBoth : allCases.filter { !ofPhone.contains($0) }
  }
}

/// Makes a device's HealthKit do what was reported from the field.
public struct HealthFault: NodeFault {
  /// The device whose HealthKit it is.
  public var node: NodeRole
  public var flaw: HealthFlaw

  public init(_ node: NodeRole, _ flaw: HealthFlaw) {
    self.node = node
    self.flaw = flaw
  }

  public static let kind = "healthFlaw"
  public static let isForAppsOnly = true
  public static let example = Self(.watch, .otherWorkout)
  public static let page = FaultPage(
    about: "HealthKit of an app's device does what users have reported: one flaw for each fault; "
      + "`sim-runner faults healthFlaw` describes each.",
    formula: "from begin to end; what happens at the begin happens once. "
      + HealthFlaw.allCases.map { "`\($0.rawValue)`: \($0.about)." }.joined(separator: " "),
    reality:
      "Each has a report, or several, from apps on devices. H1 to H25 are their numbers;"
      + " [healthkit.md](healthkit.md#field-failures) has those that need no flaw.")
  public static let story = FaultStory(ending: "HealthKit works again") { fault in
    let words = fault.text("flaw").flatMap { HealthFlaw(rawValue: $0) }?.words
    return "HealthKit of the \(fault.device): \(words ?? "something is wrong")"
  }
  /// The cause of an app's death at a wake.
  public static let wakeDeath = "healthWake"
  public static let deaths = [
    (cause: wakeDeath, words: "its app is ended: a wake for Health data took longer than 15 s")
  ]
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(.watch, .otherWorkout),
    [
      Field(kind, \.node, .device, "the device whose HealthKit it is", .required),
      Field("flaw", \.flaw, .choice(HealthFlaw.allCases.map { ($0.rawValue, $0) }), "what is wrong", .required),
    ]
  ) { fault, reader in
    guard HealthFlaw.ones(of: fault.node).contains(fault.flaw) else {
      reader.value("flaw")?.refuse(
        expected:
          "one of a \(fault.node.text): \(HealthFlaw.ones(of: fault.node).map(\.rawValue).joined(separator: ", "))")
      return false
    }
    return true
  }

  public static func draw(_ dice: inout FaultDice) -> Self {
    let node = dice.pickApp()
    return Self(node, dice.pickElement(HealthFlaw.ones(of: node)))
  }

  public var orders: [NodeOrder] { [.spoilHealth(flaw)] }
}
