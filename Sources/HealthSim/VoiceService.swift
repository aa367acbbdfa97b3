import Link

/// Sound of a device: what its app says, its audio session, the music of another app.
struct VoiceState: Sendable {
  struct Utterance: Sendable {
    /// As the app numbers it.
    var id: Int64
    /// On this device, for people.
    var number: Int64
    var text: String
    var lasts: VirtualTime.Span
    var pre: VirtualTime.Span
    var post: VirtualTime.Span
    var askedAt: VirtualTime
    /// When it will end; nil before it begins, and in a pause.
    var endsAt: VirtualTime?
    /// Whether it was ever heard.
    var hasBegun = false
  }
  struct Synthesizer: Sendable {
    var queue: [Utterance] = []
    var isPaused = false
    /// Rises with each change: a timer of an earlier state does nothing.
    var turn: Int64 = 0
    /// Whether the first one of the queue is on its way to the loudspeaker.
    var isBusy = false
  }
  enum Music: Sendable { case absent, playing, ducked, stopped }

  var synthesizers: [Int64: Synthesizer] = [:]
  var utterances: Int64 = 0
  /// The app's category; another app's music stops for the standard one.
  var category = "AVAudioSessionCategorySoloAmbient"
  var options: Int64 = 0
  var isActive = false
  var isInterrupted = false
  var music = Music.absent
}

/// Speech: each synthesizer says its utterances one after another, and drops none.
extension HealthDaemon {
  mutating func carryOutSpeech(_ request: DeviceMessage) {
    let id = request.fields.integer("synthesizer")
    switch request.name {
    case "speech.speak": speak(id, request)
    case "speech.stop": stop(id)
    case "speech.pause": pauseSpeech(id)
    case "speech.continue": continueSpeech(id)
    case "speech.begin", "speech.end", "speech.next":
      guard system.voice.synthesizers[id]?.turn == request.fields.integer("turn") else { return }
      switch request.name {
      case "speech.begin": begin(id)
      case "speech.end": finish(id)
      default:
        system.voice.synthesizers[id]?.isBusy = false
        beginNext(id)
      }
    default: recordRefusal(request.name, "no call of that name")
    }
  }

  private mutating func speak(_ id: Int64, _ request: DeviceMessage) {
    func span(_ key: String) -> VirtualTime.Span { .milliseconds(max(0, request.fields.integer(key))) }
    system.voice.utterances += 1
    let utterance = VoiceState.Utterance(
      id: request.fields.integer("utterance"), number: system.voice.utterances, text: request.fields.text("text"),
      lasts: span("lasts"), pre: span("pre"), post: span("post"), askedAt: now)
    system.voice.synthesizers[id, default: .init()].queue.append(utterance)
    beginNext(id)
  }

  /// Has the first utterance of a queue spoken, if nothing is in its way.
  private mutating func beginNext(_ id: Int64) {
    guard let synthesizer = system.voice.synthesizers[id], !synthesizer.isBusy, !synthesizer.isPaused,
      let first = synthesizer.queue.first
    else { return }
    guard !system.voice.isInterrupted else {
      return recordRefusal("AVSpeechSynthesizer.speak", "session activation failed: another app has the priority")
    }
    system.voice.synthesizers[id]?.isBusy = true
    // The synthesizer activates the session by itself.
    var wait = drawSpan(.milliseconds(80), .milliseconds(250)) + first.pre
    if system.has(.speechLate) { wait = wait + drawSpan(.seconds(1), .seconds(4)) }
    time("speech.begin", id, after: wait)
  }

  private mutating func time(_ name: String, _ id: Int64, after span: VirtualTime.Span) {
    system.voice.synthesizers[id]?.turn += 1
    let turn = system.voice.synthesizers[id]?.turn ?? 0
    schedule(name, ["synthesizer": .integer(id), "turn": .integer(turn)], after: span)
  }

  private mutating func begin(_ id: Int64) {
    guard let first = system.voice.synthesizers[id]?.queue.first else { return }
    activate()
    system.voice.synthesizers[id]?.queue[0].endsAt = now + first.lasts
    system.voice.synthesizers[id]?.queue[0].hasBegun = true
    let now = now
    record(DeviceSpoke.self) {
      $0.utterance = first.number
      $0.waited = (now - first.askedAt).nanoseconds / 1_000_000
      $0.lasts = first.lasts.nanoseconds / 1_000_000
      $0.text = String(decoding: first.text.utf8.prefix(DeviceSpoke.textBytesMax), as: UTF8.self)
    }
    tell(speech: first.hasBegun ? "continued" : "started", id, first)
    time("speech.end", id, after: first.lasts)
  }

  private mutating func finish(_ id: Int64) {
    guard let first = system.voice.synthesizers[id]?.queue.first else { return }
    system.voice.synthesizers[id]?.queue.removeFirst()
    fallSilent(first, .finished)
    tell(speech: "finished", id, first)
    time("speech.next", id, after: first.post)
  }

  private mutating func stop(_ id: Int64) {
    guard let queue = system.voice.synthesizers[id]?.queue, let first = queue.first else { return }
    for utterance in queue { fallSilent(utterance, .cancelled) }
    system.voice.synthesizers[id]?.queue = []
    system.voice.synthesizers[id]?.isBusy = false
    system.voice.synthesizers[id]?.isPaused = false
    system.voice.synthesizers[id]?.turn += 1
    // Of those that wait, the delegate hears nothing.
    if first.hasBegun { tell(speech: "cancelled", id, first) }
  }

  private mutating func pauseSpeech(_ id: Int64) {
    guard let synthesizer = system.voice.synthesizers[id], !synthesizer.isPaused else { return }
    system.voice.synthesizers[id]?.isPaused = true
    system.voice.synthesizers[id]?.isBusy = false
    system.voice.synthesizers[id]?.turn += 1
    guard let first = synthesizer.queue.first, let endsAt = first.endsAt else { return }
    system.voice.synthesizers[id]?.queue[0].lasts = endsAt - now
    system.voice.synthesizers[id]?.queue[0].endsAt = nil
    fallSilent(first, .paused)
    tell(speech: "paused", id, first)
  }

  private mutating func continueSpeech(_ id: Int64) {
    guard system.voice.synthesizers[id]?.isPaused == true else { return }
    guard !system.voice.isInterrupted else {
      return recordRefusal("AVSpeechSynthesizer.continueSpeaking", "session activation failed: a call goes on")
    }
    system.voice.synthesizers[id]?.isPaused = false
    beginNext(id)
  }

  private mutating func fallSilent(_ utterance: VoiceState.Utterance, _ how: DeviceFellSilent.Ending) {
    record(DeviceFellSilent.self) {
      $0.utterance = utterance.number
      $0.how = how
    }
  }

  private mutating func tell(speech what: String, _ id: Int64, _ utterance: VoiceState.Utterance) {
    tell(
      DeviceMessage(
        "speech." + what,
        [
          "synthesizer": .integer(id), "utterance": .integer(utterance.id),
          "lasts": .integer(utterance.lasts.nanoseconds / 1_000_000),
        ]))
  }

  /// The app has died: it is silent, and the music is as loud as before.
  mutating func stopVoice() {
    for (_, synthesizer) in system.voice.synthesizers.sorted(by: { $0.key < $1.key }) {
      for utterance in synthesizer.queue { fallSilent(utterance, .died) }
    }
    system.voice.synthesizers = [:]
    deactivate(notifies: true)
    system.voice.category = VoiceState().category
    system.voice.options = 0
  }
}

/// The audio session, and what it does to the music of another app.
extension HealthDaemon {
  private static let mixes: Int64 = 0x1
  private static let ducks: Int64 = 0x2

  mutating func carryOutAudio(_ request: DeviceMessage) {
    switch request.name {
    case "audio.category":
      system.voice.category = request.fields.text("category")
      system.voice.options = request.fields.integer("options")
      // In mid-session the music meets the new one at once.
      if system.voice.isActive { meetMusic() }
    case "audio.active":
      if request.fields.flag("isOn") { activate() } else { deactivate(notifies: request.fields.flag("notifies")) }
    case "audio.refused":
      recordRefusal("AVAudioSession.setActive", code: request.fields.integer("code"), request.fields.text("text"))
    default: recordRefusal(request.name, "no call of that name")
    }
  }

  private mutating func recordAudio(_ to: DeviceAudioChanged.State) { record(DeviceAudioChanged.self) { $0.to = to } }

  mutating func activate() {
    guard !system.voice.isActive, !system.voice.isInterrupted else { return }
    system.voice.isActive = true
    recordAudio(.active)
    meetMusic()
  }

  private mutating func meetMusic() {
    let before = system.voice.music
    guard before != .absent else { return }
    let category = system.voice.category
    if system.voice.options & Self.ducks != 0 {
      guard before == .playing else { return }
      system.voice.music = .ducked
      recordAudio(.ducked)
    } else if system.voice.options & Self.mixes == 0, category != "AVAudioSessionCategoryAmbient", before != .stopped {
      system.voice.music = .stopped
      recordAudio(.stopped)
    }
    tellAudio()
  }

  /// Without the notification of others, music stays as quiet as it is.
  mutating func deactivate(notifies: Bool) {
    if system.voice.isActive {
      system.voice.isActive = false
      recordAudio(.inactive)
    }
    guard notifies, system.voice.music == .ducked || system.voice.music == .stopped else { return }
    recordAudio(system.voice.music == .ducked ? .unducked : .resumed)
    system.voice.music = .playing
    tellAudio()
  }

  private mutating func tellAudio() {
    let isPlaying = system.voice.music == .playing || system.voice.music == .ducked
    tell(DeviceMessage("audio.music", ["isPlaying": .flag(isPlaying)]))
  }

  mutating func interrupt() {
    guard !system.voice.isInterrupted else { return }
    system.voice.isInterrupted = true
    system.voice.isActive = false
    recordAudio(.interrupted)
    tell(DeviceMessage("audio.interrupted"))
    for id in system.voice.synthesizers.keys.sorted() {
      guard let first = system.voice.synthesizers[id]?.queue.first else { continue }
      if first.endsAt != nil {
        pauseSpeech(id)
      } else {
        // What has not begun waits for the end.
        system.voice.synthesizers[id]?.isBusy = false
        system.voice.synthesizers[id]?.turn += 1
      }
    }
  }

  /// An interruption need not have an end that the app learns of.
  mutating func endInterruption() {
    guard system.voice.isInterrupted, !system.has(.audioInterrupted) else { return }
    system.voice.isInterrupted = false
    let way = draw(below: 3)
    record(DeviceAudioChanged.self) {
      $0.to = .ended
      $0.resumes = way == 0 ? true : way == 1 ? false : nil
    }
    tell(DeviceMessage("audio.ended", ["isTold": .flag(way < 2), "resumes": .flag(way == 0)]))
    for id in system.voice.synthesizers.keys.sorted() { beginNext(id) }
  }
}

/// Recordings and their recognition.
extension HealthDaemon {
  mutating func carryOutRecording(_ request: DeviceMessage) {
    switch request.name {
    case "record.begin":
      _ = mayUse(.microphone)
      activate()
    case "record.done":
      record(DeviceRecorded.self) {
        $0.lasts = request.fields.integer("lasts")
        $0.bytes = request.fields.integer("bytes")
        $0.heard = String(request.fields.text("heard").prefix(DeviceSpoke.textBytesMax))
      }
    default: recordRefusal(request.name, "no call of that name")
    }
  }

  mutating func carryOutRecognition(_ request: DeviceMessage) {
    switch request.name {
    case "recognize.start":
      guard permission(.speechRecognition) >= 2 else {
        return refuseCall(request, "recognitionTask", code: 1700, "the user has not allowed speech recognition")
      }
      // Faster than it was said, by the seed.
      let lasts = VirtualTime.Span.milliseconds(max(0, request.fields.integer("lasts")))
      let wait =
        drawSpan(.milliseconds(400), .milliseconds(1_500)) + VirtualTime.Span(nanoseconds: lasts.nanoseconds / 4)
      let text = request.fields.text("text")
      let id = request.fields.integer("id")
      schedule("recognize.end", ["text": .text(text), "id": .integer(id)], after: wait)
    case "recognize.end":
      let text = request.fields.text("text")
      let code: Int64? = system.has(.recognitionFails) ? 203 : text.isEmpty ? 1110 : nil
      record(DeviceRecognized.self) {
        $0.text = code == nil ? text : ""
        $0.code = code
      }
      answer(
        request, code: code ?? 0, text: code == 203 ? "Retry" : code == nil ? "" : "No speech detected",
        [DeviceField("words", .text(text))])
    default: recordRefusal(request.name, "no call of that name")
    }
  }
}
