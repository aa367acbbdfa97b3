import CoachProtocol
import Link

@testable import PhoneSim

extension PhoneChangeSource {
  /// A change of what the coach asks, is answered, or knows.
  mutating func aiChange() -> RareChange {
    switch random.below(14) {
    case 0, 1:
      let old = questions.isEmpty || random.percent(50) ? nil : questions[random.below(questions.count)]
      let question = question()
      questions.removeAll { $0 == old }
      questions.append(question.id)
      return .asked(question, replacing: old)
    case 2: return .requestWaits(someQuestion(), until: VirtualTime(nanoseconds: now + 5))
    case 3:
      let id = someQuestion()
      questions.removeAll { $0 == id }
      return .requestSettled(id)
    case 4, 5:
      return .answerCached(
        CachedAnswer(
          call: EdgeCall.allCases[random.below(3)], digest: "d\(random.below(60))", body: line()))
    case 6, 7: return reply() ?? .requestSettled(Identifier(high: 9, low: 9))
    case 8:
      let id =
        replies.isEmpty || random.percent(10) ? Identifier(high: 8, low: 8) : replies[random.below(replies.count)]
      return .replySettled(id, playedAt: random.percent(60) ? VirtualTime(nanoseconds: now) : nil)
    case 9: return .scriptStored(script(), source: ScriptSource.allCases[random.below(3)])
    case 11, 12: return .daily(dailyChange())
    case 10: return .runSummarised(random.percent(90) ? run() : Identifier(high: 7, low: 7), line())
    default: return .remembered(memory())
    }
  }

  private mutating func someQuestion() -> Identifier {
    questions.isEmpty || random.percent(10) ? Identifier(high: 9, low: 9) : questions[random.below(questions.count)]
  }

  private mutating func question() -> AIRequest {
    AIRequest(
      id: Identifier(high: random.next(), low: random.next()), call: EdgeCall.allCases[random.below(3)], runId: run(),
      noteId: random.percent(50) ? Identifier(high: 1, low: random.next()) : nil, body: line(), digest: line(),
      requestedAt: VirtualTime(nanoseconds: now), attempt: 1 + random.below(5),
      retryAt: random.percent(30) ? VirtualTime(nanoseconds: now + 7) : nil)
  }

  /// A reply to a note that is kept; nil where none is.
  private mutating func reply() -> RareChange? {
    guard !notes.isEmpty else { return nil }
    let id = Identifier(high: random.next(), low: random.next())
    replies.append(id)
    let reply = AIReply(
      id: id, noteId: notes[random.below(notes.count)], text: line(), requestedAt: VirtualTime(nanoseconds: now),
      respondedAt: random.percent(50) ? VirtualTime(nanoseconds: now + 3) : nil, model: line(),
      costUSD: random.percent(50) ? Double(random.below(100)) / 7 : nil)
    let waiting = WaitingReply(
      id: id, words: random.below(40), arrivedAt: VirtualTime(nanoseconds: now), dueSince: Int64(random.below(500)))
    return .replyStored(reply, random.percent(70) ? waiting : nil)
  }

  private mutating func script() -> Script {
    var script = FallbackScript.make(personality: line(), plan: Plan(distance: 5000, time: 1500))
    script.id = random.percent(50) ? line() : nil
    script.runId = random.percent(50) ? run().text : nil
    script.grace = Grace(meters: Double(random.below(1000)) / 3, seconds: 45)
    script.branchPolicy = random.percent(50) ? .branched : .linear
    script.messages[0].branchKey = random.percent(50) ? line() : nil
    script.messages[0].prerenderedAudioPath = random.percent(50) ? line() : nil
    return script
  }

  /// A change of what is kept of runs beside their script, and of races.
  mutating func companionChange() -> RareChange {
    switch random.below(9) {
    case 0, 1:
      return .runRemarked(
        someRun(),
        RunRemarks(
          label: random.percent(50) ? line() : nil, userNotes: random.percent(50) ? line() : nil,
          perceivedEffort: random.percent(50) ? 1 + random.below(10) : nil))
    case 2, 3:
      return .runCached(
        someRun(),
        CachedTruth(
          distanceMeters: Double(random.below(50_000)) / 7, durationSeconds: Double(random.below(9_000)) / 3,
          avgPaceSecPerKm: random.percent(80) ? Double(random.below(60_000)) / 100 : nil))
    case 4, 5:
      let id = restoredRun()
      return .runRestored(
        RunRow(
          id: id, startedAt: WatchTime(nanoseconds: now), endedAt: WatchTime(nanoseconds: now + 9),
          runType: .outdoor, mode: .free, personality: line(), healthKitWorkoutUUID: Identifier(high: 3, low: id.low)))
    case 6, 7: return .raceStored(race())
    default: return !isOneRun && random.percent(20) ? wipe() : .raceStored(race())
    }
  }

  private mutating func someRun() -> Identifier { random.percent(90) ? run() : Identifier(high: 7, low: 7) }

  private mutating func race() -> RaceSetup {
    var race = RaceSetup(
      id: Identifier(high: 6, low: UInt64(random.below(4))), name: line(),
      distanceMeters: Double(1 + random.below(50_000)), targetTimeSeconds: Double(1 + random.below(20_000)) / 3,
      pacingStrategy: PacingStrategy.allCases[random.below(4)],
      notes: random.percent(50) ? line() : nil, scriptId: random.percent(50) ? line() : nil,
      runId: random.percent(50) ? run() : nil)
    let points: [RaceCue.Point] = [.atMeters(5000), .everyMeters(2500.5), .atSeconds(1800)]
    for _ in 0..<random.below(4) {
      race.fuelingPlan.append(RaceCue(points[random.below(3)], text: "eat \(line()) now"))
    }
    for _ in 0..<random.below(4) { race.hydrationPlan.append(RaceCue(points[random.below(3)], text: "drink")) }
    return race
  }

  private mutating func memory() -> UserMemory {
    let values: [JSONValue] = [
      .integer(Int64(random.below(200))), .string(line()), .null, .bool(true), .number(0.25),
      .object([JSONMember("a", .array([JSONNode(.integer(1)), JSONNode(.string(line()))]))]),
    ]
    return UserMemory(
      id: Identifier(high: random.next(), low: 1),
      fact: MemoryFact(
        kind: MemoryKind.allCases[random.below(5)], key: line(), value: values[random.below(values.count)],
        confidence: Double(random.below(100)) / 99, source: MemorySource.allCases[random.below(3)]),
      updatedAt: now)
  }
}
