import CoachProtocol
import Link
import Testing
import WatchSim

/// Talk to coach: a voice note from the button to the phone.
@Suite struct `Watch, talk to coach` {
  static let talk = NodeCommand(
    "talk", arguments: #"{"seconds":12,"says":"how am I doing?","transcription":"failed"}"#)

  static func pair() -> WatchWithPhone {
    var pair = WatchWithPhone(WatchRig(evenRunner(4_000)))
    pair.drive(through: .at(20.5))
    return pair
  }

  static func notes(_ pair: WatchWithPhone) -> [VoiceNoteMetadata] {
    pair.files.compactMap { offer in
      guard case .voiceNote(let note) = try? FileMetadata(decoding: offer.metadata) else { return nil }
      return note
    }
  }

  @Test func `a note is as long as asked for, and arrives whole`() throws {
    var pair = Self.pair()
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(32.4))
    #expect(pair.watch.lines("voice.recorded").isEmpty)
    pair.drive(through: .at(60))
    let recorded = try #require(pair.watch.lines("voice.recorded").first)
    #expect(recorded.time == .at(32.5))
    #expect(recorded["seconds"]?.double == 12 && recorded["bytes"]?.integer == 100_000)
    let note = try #require(Self.notes(pair).first)
    #expect(recorded["note"] == note.noteId.traceValue)
    #expect(note.seconds == 12 && note.says == "how am I doing?" && note.transcription == .failed)
    #expect(note.recordedAt.nanoseconds == WatchRig.startedAt + 20_500_000_000)
    #expect(note.runId == pair.watch.lines("workout.state").first.flatMap(\.workout))
    let offer = try #require(pair.files.first)
    #expect(offer.byteCount == 100_000 && offer.name == "\(note.noteId.text).m4a")
    #expect(pair.watch.lines("transfer.queued").last?["kind"]?.text == "voiceNote")
    // Nothing is owed any more.
    #expect(pair.watch.store.record.notes.isEmpty && pair.watch.store.record.noteCount == 1)
  }

  @Test func `a note has at most thirty seconds, about 250 KB`() {
    var pair = Self.pair()
    pair.giveWatch(.command(NodeCommand("talk", arguments: #"{"seconds":95}"#)))
    pair.drive(through: .at(90))
    #expect(pair.watch.lines("voice.recorded").map(\.time) == [.at(50.5)])
    #expect(pair.files.map(\.byteCount) == [250_000])
  }

  @Test func `a recording needs a workout, cannot overlap another, and needs a length`() {
    var pair = WatchWithPhone(WatchRig(evenRunner(100), startsAt: .at(5)))
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(10))
    pair.giveWatch(.command(Self.talk))
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(25))
    pair.giveWatch(.command(NodeCommand("talk")))
    pair.drive(through: .at(200))
    pair.giveWatch(.command(Self.talk))
    let refused = pair.watch.lines("command.refused").compactMap { $0["why"]?.text }
    #expect(refused.count == 4)
    #expect(refused.first == "no workout is on" && refused[1] == "a note is being recorded")
    #expect(refused[2].contains("seconds") && refused[3] == "no workout is on")
    #expect(pair.watch.lines("voice.recorded").count == 1)
  }

  @Test func `the end of the workout ends the recording, and what was said is sent`() {
    var pair = Self.pair()
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(25))
    pair.giveWatch(.command(NodeCommand("end")))
    pair.drive(through: .at(60))
    #expect(Self.notes(pair).map(\.seconds) == [4.5])

    // Of a run that is taken back nothing is kept.
    pair = WatchWithPhone(WatchRig(evenRunner(4_000), startsAt: nil))
    pair.drive(through: .at(1))
    let run = Identifier(high: 4, low: 4)
    pair.send(
      .startWorkout(
        StartWorkout(
          runId: run, runType: .outdoor, personality: "roast_coach", mode: .race,
          sentAt: PhoneTime(nanoseconds: WatchWithPhone.phoneClock(pair.now)))))
    pair.drive(through: .at(10))
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(12))
    pair.send(.cancelStart(CancelStart(runId: run)))
    pair.drive(through: .at(60))
    #expect(pair.files.isEmpty && pair.watch.lines("voice.recorded").isEmpty)
    #expect(pair.watch.lines("voice.discarded").count == 1)
  }

  @Test func `a recording that a kill cuts off leaves nothing`() {
    var pair = Self.pair()
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(30))
    pair.restartWatch()
    pair.drive(through: .at(90))
    #expect(pair.files.isEmpty && pair.watch.store.record.notes.isEmpty)
    #expect(pair.watch.lines("transfer.queued").allSatisfy { $0["kind"]?.text != "voiceNote" })
    // The next one is none the worse.
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(120))
    #expect(Self.notes(pair).count == 1)
  }

  @Test func `a kill right behind the note's commit loses nothing and doubles nothing`() {
    var pair = Self.pair()
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(32))
    pair.watch.armed = .outboxCommitted
    pair.drive(through: .at(33))
    #expect(pair.watch.node == nil && pair.watch.lines("voice.recorded").count == 1)
    pair.restartWatch()
    pair.drive(through: .at(120))
    #expect(Self.notes(pair).count == 1 && pair.watch.lines("voice.recorded").count == 1)
    #expect(pair.watch.store.record.notes.isEmpty)
  }

  @Test func `a suspended app stops recording when it resumes`() {
    var pair = Self.pair()
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(22))
    pair.giveWatch(.condition(.suspended))
    pair.drive(through: .at(50))
    #expect(pair.watch.lines("voice.recorded").isEmpty)
    pair.giveWatch(.condition(.resumed))
    pair.drive(through: .at(80))
    #expect(Self.notes(pair).map(\.seconds) == [12])
    #expect(pair.watch.lines("voice.recorded").map(\.time) == [.at(50)])
  }

  // MARK: Notes that cannot go

  @Test func `a note that the watch has no room to queue is queued when there is room`() {
    for isRestarted in [false, true] {
      var pair = Self.pair()
      pair.giveWatch(.condition(.disk(isFull: true)))
      pair.giveWatch(.command(Self.talk))
      pair.drive(through: .at(100))
      #expect(pair.watch.lines("voice.recorded").count == 1 && pair.files.isEmpty)
      #expect(pair.watch.store.record.notes.first?.failures == 2)
      if isRestarted {
        pair.restartWatch()
        // Its time comes as it would have: 32.5 s, 62.5 s, and 60 s later.
        pair.drive(through: .at(122))
        #expect(pair.files.isEmpty)
      } else {
        // At once, and not when its time comes.
        pair.giveWatch(.condition(.disk(isFull: false)))
        pair.drive(through: .at(115))
        #expect(Self.notes(pair).count == 1)
      }
      pair.drive(through: .at(140))
      #expect(Self.notes(pair).count == 1 && pair.watch.store.record.notes.isEmpty)
    }
  }

  @Test func `a note that the phone has no room for comes again as a new transfer, ever later`() {
    var pair = Self.pair()
    pair.phoneCondition(.disk(isFull: true))
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(1_200))
    let queued = pair.watch.lines("transfer.queued").filter { $0["kind"]?.text == "voiceNote" }
    let waits = zip(queued, queued.dropFirst()).map { Int(($1.time - $0.time).seconds.rounded()) }
    #expect(waits == [30, 60, 120, 240, 300, 300])
    #expect(Set(queued.map { "\(String(describing: $0["transfer"]))" }).count == queued.count)
    #expect(Set(queued.map { "\(String(describing: $0["note"]))" }).count == 1)
    pair.phoneCondition(.disk(isFull: false))
    pair.drive(through: .at(1_600))
    #expect(Self.notes(pair).count == 1 && pair.watch.store.record.notes.isEmpty)
  }

  @Test func `an app without a report of its transfer queues the note again`() {
    var pair = Self.pair()
    pair.phoneCondition(.disk(isFull: true))
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(32.501))
    // The transfer fails while the app sleeps, and the app dies asleep.
    pair.giveWatch(.condition(.suspended))
    pair.drive(through: .at(40))
    #expect(pair.watch.lines("transfer.failed").count == 1)
    pair.phoneCondition(.disk(isFull: false))
    pair.restartWatch()
    pair.drive(through: .at(60))
    #expect(Self.notes(pair).count == 1 && pair.watch.store.record.notes.isEmpty)
  }

  // MARK: Withdrawn

  @Test func `talk is cancelled while it is recorded, and later as long as the phone has not got it`() {
    var pair = Self.pair()
    let cancel = NodeCommand("cancelTalk")
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(25))
    pair.giveWatch(.command(cancel))
    pair.drive(through: .at(60))
    #expect(pair.watch.lines("voice.discarded").count == 1 && pair.files.isEmpty)

    pair.link(isUp: false)
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(80))
    pair.giveWatch(.command(cancel))
    pair.giveWatch(.command(cancel))
    pair.link(isUp: true)
    pair.drive(through: .at(120))
    #expect(pair.files.isEmpty && pair.watch.lines("transfer.cancelled").count == 1)
    #expect(pair.watch.lines("command.refused").map { $0["why"]?.text } == ["no note is owed"])
    #expect(pair.watch.store.record.notes.isEmpty)
  }

  @Test func `a note that is withdrawn with everything else is not queued again`() {
    var pair = Self.pair()
    pair.link(isUp: false)
    pair.giveWatch(.command(Self.talk))
    pair.drive(through: .at(60))
    pair.giveWatch(.command(NodeCommand("cancelTransfers")))
    pair.restartWatch()
    pair.link(isUp: true)
    pair.drive(through: .at(500))
    #expect(pair.files.isEmpty && pair.watch.store.record.notes.isEmpty)
  }
}

extension TraceEvent {
  /// The workout that a line is about.
  fileprivate var workout: Identifier? {
    guard case .uuid(let high, let low) = self["workoutId"] else { return nil }
    return Identifier(high: high, low: low)
  }
}
