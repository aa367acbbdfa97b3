/// The event `healthkit.access`.
public struct HealthAccessAnswered: NarratedEvent {
  public static let name: TraceEvent.Name = "healthkit.access"
  public static let about = "An app asked for Health access, and the user answered the sheet or left it open."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// The values of `answer`.
  public enum Answer: String, EventWord { case allowed, denied, none, earlier }

  public var types: Int64 = 0
  public var answer: Answer = .allowed

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("types", &types, "how many types were asked for")
    fields.field("answer", &answer, "`none` without an answer; `earlier` if all were answered before: no sheet")
  }

  public var sentence: EventSentence {
    switch answer {
    case .allowed: EventSentence("gets Health access for \(types) types", isRelief: true)
    case .denied: EventSentence("is denied Health access for some of \(types) types")
    case .none: EventSentence("asks for Health access, and the user does not answer")
    case .earlier: EventSentence("asks for Health access again, without a sheet", isRelief: true)
    }
  }
}

/// The event `healthkit.session`.
public struct HealthSessionChanged: NarratedEvent {
  public static let name: TraceEvent.Name = "healthkit.session"
  public static let about = "A workout session changes its state, or fails."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  /// The values of `to`.
  public enum State: String, EventWord { case notStarted, running, ended, paused, prepared, stopped }

  public var session: Int64 = 0
  public var to: State = .notStarted
  public var by: String = ""
  public var code: Int64?

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("session", &session, "its number on this device, from 1")
    fields.field("to", &to, "its state")
    fields.field("by", &by, "`app`, `phone` for the mirrored session, `system`, `reboot`")
    fields.field("code", &code, "of the error that ended it")
  }

  public var sentence: EventSentence {
    if let code { return EventSentence("loses its workout session \(session): HealthKit's error \(code)") }
    return EventSentence("has a workout session \(session) that is \(to.text)", isRelief: to == .running)
  }
}

/// The event `healthkit.refused`.
public struct HealthCallRefused: NarratedEvent {
  public static let name: TraceEvent.Name = "healthkit.refused"
  public static let about = "A call of HealthKit fails with an error, or has no effect."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var call: String = ""
  public var code: Int64?
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("call", &call, "the call")
    fields.field("code", &code, "of the error; none for a call that is ignored in silence")
    fields.field("why", &why, "what was found")
  }

  public var sentence: EventSentence {
    let how = code.map { "fails with \($0)" } ?? "has no effect"
    return EventSentence("calls HealthKit's \(call), which \(how): \(why)")
  }
}

/// The event `healthkit.saved`.
public struct HealthWorkoutSaved: NarratedEvent {
  public static let name: TraceEvent.Name = "healthkit.saved"
  public static let about = "A workout of an app is in the device's health store."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var workout: Identifier = .none
  public var activity: Int64 = 0
  public var active: Int64 = 0
  public var distance: Int64 = 0
  public var samples: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "its identifier")
    fields.field("activity", &activity, "its `HKWorkoutActivityType`")
    fields.field("active", &active, "its duration without pauses, in milliseconds")
    fields.field("distance", &distance, "the measured distance, in millimetres")
    fields.field("samples", &samples, "how many samples belong to it")
  }

  public var sentence: EventSentence {
    EventSentence("saves a workout: \(distance / 1_000) m in \(active / 1_000) s", isRelief: true)
  }
}

/// The event `healthkit.synced`.
public struct HealthSamplesSynced: NarratedEvent {
  public static let name: TraceEvent.Name = "healthkit.synced"
  public static let about = "Samples of the watch's health store arrive in the phone's."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var samples: Int64 = 0
  public var workouts: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("samples", &samples, "how many, workouts among them")
    fields.field("workouts", &workouts, "how many workouts")
  }

  public var sentence: EventSentence {
    let what = workouts > 0 ? "\(workouts) workouts and \(samples - workouts) samples" : "\(samples) samples"
    return EventSentence("gets \(what) from the watch's health store", isRelief: true)
  }
}

/// The event `healthkit.launch`.
public struct HealthLaunchAsked: NarratedEvent {
  public static let name: TraceEvent.Name = "healthkit.launch"
  public static let about = "The phone's app calls `startWatchApp`."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var activity: Int64 = 0
  public var outcome: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("activity", &activity, "the `HKWorkoutActivityType` of the configuration")
    fields.field("outcome", &outcome, "`sent`, `sentOnly` if nothing will start, `silent` if it never completes")
  }

  public var sentence: EventSentence {
    EventSentence("asks HealthKit to start the watch's app: \(outcome)", isRelief: true)
  }
}

/// The event `healthkit.launched`.
public struct HealthLaunched: NarratedEvent {
  public static let name: TraceEvent.Name = "healthkit.launched"
  public static let about = "HealthKit hands an app what it was started or woken for."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// The values of `why`.
  public enum Reason: String, EventWord { case workout, recovery, mirror, delivery }

  public var why: Reason = .workout

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "why", &why,
      "`workout` for `handle(_ workoutConfiguration:)`, `recovery` after a crash in a workout, `mirror` for a mirrored one,"
        + " `delivery` for an observer query"
    )
  }

  public var sentence: EventSentence {
    switch why {
    case .workout: EventSentence("is asked by the phone to begin a workout", isRelief: true)
    case .recovery: EventSentence("is started to recover its workout", isRelief: true)
    case .mirror: EventSentence("is started for a mirrored workout", isRelief: true)
    case .delivery: EventSentence("is woken for new Health data", isRelief: true)
    }
  }
}

/// The event `healthkit.mirror`.
public struct MirrorChanged: NarratedEvent {
  public static let name: TraceEvent.Name = "healthkit.mirror"
  public static let about = "The mirroring of a workout session begins, is lost or ends, as a device's app learns it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// The values of `to`.
  public enum State: String, EventWord { case asked, offered, lost, failed, closed }

  public var mirror: Int64 = 0
  public var to: State = .asked

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("mirror", &mirror, "its number: another one after each loss")
    fields.field(
      "to", &to,
      "`asked` on the watch; on the phone `offered` to the app's handler, `lost` and `failed` with an error, `closed`")
  }

  public var sentence: EventSentence {
    switch to {
    case .asked: EventSentence("mirrors its workout session to the phone", isRelief: true)
    case .offered: EventSentence("gets the mirrored workout session \(mirror)", isRelief: true)
    case .lost: EventSentence("loses the mirrored workout session \(mirror)")
    case .failed: EventSentence("learns that the mirrored workout session \(mirror) failed")
    case .closed: EventSentence("learns that the mirrored workout session \(mirror) is over", isRelief: true)
    }
  }
}

/// The event `healthkit.sent`.
public struct MirrorDataSent: TraceEventKind {
  public static let name: TraceEvent.Name = "healthkit.sent"
  public static let about = "An app sends data to the workout session on the other device."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var mirror: Int64 = 0
  public var bytes: Int64 = 0
  public var code: Int64?

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("mirror", &mirror, "the mirroring; 0 for none")
    fields.field("bytes", &bytes, "how many")
    fields.field("code", &code, "of the error; none for data that was accepted, which can still be lost")
  }
}

/// The event `healthkit.received`.
public struct MirrorDataReceived: TraceEventKind {
  public static let name: TraceEvent.Name = "healthkit.received"
  public static let about = "Data of the workout session on the other device is handed to the app."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var mirror: Int64 = 0
  public var bytes: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("mirror", &mirror, "the mirroring")
    fields.field("bytes", &bytes, "how many")
  }
}
