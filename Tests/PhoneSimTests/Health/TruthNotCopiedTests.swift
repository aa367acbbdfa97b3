import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// What the health store knows stays there: a phone that copies some of it is found out.
@Suite struct TruthNotCopiedTests {
  private static let run = Identifier(high: 1, low: 1)

  /// The line that a phone writes of changes, whatever they are.
  private func judge(_ changes: [RareChange]) throws -> [String] {
    var trace = CoachTrace()
    let event = PhoneNode.storedEvent(changes.map { .rare($0) }[...], at: .start)
    trace.add("health.kept", 1, event.fields.map { $0 })
    return try trace.judge(only: ["truth-not-copied"]).violations.map(\.detail)
  }

  @Test func `three figures, the link and a row are no copy`() throws {
    let row = RunRow(
      id: Self.run, startedAt: WatchTime(nanoseconds: .max), endedAt: WatchTime(nanoseconds: .max), runType: .treadmill,
      mode: .training, personality: String(repeating: "coach ", count: 20),
      healthKitWorkoutUUID: Identifier(high: 2, low: 2), label: String(repeating: "l", count: 200))
    let cached = CachedTruth(HealthReaderTests.truth(points: 5_000).workout)
    #expect(
      try judge([
        .runRestored(row), .runFinished(Self.run, healthKitWorkoutUUID: Self.run), .runCached(Self.run, cached),
      ]) == [])
  }

  @Test func `a route in a run's notes, in its label, in the athlete's memory or in a summary is one`() throws {
    let route = HealthReaderTests.truth(points: 100).route.map { "\($0.latitudeE7),\($0.longitudeE7)" }
    let text = route.joined(separator: " ")
    var row = RunRow(
      id: Self.run, startedAt: WatchTime(nanoseconds: 1), runType: .outdoor, mode: .free, personality: "calm")
    row.userNotes = text
    #expect(try judge([.runRemarked(Self.run, RunRemarks(userNotes: text))]).count == 2)
    #expect(
      try judge([.runSummarised(Self.run, "short")]) == [
        "an answer of the health store changed runSummarised in the store"
      ])
    #expect(try judge([.runRestored(row)]).count == 1)
    #expect(
      try judge([
        .remembered(
          UserMemory(
            id: Self.run,
            fact: MemoryFact(kind: .fact, key: "route", value: .string(text), confidence: 1, source: .systemDefault),
            updatedAt: 1))
      ]).count == 2)
  }
}
