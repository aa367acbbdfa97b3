import Link
import Testing

@testable import PhoneSim

@Suite struct AudioQueueTests {
  /// A queue driven as the driver's contract says: inputs of an instant first, then its deadlines.
  private struct Player {
    var queue = AudioQueue()
    var log: [String] = []
    /// When the audio session was taken or left.
    var sessions: [String] = []

    mutating func at(_ seconds: Double, _ inputs: AudioQueue.Input...) {
      let now = VirtualTime(nanoseconds: Int64((seconds * 1e9).rounded()))
      while let deadline = queue.nextDeadline, deadline < now { step(nil, deadline) }
      for input in inputs { step(input, now) }
      if let deadline = queue.nextDeadline, deadline <= now { step(nil, now) }
    }

    private mutating func step(_ input: AudioQueue.Input?, _ now: VirtualTime) {
      var effects: [any TraceEventKind] = []
      queue.receive(input, at: now, into: &effects)
      sessions += effects.compactMap { effect in
        (effect as? AudioSessionChanged).map { "\((now - .start).seconds) \($0.active)" }
      }
      log += effects.filter { !($0 is AudioSessionChanged) }.map { effect in
        let event = TraceEvent(effect, at: now, on: .phone)
        var line = "\((now - .start).seconds) \(event.name.text.dropFirst(6))"
        for field in event.fields {
          line += " \(field.key)="
          field.value.append(to: &line)
        }
        return line
      }
    }
  }

  private func line(_ message: String, _ words: Int) -> AudioQueue.Input { .dispatched(message: message, words: words) }

  @Test func `the voice is the best one for the language, and decides how long a line lasts`() {
    let best = InstalledVoice.Language.allCases.map { InstalledVoice.best(for: $0).name.rawValue }
    #expect(best == ["Ava", "Daniel", "Ava", "Petra", "Petra", "Thomas", "Ava"])
    var player = Player()
    player.queue.voice = .named(.petra)
    player.at(1, line("km1", 10))
    player.queue.voice = .named(.daniel)
    #expect(player.queue.nextDeadline == VirtualTime(nanoseconds: 6_400_000_000), "the line keeps its voice")
    player.at(60, line("km2", 10))
    #expect(player.queue.nextDeadline == VirtualTime(nanoseconds: 63_400_000_000))
  }

  @Test func `an utterance lasts its words and the silence around them, and ducks the music for exactly that`() {
    var player = Player()
    player.at(1, line("km1", 10))
    #expect(player.queue.nextDeadline == VirtualTime(nanoseconds: 5_400_000_000))
    player.at(60)
    #expect(
      player.log == [
        "1.0 duck", "1.0 start utterance=1 message=\"km1\" words=10 lasts=4.4",
        "5.4 end utterance=1 message=\"km1\"", "5.4 unduck",
      ])
  }

  @Test func `the audio session lasts as long as the workout, and until the last line is spoken`() {
    var player = Player()
    player.at(1, .run(isOn: true))
    player.at(10, line("km1", 10))
    player.at(60, line("finish", 10), .run(isOn: false))
    player.at(61, line("said again", 5))
    player.at(100)
    #expect(player.sessions == ["1.0 true", "66.8 false"], "two lines of 4.4 s and 2.4 s, one after the other")
    player.at(200, .run(isOn: true), .run(isOn: false))
    #expect(player.sessions.suffix(2) == ["200.0 true", "200.0 false"])
  }

  @Test(arguments: [(0, 400), (1, 800), (24, 10_000), (25, 10_400), (1000, 400_400)])
  func `words take 400 ms each, and the silence as long as one`(words: Int, milliseconds: Int64) {
    #expect(SpeechLength.span(words: words) == .milliseconds(milliseconds))
    // The formula as it is written.
    #expect((Double(words) / 2.5 + 0.4) * 1000 == Double(milliseconds))
  }

  @Test(arguments: [
    ("", 0), (" \n\t", 0), ("one", 1), (" two  words ", 2), ("5 km, done.\u{A0}Go!", 4), ("—", 1), ("a\u{3000}b", 2),
  ])
  func `words are what white space separates`(text: String, count: Int) {
    #expect(SpeechLength.wordCount(in: text) == count)
  }

  @Test func `utterances are spoken one after the other in their order, and the music stays down between them`() {
    var player = Player()
    player.at(0, line("a", 4), line("b", 1))
    player.at(0.5, line("c", 1))
    player.at(60)
    #expect(
      player.log == [
        "0.0 duck", "0.0 start utterance=1 message=\"a\" words=4 lasts=2",
        "2.0 end utterance=1 message=\"a\"", "2.0 start utterance=2 message=\"b\" words=1 lasts=0.8",
        "2.8 end utterance=2 message=\"b\"", "2.8 start utterance=3 message=\"c\" words=1 lasts=0.8",
        "3.6 end utterance=3 message=\"c\"", "3.6 unduck",
      ])
  }

  @Test func `a line that comes as the last one ends is taken first and follows without a gap`() {
    var player = Player()
    player.at(0, line("a", 4))
    player.at(2, line("b", 4))
    #expect(
      player.log.suffix(2) == [
        "2.0 end utterance=1 message=\"a\"", "2.0 start utterance=2 message=\"b\" words=4 lasts=2",
      ])
  }

  @Test func `muting stops the running utterance at once and drops waiting and later lines`() {
    var player = Player()
    player.at(0, line("a", 4), line("b", 4))
    player.at(1, .muted)
    player.at(2, line("c", 4))
    #expect(
      player.log.suffix(5) == [
        "1.0 mute", "1.0 interrupted utterance=1 message=\"a\" cause=\"mute\"", "1.0 unduck",
        "1.0 dropped message=\"b\" cause=\"muted\"", "2.0 dropped message=\"c\" cause=\"muted\"",
      ])
    #expect(player.queue.nextDeadline == nil)
    player.at(3, .unmuted)
    player.at(4, line("d", 4))
    #expect(
      player.log.suffix(3) == ["3.0 unmute", "4.0 duck", "4.0 start utterance=2 message=\"d\" words=4 lasts=2"])
  }

  @Test func `a call stops the utterance, the queue waits, and continues with the next`() {
    var player = Player()
    player.at(0, line("a", 4), line("b", 4))
    player.at(1, .interrupted)
    player.at(20, line("c", 4))
    #expect(
      player.log.suffix(3) == [
        "1.0 interruption", "1.0 interrupted utterance=1 message=\"a\" cause=\"interruption\"", "1.0 unduck",
      ])
    player.at(30, .interruptionEnded(shouldResume: true))
    player.at(60)
    #expect(
      player.log.suffix(7) == [
        "30.0 interruptionEnd shouldResume=true", "30.0 duck",
        "30.0 start utterance=2 message=\"b\" words=4 lasts=2", "32.0 end utterance=2 message=\"b\"",
        "32.0 start utterance=3 message=\"c\" words=4 lasts=2", "34.0 end utterance=3 message=\"c\"", "34.0 unduck",
      ])
  }

  @Test func `a call after which nothing resumes empties the queue`() {
    var player = Player()
    player.at(0, line("a", 4), line("b", 4))
    player.at(1, .interrupted)
    player.at(2, .interruptionEnded(shouldResume: false))
    #expect(
      player.log.suffix(2) == ["2.0 interruptionEnd shouldResume=false", "2.0 dropped message=\"b\" cause=\"cleared\""])
    player.at(3, line("c", 4))
    #expect(player.log.suffix(2) == ["3.0 duck", "3.0 start utterance=2 message=\"c\" words=4 lasts=2"])
  }

  @Test func `an input that changes nothing says nothing`() {
    var player = Player()
    player.at(0, .unmuted, .interruptionEnded(shouldResume: false))
    #expect(player.log == [])
    player.at(1, .muted, .muted, .interrupted, .interrupted)
    #expect(player.log == ["1.0 mute", "1.0 interruption"])
  }

  @Test func `an early call fires nothing`() {
    var queue = AudioQueue()
    var effects: [any TraceEventKind] = []
    queue.receive(line("a", 4), at: .start, into: &effects)
    effects = []
    queue.receive(nil, at: .start + .milliseconds(1999), into: &effects)
    #expect(effects.isEmpty)
    queue.receive(nil, at: .start + .seconds(2), into: &effects)
    // The line ends, the music comes back, and without a workout the app leaves the audio session.
    #expect(effects.count == 3 && (effects.last as? AudioSessionChanged)?.active == false)
  }

  /// Every short order of inputs, with time passing between: the rules that no order may break.
  @Test func `no order of inputs breaks the silence or the balance of ducks`() {
    let choices: [AudioQueue.Input?] = [
      .dispatched(message: "a", words: 4), .muted, .unmuted, .interrupted, .interruptionEnded(shouldResume: true),
      .interruptionEnded(shouldResume: false), nil,
    ]
    for order in 0..<117_649 {
      var queue = AudioQueue()
      var rest = order
      var (isDucked, isMuted, isInterrupted) = (false, false, false)
      var (said, settled) = (0, 0)
      for step in 0..<6 {
        let now = VirtualTime.start + .milliseconds(Int64(step) * 1000)
        let choice = choices[rest % 7]
        rest /= 7
        if case .dispatched? = choice { said += 1 }
        var effects: [any TraceEventKind] = []
        if let choice { queue.receive(choice, at: now, into: &effects) }
        if let deadline = queue.nextDeadline, deadline <= now { queue.receive(nil, at: now, into: &effects) }
        for effect in effects {
          switch effect {
          case is AudioDucked:
            #expect(!isDucked)
            isDucked = true
          case is AudioUnducked:
            #expect(isDucked)
            isDucked = false
          case is AudioStarted: #expect(isDucked && !isMuted && !isInterrupted)
          case is AudioMuted: isMuted = true
          case is AudioUnmuted: isMuted = false
          case is AudioInterruptionBegan: isInterrupted = true
          case is AudioInterruptionEnded: isInterrupted = false
          case is AudioSessionChanged: break
          default: settled += 1
          }
        }
        #expect(isDucked == queue.isSpeaking)
        #expect(settled + queue.waitingCount + (queue.isSpeaking ? 1 : 0) == said, "every line has one fate")
        if case .muted? = choice { #expect(!queue.isSpeaking) }
      }
    }
  }
}
