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
