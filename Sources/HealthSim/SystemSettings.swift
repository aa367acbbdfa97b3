package import Link

/// What a scenario says of its devices' systems beside HealthKit.
package struct SystemSettings: Sendable, Equatable {
  /// What the user answers when an app asks for a service.
  package var answer = HealthSettings.Answer.allow
  /// Services to which access is denied, whatever the answer to the others.
  package var denied: [DeviceService] = []
  /// How long the user takes to answer.
  package var answerAfter = VirtualTime.Span.seconds(2)
  /// Whether both apps were given all access before the run.
  package var isAllowedBefore = false
  /// What positions say of their error, in metres.
  package var accuracy: Int64 = 5
  /// Whether another app plays music on both devices.
  package var hasMusic = false
  /// Whether the user allows Live Activities.
  package var hasLiveActivities = true
  /// What a turn of an app uses of the processor; 0 if that is not counted.
  package var costOfTurn = VirtualTime.Span.zero
  /// The appointments and reminders of the athlete.
  package var appointments: [SystemAppointment] = []
  package var reminders: [SystemReminder] = []
  /// What the athlete says, for recordings.
  package var says: [SystemSaying] = []

  package init() {}
}

/// An appointment of the athlete.
package struct SystemAppointment: Sendable, Equatable {
  package var title = ""
  /// Since the run's start.
  package var at = VirtualTime.start
  package var length = VirtualTime.Span.seconds(3_600)
  package var calendar = "Work"
  package var isAllDay = false

  package init() {}
}

/// A reminder of the athlete.
package struct SystemReminder: Sendable, Equatable {
  package var title = ""
  /// When it is due, since the run's start; nil for no date.
  package var due: VirtualTime?
  package var isDone = false
  /// As EventKit numbers it: 0 none, 1 highest, 9 lowest.
  package var priority: Int64 = 0

  package init() {}
}

/// Something that the athlete says aloud.
package struct SystemSaying: Sendable, Equatable {
  package var at = VirtualTime.start
  package var text = ""

  package init() {}
}

/// What a device's system keeps for its app, beside HealthKit.
struct SystemState: Sendable {
  var flaws: [SystemFlaw] = []
  /// Number of the app's starts: what was begun for an earlier one is not answered.
  var start: Int64 = 0
  /// Whether the system has suspended the app.
  var isAppAsleep = false
  /// By service: 0 not asked, 1 denied, 2 allowed, 3 always or write-only.
  var permissions: [DeviceService: Int64] = [:]
  /// Services whose second question, for more access, was asked.
  var upgradesAsked: Set<DeviceService> = []
  var position = PositionState()
  var motion = MotionState()
  var voice = VoiceState()
  var notices = NoticeState()
  var calendar = CalendarState()

  func has(_ flaw: SystemFlaw) -> Bool { flaws.contains(flaw) }
}

extension HealthDaemon {
  var settings: SystemSettings { setup.system }

  /// Carries out a call of a module beside HealthKit; false if there is none of that name.
  mutating func carryOutSystem(_ request: DeviceMessage, family: Substring) -> Bool {
    // Own timers of an earlier start of the app.
    let start = request.fields.integer("start")
    if start != 0, start != system.start { return true }
    switch family {
    case "permission": carryOutPermission(request)
    case "location": carryOutLocation(request)
    case "motion": carryOutMotion(request)
    case "audio": carryOutAudio(request)
    case "speech": carryOutSpeech(request)
    case "record": carryOutRecording(request)
    case "recognize": carryOutRecognition(request)
    case "notice": carryOutNotice(request)
    case "activity": carryOutActivity(request)
    case "calendar": carryOutCalendar(request)
    case "life": carryOutLife(request)
    default: return false
    }
    return true
  }

  /// Does something later, unless the app has died by then.
  mutating func schedule(_ name: String, _ fields: KeyValuePairs<String, DeviceValue>, after span: VirtualTime.Span) {
    var message = DeviceMessage(name, fields)
    message.fields.append(DeviceField("start", .integer(system.start)))
    schedule(message, after: span)
  }

  /// Fails a call of a module beside HealthKit, and records it.
  mutating func refuseCall(_ request: DeviceMessage, _ call: String, code: Int64, _ why: String) {
    recordRefusal(call, code: code, why)
    answer(request, code: code, text: why)
  }

  mutating func recordRefusal(_ call: String, code: Int64? = nil, _ why: String) {
    record(DeviceCallRefused.self) {
      $0.call = call
      $0.code = code
      $0.why = why
    }
  }

  // MARK: Life of the app

  /// Whether a new process of the app has something to learn.
  var hasNews: Bool { wasAppKnown || settings != SystemSettings() }

  /// Tells a new process what it can ask for without waiting.
  mutating func startSystem() {
    system.start += 1
    system.isAppAsleep = false
    guard hasNews else { return }
    tell(
      DeviceMessage(
        "system",
        [
          "music": .flag(system.voice.music == .playing), "activities": .flag(settings.hasLiveActivities),
          "interrupted": .flag(system.voice.isInterrupted), "shown": .list(system.notices.activities.map(\.encoded)),
          "says": .list(
            settings.says.map {
              .record([
                DeviceField("at", .integer(setup.startedAt &+ ($0.at - .start).nanoseconds)),
                DeviceField("text", .text($0.text)),
              ])
            }),
        ]))
    for service in DeviceService.allCases where permission(service) != 0 { tellPermission(service) }
  }

  /// The app has died: positions, steps and sound end with it.
  mutating func stopSystem() {
    system.position.managers = [:]
    system.position.compasses = []
    system.motion.pedometers = []
    system.motion.watchers = []
    stopVoice()
  }

  /// Begins or ends a flaw.
  mutating func set(_ flaw: SystemFlaw, isOn: Bool) {
    let before = DeviceService.allCases.map { permission($0) }
    if isOn {
      system.flaws.append(flaw)
    } else if let index = system.flaws.firstIndex(of: flaw) {
      system.flaws.remove(at: index)
    }
    for (service, earlier) in zip(DeviceService.allCases, before) where permission(service) != earlier {
      record(DeviceAccessAnswered.self) {
        $0.service = service.rawValue
        $0.answer = isOn ? .revoked : .restored
      }
      tellPermission(service)
    }
    switch flaw {
    case .audioInterrupted: isOn ? interrupt() : endInterruption()
    case .noFix: if isOn, system.position.isFixed { loseFix() }
    case .memoryLow: if isOn { warnOfMemory() }
    default: break
    }
  }

  /// Whether each second of the body matters to a module beside HealthKit.
  var needsSeconds: Bool {
    !system.position.managers.isEmpty || !system.position.compasses.isEmpty || !system.motion.isIdle
  }

  /// A second of the athlete has passed.
  mutating func measureSystem(_ reading: BodyReading, second: Int64) {
    measureMotion(reading, second)
    measureHeading(reading, second)
    measurePosition(reading, second)
  }
}

/// Access to services.
extension HealthDaemon {
  /// What applies now, with what a fault has taken away.
  func permission(_ service: DeviceService) -> Int64 {
    var state = system.permissions[service] ?? 0
    if settings.isAllowedBefore, system.permissions[service] == nil {
      state = settings.denied.contains(service) ? 1 : 2
    }
    guard state > 1 else { return state }
    switch service {
    case .location where system.has(.locationRevoked), .notifications where system.has(.notificationsOff),
      .events where system.has(.calendarRevoked), .reminders where system.has(.calendarRevoked):
      return 1
    default: return state
    }
  }

  mutating func carryOutPermission(_ request: DeviceMessage) {
    guard let service = DeviceService(rawValue: request.fields.text("service")) else {
      return recordRefusal(request.name, "no service of that name")
    }
    switch request.name {
    case "permission.request": ask(service, request)
    case "permission.answer": receiveAnswer(service, request)
    default: recordRefusal(request.name, "no call of that name")
    }
  }

  private mutating func ask(_ service: DeviceService, _ request: DeviceMessage) {
    let (state, wanted) = (permission(service), request.fields.integer("wanted"))
    // More than was given can be asked for once: a position always, a calendar to read.
    let isUpgrade =
      (service == .location && state == 2 && wanted == 3 || service == .events && state == 3 && wanted == 2)
      && !system.upgradesAsked.contains(service)
    guard state == 0 || isUpgrade else {
      record(DeviceAccessAnswered.self) {
        $0.service = service.rawValue
        $0.answer = .earlier
      }
      return answer(request, code: 0, text: "", [DeviceField("status", .integer(state))])
    }
    if isUpgrade { system.upgradesAsked.insert(service) }
    schedule(
      "permission.answer",
      [
        "service": .text(service.rawValue), "wanted": .integer(wanted), "upgrade": .flag(isUpgrade),
        "id": .integer(request.fields.integer("id")),
      ], after: settings.answerAfter)
  }

  private mutating func receiveAnswer(_ service: DeviceService, _ request: DeviceMessage) {
    func recordAnswer(_ answer: DeviceAccessAnswered.Answer, _ daemon: inout HealthDaemon) {
      daemon.record(DeviceAccessAnswered.self) {
        $0.service = service.rawValue
        $0.answer = answer
      }
    }
    guard settings.answer != .ignore else { return recordAnswer(.none, &self) }
    let allows = settings.answer == .allow && !settings.denied.contains(service)
    let (wanted, isUpgrade) = (request.fields.integer("wanted"), request.fields.flag("upgrade"))
    if allows {
      // The first question about the position offers no more than its use.
      system.permissions[service] = service == .location && !isUpgrade ? 2 : max(wanted, 2)
    } else if !isUpgrade {
      system.permissions[service] = 1
    }
    let state = permission(service)
    let allowed: DeviceAccessAnswered.Answer =
      state == 3 ? (service == .location ? .always : .writeOnly) : .allowed
    recordAnswer(allows ? allowed : .denied, &self)
    tellPermission(service)
    answer(request, code: 0, text: "", [DeviceField("status", .integer(state))])
  }

  /// Tells the app what it may do, which it reads without waiting.
  mutating func tellPermission(_ service: DeviceService) {
    if service == .events || service == .reminders { tellCalendar() }
    tell(
      DeviceMessage("permission", ["service": .text(service.rawValue), "status": .integer(permission(service))]))
  }

  /// A watch's app has the phone's access to the calendar.
  mutating func inherit(_ other: HealthDaemon) {
    for service in [DeviceService.events, .reminders] where system.permissions[service] != other.permission(service) {
      let state = other.permission(service)
      guard state != 0 else { continue }
      system.permissions[service] = state
      if wasAppKnown { tellPermission(service) }
    }
  }

  /// Asks for a service that an app uses without having asked, as the system does; true if it may be used.
  mutating func mayUse(_ service: DeviceService) -> Bool {
    if permission(service) == 0, !system.upgradesAsked.contains(service) {
      system.upgradesAsked.insert(service)
      schedule(
        "permission.answer", ["service": .text(service.rawValue), "wanted": .integer(2)], after: settings.answerAfter)
    }
    return permission(service) >= 2
  }
}
