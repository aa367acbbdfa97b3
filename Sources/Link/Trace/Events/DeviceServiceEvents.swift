/// The event `device.access`.
public struct DeviceAccessAnswered: NarratedEvent {
  public static let name: TraceEvent.Name = "device.access"
  public static let about = "An app asked for a service of its device, and the user answered; or the answer changed."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// The values of `answer`.
  public enum Answer: String, EventWord { case allowed, always, writeOnly, denied, none, earlier, revoked, restored }

  public var service: String = ""
  public var answer: Answer = .allowed

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("service", &service, "what was asked for: " + DeviceService.list)
    fields.field(
      "answer", &answer,
      "`always` and `writeOnly` for these kinds of access; `none` without an answer; `earlier` without a question;"
        + " `revoked` and `restored` by a fault")
  }

  public var sentence: EventSentence {
    switch answer {
    case .allowed, .always, .writeOnly: EventSentence("is allowed \(service)", isRelief: true)
    case .denied: EventSentence("is denied \(service)")
    case .none: EventSentence("asks for \(service), and the user does not answer")
    case .earlier: EventSentence("asks for \(service) again, without a question", isRelief: true)
    case .revoked: EventSentence("loses its access to \(service)")
    case .restored: EventSentence("has its access to \(service) again", isRelief: true)
    }
  }
}

/// What an app may ask its user for, beside Health.
public enum DeviceService: String, Sendable, CaseIterable {
  case location, motion, microphone, speechRecognition, notifications, events, reminders

  static let list = allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
}

/// The event `device.location`.
public struct DeviceLocationChanged: NarratedEvent {
  public static let name: TraceEvent.Name = "device.location"
  public static let about = "A device begins to give its app positions, finds the first one, or stops."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// The values of `to`.
  public enum State: String, EventWord { case started, fixed, stopped, lost }

  public var to: State = .started
  public var accuracy: Int64?

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("to", &to, "`fixed` with the first position, `lost` when a fault keeps the satellites away")
    fields.field("accuracy", &accuracy, "of the first position, in metres")
  }

  public var sentence: EventSentence {
    switch to {
    case .started: EventSentence("looks for its position", isRelief: true)
    case .fixed: EventSentence("knows its position", isRelief: true)
    case .stopped: EventSentence("no longer follows its position", isRelief: true)
    case .lost: EventSentence("loses its position")
    }
  }
}

/// The event `device.spoke`.
public struct DeviceSpoke: NarratedEvent {
  public static let name: TraceEvent.Name = "device.spoke"
  public static let about = "A device begins to speak an app's utterance."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]
  /// The limit of the text in bytes.
  public static let textBytesMax = 1024

  public var utterance: Int64 = 0
  public var waited: Int64 = 0
  public var lasts: Int64 = 0
  public var text: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("utterance", &utterance, "its number on this device, from 1")
    fields.field("waited", &waited, "how long after the app's call, in milliseconds")
    fields.field("lasts", &lasts, "how long it will take, in milliseconds")
    fields.field("text", &text, "what is said, cut after \(Self.textBytesMax) bytes")
  }

  public var sentence: EventSentence {
    let late = waited >= 1_000 ? ", \(waited / 1_000) s after it was asked to" : ""
    return EventSentence("says \"\(text)\"\(late)", isRelief: late.isEmpty)
  }
}

/// The event `device.silent`.
public struct DeviceFellSilent: NarratedEvent {
  public static let name: TraceEvent.Name = "device.silent"
  public static let about = "An utterance ends, or is taken out of the queue."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// The values of `how`.
  public enum Ending: String, EventWord { case finished, cancelled, paused, died }

  public var utterance: Int64 = 0
  public var how: Ending = .finished

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("utterance", &utterance, "its number")
    fields.field("how", &how, "`paused` may go on later; `died` with its app")
  }

  public var sentence: EventSentence {
    switch how {
    case .finished: EventSentence("has said utterance \(utterance)", isRelief: true)
    case .cancelled: EventSentence("gives up utterance \(utterance)")
    case .paused: EventSentence("stops in utterance \(utterance)")
    case .died: EventSentence("falls silent in utterance \(utterance), as its app is gone")
    }
  }
}

/// The event `device.audio`.
public struct DeviceAudioChanged: NarratedEvent {
  public static let name: TraceEvent.Name = "device.audio"
  public static let about = "An app's audio session changes, or what it does to the music of other apps."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// The values of `to`.
  public enum State: String, EventWord {
    case active, inactive, ducked, unducked, stopped, resumed, interrupted, ended
  }

  public var to: State = .active
  public var resumes: Bool?

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "to", &to,
      "`active`, `inactive`: the session; `ducked`, `unducked`, `stopped`, `resumed`: the music of another app;"
        + " `interrupted`, `ended`: by a call")
    fields.field(
      "resumes", &resumes, "of `ended`: whether the app is told to go on; absent if it learns nothing of the end")
  }

  public var sentence: EventSentence {
    switch to {
    case .active: EventSentence("has its audio session", isRelief: true)
    case .inactive: EventSentence("gives its audio session up", isRelief: true)
    case .ducked: EventSentence("makes the music quiet", isRelief: true)
    case .unducked: EventSentence("lets the music be loud again", isRelief: true)
    case .stopped: EventSentence("makes the music stop")
    case .resumed: EventSentence("lets the music go on", isRelief: true)
    case .interrupted: EventSentence("is interrupted by a call")
    case .ended: EventSentence("could speak again after the call", isRelief: true)
    }
  }
}

/// The event `device.recorded`.
public struct DeviceRecorded: NarratedEvent {
  public static let name: TraceEvent.Name = "device.recorded"
  public static let about = "An app's recording ends."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var lasts: Int64 = 0
  public var bytes: Int64 = 0
  public var heard: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("lasts", &lasts, "its length in milliseconds")
    fields.field("bytes", &bytes, "the length of the file")
    fields.field("heard", &heard, "what the athlete says in it")
  }

  public var sentence: EventSentence {
    EventSentence("records \(lasts / 1_000) s: \(heard.isEmpty ? "nothing is said" : heard)", isRelief: true)
  }
}

/// The event `device.recognized`.
public struct DeviceRecognized: NarratedEvent {
  public static let name: TraceEvent.Name = "device.recognized"
  public static let about = "A recording is made into text, or that fails."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var text: String = ""
  public var code: Int64?

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("text", &text, "the text")
    fields.field("code", &code, "of the error")
  }

  public var sentence: EventSentence {
    if let code { return EventSentence("understands nothing of a recording: error \(code)") }
    return EventSentence("understands \"\(text)\"", isRelief: true)
  }
}

/// The event `device.notification`.
public struct DeviceNotificationChanged: NarratedEvent {
  public static let name: TraceEvent.Name = "device.notification"
  public static let about = "A notification of an app is scheduled, shown, or is not."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// The values of `to`.
  public enum State: String, EventWord { case scheduled, shown, silenced, removed, dropped }

  public var to: State = .scheduled
  public var id: String = ""
  public var title: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "to", &to,
      "`silenced` by the app that is in front, `removed` by the app, `dropped` beyond 64 or without access")
    fields.field("id", &id, "its identifier")
    fields.field("title", &title, "its title")
  }

  public var sentence: EventSentence {
    switch to {
    case .scheduled: EventSentence("schedules the notification \(id)", isRelief: true)
    case .shown: EventSentence("shows the notification \"\(title)\"", isRelief: true)
    case .silenced: EventSentence("keeps the notification \"\(title)\" from being shown")
    case .removed: EventSentence("takes the notification \(id) back", isRelief: true)
    case .dropped: EventSentence("loses the notification \(id)")
    }
  }
}

/// The event `device.activity`.
public struct DeviceActivityChanged: NarratedEvent {
  public static let name: TraceEvent.Name = "device.activity"
  public static let about = "A Live Activity of an app begins, is updated, or ends."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  /// The values of `to`.
  public enum State: String, EventWord { case active, updated, ended, dismissed, stale }

  public var to: State = .active
  public var activity: Int64 = 0
  public var content: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("to", &to, "`dismissed` when it leaves the lock screen, `stale` at its stale date")
    fields.field("activity", &activity, "its number on this device, from 1")
    fields.field("content", &content, "its content as JSON")
  }

  public var sentence: EventSentence {
    switch to {
    case .active: EventSentence("shows Live Activity \(activity)", isRelief: true)
    case .updated: EventSentence("updates Live Activity \(activity)", isRelief: true)
    case .ended: EventSentence("ends Live Activity \(activity)", isRelief: true)
    case .dismissed: EventSentence("no longer shows Live Activity \(activity)", isRelief: true)
    case .stale: EventSentence("shows Live Activity \(activity), which is out of date")
    }
  }
}

/// The event `device.calendar`.
public struct DeviceCalendarChanged: NarratedEvent {
  public static let name: TraceEvent.Name = "device.calendar"
  public static let about = "An app saves or removes an appointment or a reminder."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// The values of `to`.
  public enum State: String, EventWord { case saved, removed }

  public var to: State = .saved
  public var id: String = ""
  public var title: String = ""
  public var reminder: Bool = false

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("to", &to, "what happened")
    fields.field("id", &id, "its identifier")
    fields.field("title", &title, "its title")
    fields.field("reminder", &reminder, "whether it is a reminder")
  }

  public var sentence: EventSentence {
    EventSentence("\(to == .saved ? "saves" : "removes") \"\(title)\" in the calendar", isRelief: true)
  }
}

/// The event `device.refused`.
public struct DeviceCallRefused: NarratedEvent {
  public static let name: TraceEvent.Name = "device.refused"
  public static let about = "A call of a device's service fails with an error, or has no effect."
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
    return EventSentence("calls \(call), which \(how): \(why)")
  }
}
