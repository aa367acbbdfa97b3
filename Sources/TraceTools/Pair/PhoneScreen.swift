import Console
package import Link

/// What the phone's app shows, from its own lines alone.
package struct PhoneScreen {
  /// A line that the coach has spoken.
  package struct Narration: Equatable {
    package let text: String
    package let at: VirtualTime
    /// Why it broke off; nil for a whole line.
    package var brokenOff: String?
  }

  package var power = DevicePower()
  /// The state of the run that it believes in; empty before the first.
  package private(set) var state = ""
  package private(set) var run: Identifier?
  package private(set) var figures = Figures()
  package private(set) var splits: [Split] = []
  /// Whether it considers the watch silent.
  package private(set) var isSilent = false
  /// Whether it considers the watch reachable; nil before it knows.
  package private(set) var isReachable: Bool?
  /// Whether it considers the edge reachable; nil before it knows.
  package private(set) var isEdgeReachable: Bool?
  /// Whether it tracks the run by itself, without a watch.
  package private(set) var isTracking = false
  /// What became of the start that the user asked for; empty for nothing to say.
  package private(set) var start = ""
  /// The last thing that it refused to do: what and why, and when; nil for none.
  package private(set) var refusal: (text: String, at: VirtualTime)?
  /// The line that is spoken now: its text, when it began, how long it lasts in seconds; nil for silence.
  package private(set) var spoken: (text: String, at: VirtualTime, lasts: Double)?
  /// The latest lines, in the order in which they were spoken.
  package private(set) var narration: [Narration] = []
  package private(set) var isMuted = false
  /// The coach's voice; nil where there is one only.
  package private(set) var voice: String?
  package private(set) var isDucking = false
  package private(set) var isInterrupted = false
  /// Where the script came from; empty before it is loaded.
  package private(set) var script = ""
  package private(set) var scriptLines = 0
  /// What it knows of the athlete, by key, in the order of learning.
  package private(set) var memory: [(key: String, value: String)] = []
  package private(set) var history = RunHistoryScreen()
  package private(set) var training = TrainingScreen()
  package private(set) var health = AppleHealthScreen()
  package private(set) var meals = MealsScreen()
  /// Voice notes in the order of arrival: length, words, status.
  package private(set) var notes: [(note: Identifier, seconds: Double, words: String)] = []
  private var lines = SpokenLines()

  private static let narrationMax = 30
  private static let listMax = 200

  /// Sets what the app is installed with.
  mutating func setUp(_ header: TraceHeader) {
    history.setUp(header)
    health.isOn = header.extra("phone")?["ingestion"] != nil
    meals.isOn = header.extra("phone")?["daily"] != nil
    training.isOn = header.extra("phone")?["training"] != nil
  }

  /// Clears what ends with the app's process.
  mutating func stopApp() {
    if let spoken { endLine(spoken.text, "the app died") }
    (isDucking, isSilent, isTracking) = (false, false, false)
    isEdgeReachable = nil
  }

  mutating func observe(_ event: TraceEvent) {
    lines.observe(event)
    history.observe(event)
    training.observe(event)
    health.observe(event)
    meals.observe(event)
    switch event.body {
    case .snapshotFresh(let snapshot): receiveSnapshot(snapshot.metrics, at: event.time)
    case .runOpened(let opened): openRun(opened.workoutId)
    case .runState(let change): state = change.to
    case .livenessDisconnected: isSilent = true
    case .livenessReconnected: isSilent = false
    case .reachability(let change): isReachable = change.reachable
    case .startAsked(let asked): start = asked.error.map { "start: \($0)" } ?? "asking the watch"
    case .startAcked: start = ""
    case .startDeclined(let declined): start = "the watch declines: \(declined.reason.rawValue)"
    case .startFailed(let failed): start = "no start: \(failed.why)"
    case .startCancelled: start = "start taken back"
    case .trackerStarted: isTracking = true
    case .trackerEnded: isTracking = false
    case .voiceReceived(let note): addNote(note.note, note.seconds)
    case .voiceRecorded(let note): addNote(note.note, note.seconds)
    case .voiceTranscribed(let note):
      guard let index = notes.lastIndex(where: { $0.note == note.note }) else { return }
      notes[index].words = note.transcript ?? "not understood"
    case .memoryUpdated(let fact): rememberFact(fact.key, fact.value.plainText)
    case .scriptLoaded(let loaded):
      script = loaded.source
      scriptLines = loaded.script.node?["messages"]?.elements.count ?? 0
    default: observeAudio(event)
    }
  }

  private mutating func observeAudio(_ event: TraceEvent) {
    switch event.body {
    case .audioStart(let audio): spoken = (lines.text(of: audio.message), event.time, audio.lasts)
    case .audioEnd: if let spoken { endLine(spoken.text, nil) }
    case .audioInterrupted(let audio): if let spoken { endLine(spoken.text, audio.cause) }
    case .audioDuck: isDucking = true
    case .audioUnduck: isDucking = false
    default:
      switch event.name {
      case VoiceSelected.name: voice = event.text("voice")
      case AudioMuted.name: isMuted = true
      case AudioUnmuted.name: isMuted = false
      case AudioInterruptionBegan.name: isInterrupted = true
      case AudioInterruptionEnded.name: isInterrupted = false
      case "command.refused":
        refusal = ("\(event.text("kind") ?? "") refused: \(event.text("why") ?? "")", event.time)
      case "uplink.reachability": isEdgeReachable = event["reachable"] == .bool(true)
      case StoreWiped.name:
        (memory, notes) = ([], [])
      default: break
      }
    }
  }

  private mutating func openRun(_ workout: Identifier) {
    guard run != workout else { return }
    (run, figures, splits, start) = (workout, Figures(), [], "")
  }

  private mutating func receiveSnapshot(_ metrics: SnapshotMetrics, at time: VirtualTime) {
    openRun(metrics.workoutId)
    figures.update(metrics, at: time)
    if let split = metrics.lastSplit, splits.last?.kmIndex != split.kmIndex { splits.append(split) }
  }

  private mutating func endLine(_ text: String, _ why: String?) {
    guard let spoken else { return }
    narration.append(Narration(text: text, at: spoken.at, brokenOff: why))
    if narration.count > Self.narrationMax { narration.removeFirst() }
    self.spoken = nil
  }

  private mutating func addNote(_ note: Identifier, _ seconds: Double) {
    guard !notes.contains(where: { $0.note == note }), notes.count < Self.listMax else { return }
    notes.append((note, seconds, ""))
  }

  private mutating func rememberFact(_ key: String, _ value: String) {
    if let index = memory.firstIndex(where: { $0.key == key }) {
      memory[index].value = value
    } else if memory.count < Self.listMax {
      memory.append((key, value))
    }
  }
}

/// What an app of the user's own says of itself: facts, acts that it took, findings about it.
package struct AppScreen {
  /// The last value of each fact, in the order in which the facts first came.
  package private(set) var facts: [(name: String, text: String, at: VirtualTime)] = []
  /// The latest lines: facts, acts and findings as the trace has them.
  package private(set) var log: [(text: String, at: VirtualTime)] = []
  /// What ended it, with its backtrace; nil while it has not failed.
  package var crash: String?

  private static let factsMax = 60
  private static let logMax = 60

  mutating func observe(_ event: TraceEvent) {
    let name = event.name.text
    guard name.hasPrefix(AppFact.family) else { return }
    let short = String(name.dropFirst(AppFact.family.count))
    let text = AppFact.text(of: event)
    log.append((text.isEmpty ? short : "\(short): \(text)", event.time))
    if log.count > Self.logMax { log.removeFirst(Self.logMax / 2) }
    guard !AppFact.reserved.contains(short) else { return }
    if let index = facts.firstIndex(where: { $0.name == short }) {
      facts[index] = (short, text, event.time)
    } else if facts.count < Self.factsMax {
      facts.append((short, text, event.time))
    }
  }
}

extension AppFact {
  /// What a fact says, for readers: what a screen shows has one value, which needs no name.
  static func text(of event: TraceEvent) -> String {
    let fields = event.fields
    if fields.count == 1, let shown = fields.first, shown.key == "value" { return shown.value.plainText }
    return fields.map { "\($0.key) \($0.value.plainText)" }.joined(separator: ", ")
  }
}

extension TraceValue {
  /// The value for readers: texts without quotes.
  var plainText: String { text ?? jsonText }
}

/// What the watch shows, from its own lines alone.
package struct WatchScreen {
  package var power = DevicePower()
  /// The workout's state; empty before the first workout.
  package private(set) var state = ""
  package private(set) var workout: Identifier?
  /// What the athlete does, as the watch records it; `running` unless a line says otherwise.
  package private(set) var discipline = "running"
  package private(set) var figures = Figures()
  /// Whole kilometres of this workout, in their order.
  package private(set) var splits: [Split] = []
  /// Whether it considers the phone reachable; nil before it knows.
  package private(set) var isReachable: Bool?
  /// The last tap on the wrist; nil before the first.
  package var haptic: (kind: String, at: VirtualTime)?
  /// The last voice note: its length in seconds, and when it was taken.
  package private(set) var note: (seconds: Double, at: VirtualTime)?
  /// How many workouts it has saved.
  package private(set) var saved = 0
  /// The last thing that it refused: what, and when.
  package private(set) var refusal: (text: String, at: VirtualTime)?

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .workoutState(let change): changeState(change, at: event)
    case .snapshot(let snapshot): publish(snapshot.metrics, at: event.time)
    case .reachability(let change): isReachable = change.reachable
    case .haptic(let haptic): self.haptic = (haptic.kind, event.time)
    case .voiceRecorded(let note): self.note = (note.seconds, event.time)
    case .healthSaved: saved += 1
    case .startDeclined(let start): refusal = ("start declined: \(start.reason)", event.time)
    default:
      if event.name == "command.refused" {
        refusal = ("\(event.text("kind") ?? "") refused: \(event.text("why") ?? "")", event.time)
      }
    }
  }

  private mutating func changeState(_ change: WorkoutStateChanged, at event: TraceEvent) {
    if change.from == nil {
      (figures, splits, workout) = (Figures(), [], change.workoutId)
      discipline = event.text("sport") ?? "running"
    }
    state = change.to
  }

  private mutating func publish(_ metrics: SnapshotMetrics, at time: VirtualTime) {
    figures.update(metrics, at: time)
    workout = metrics.workoutId
    state = metrics.state.text
    if let split = metrics.lastSplit, splits.last?.kmIndex != split.kmIndex { splits.append(split) }
  }
}

/// The phone's screens with lists, as the page gets them.
extension PairState {
  package var historyJSON: JSONValue {
    .objects(phone.history.rows.suffix(20)) { row in
      [
        "begin": .decimal(row.begin), "distance": .decimal(row.distance), "duration": .decimal(row.duration),
        "averagePace": .decimal(row.averagePace), "splits": .count(row.splits), "route": .count(row.route),
        "heartRates": .count(row.heartRates), "finished": .bool(row.isFinished), "discipline": .string(row.discipline),
      ]
    }
  }

  package var trainingJSON: JSONValue {
    let screen = phone.training
    return .fields([
      "on": .bool(screen.isOn),
      "sessions": .objects(screen.sessions.suffix(20)) { session in
        [
          "discipline": .string(session.discipline), "distance": .decimal(session.distance),
          "duration": .decimal(session.duration), "result": .count(session.result), "parts": .count(session.parts),
          "at": .time(session.at), "edits": .texts(session.edits),
        ]
      },
      "drills": .objects(screen.drills.suffix(10)) { drill in
        [
          "discipline": .string(drill.discipline), "kind": .string(drill.kind), "sets": .integer(drill.sets),
          "at": .time(drill.at),
        ]
      },
      "results": .objects(screen.results) { ["discipline": .string($0.discipline), "result": .count($0.result)] },
      "refusal": .text(screen.refusal),
    ])
  }

  package var healthJSON: JSONValue {
    let screen = phone.health
    let failed = screen.rows.filter { $0.failure != nil }
    let types = JSONValue.objects(AppleHealthScreen.types) { type in
      [
        "type": .string(type), "on": .bool(!screen.off.contains(type)),
        "rows": .count(screen.rows.count { $0.type == type }),
      ]
    }
    let failures = JSONValue.objects(failed.prefix(5)) { row in
      ["type": .string(row.type), "day": .string(row.day), "why": .string(row.failure ?? "")]
    }
    return .fields([
      "on": .bool(screen.isOn), "synced": screen.syncedAt.map { .time($0) } ?? .null,
      "rows": .count(screen.rows.count), "bytes": .count(screen.rows.reduce(0) { $0 + $1.bytes }),
      "parsed": .count(screen.rows.count { $0.isParsed }), "failures": failures, "failed": .count(failed.count),
      "refusal": screen.refusal.map { .fields(["type": .string($0.type), "why": .string($0.why)]) } ?? .null,
      "types": types,
      "days": .objects(AppleHealthScreen.types) { ["type": .string($0), "days": Self.days(of: $0, screen)] },
    ])
  }

  /// The measures of a type on the last seven days that have any.
  private static func days(of type: String, _ screen: AppleHealthScreen) -> JSONValue {
    let days = screen.measures.filter { $0.type == type }.sorted { $0.day < $1.day }
    return .objects(days.suffix(7)) { ["day": .string($0.day), "values": .numbers($0.values)] }
  }

  package var mealsJSON: JSONValue {
    let screen = phone.meals
    let meals = JSONValue.objects(screen.meals.suffix(8)) { meal in
      [
        "day": .string(meal.day), "name": .string(meal.name), "calories": .integer(meal.calories),
        "protein": .integer(meal.protein), "carbs": .integer(meal.carbs), "fat": .integer(meal.fat),
        "date": .string(meal.date),
      ]
    }
    let days = JSONValue.objects(screen.days.sorted { $0.day < $1.day }.suffix(4)) { day in
      ["day": .string(day.day), "revision": .integer(day.revision), "totals": day.totals.node?.value ?? .null]
    }
    return .fields([
      "on": .bool(screen.isOn), "synced": screen.syncedAt.map { .time($0) } ?? .null, "pending": .count(screen.pending),
      "failure": .text(screen.failure), "meals": meals, "days": days,
      "chat": .objects(screen.chat.suffix(4)) { ["text": .string($0.text)] },
    ])
  }

  /// The screen of the app of the user's own on a device: 0 for the watch, 1 for the phone.
  ///
  /// - Parameter crash: Its last lines, if it has ended by itself; nil if it has not.
  package func appJSON(_ device: Int, crash: String?) -> JSONValue {
    let app = apps[device]
    return .fields([
      "facts": .objects(app.facts) { ["name": .string($0.name), "text": .string($0.text), "at": .time($0.at)] },
      "log": .objects(app.log.suffix(14)) { ["text": .string($0.text), "at": .time($0.at)] },
      "crash": .text(crash ?? app.crash),
    ])
  }
}

extension JSONValue {
  /// An object of numbers.
  fileprivate static func numbers(_ numbers: [(key: String, value: Double)]) -> JSONValue {
    .object(numbers.map { JSONMember($0.key, .decimal($0.value)) })
  }
}
