import CoachProtocol
import Link

/// Builds the bodies of requests to the edge.
enum Questions {
  static func script(_ setup: PhoneNode.Setup, _ diary: RunDiary, _ memory: [MemoryFact]) -> String {
    text(
      GenerateScriptRequest(
        goal: goal(setup.plan), distanceKm: (setup.plan.distance ?? 0) / 1000,
        targetPaceSecPerKm: setup.plan.targetPace.map(rounded), personality: setup.personality,
        settings: CoachSettings(runType: setup.runType, mode: setup.mode), userMemory: memory,
        recentRunSummaries: diary.summaries))
  }

  /// Builds the request for a reply to the athlete.
  ///
  /// - Parameters:
  ///   - elapsed: Seconds of the run, used if no snapshot arrived since the phone's start.
  ///   - distance: Metres of the run, likewise; nil if nothing measures them.
  static func reply(
    to transcript: String, _ setup: PhoneNode.Setup, _ diary: RunDiary, state: WorkoutState, elapsed: Double,
    distance: Double?
  ) -> String {
    let snapshot = diary.snapshot
    return text(
      ChatReplyRequest(
        runContextSnapshot: RunContext(
          state: state, elapsed: snapshot?.elapsed ?? elapsed, distance: snapshot?.distance ?? distance,
          currentPaceSecPerKm: snapshot?.currentPaceSecPerKm, avgPaceSecPerKm: snapshot?.avgPaceSecPerKm,
          currentHR: snapshot?.currentHR, distanceKm: setup.plan.distance.map { $0 / 1000 },
          targetPaceSecPerKm: setup.plan.targetPace.map(rounded)),
        voiceNoteTranscript: transcript, personality: setup.personality, recentMessagesPlayed: diary.recentTexts))
  }

  static func summary(
    of runId: Identifier, _ setup: PhoneNode.Setup, _ diary: RunDiary, _ memory: [MemoryFact], script: Script?,
    elapsed: Double?, distance: Double?
  ) -> String {
    text(
      PostRunSummaryRequest(
        run: SummarisedRun(
          id: runId, runType: setup.runType, mode: setup.mode, distanceMeters: distance, durationSeconds: elapsed),
        scriptUsed: UsedScript(id: script?.id, played: diary.played), voiceNotes: diary.notes.map(\.note),
        personality: setup.personality, userMemory: memory))
  }

  private static func text(_ shape: some EdgeShape) -> String { String(decoding: shape.bytes, as: UTF8.self) }

  /// Two decimals: more would claim a precision that was not measured.
  private static func rounded(_ pace: Double) -> Double { (pace * 100).rounded() / 100 }

  /// The plan as text: `10 km in 50:00`.
  static func goal(_ plan: Plan) -> String {
    var words: [String] = []
    if let distance = plan.distance {
      let metres = Int64(distance.rounded())
      words.append(metres % 1000 == 0 ? "\(metres / 1000) km" : "\(metres) m")
    }
    if let time = plan.time {
      let clock = MeasureText.clock(seconds: Int64(min(max(time, 0), 1e9).rounded()))
      words.append(words.isEmpty ? clock : "in \(clock)")
    }
    return words.isEmpty ? "a run without a plan" : words.joined(separator: " ")
  }
}
