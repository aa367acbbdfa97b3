import Link
import Testing

@testable import PhoneSim

@Suite struct `Reckoned snapshots` {
  private static func line(_ seq: Int64, pace: Int64?) -> TraceEvent {
    var fields: [TraceEvent.Field] = [
      .init("epoch", .int(1)), .init("seq", .int(seq)), .init("workoutId", .uuid(high: 1, low: 2)),
      .init("sentAt", .int(seq)), .init("elapsed", .int(seq)), .init("distance", .int(3 * seq)),
    ]
    if let pace { fields.append(.init("currentPaceSecPerKm", .int(pace))) }
    fields += [
      .init("avgPaceSecPerKm", .int(330)), .init("currentHR", .int(150)), .init("energyKcal", .int(1)),
      .init("cadence", .int(170)),
    ]
    return TraceEvent("snapshot.fresh", at: .start + .seconds(seq), on: .phone, fields)
  }

  @Test func `what is read in the place of another has nothing left of it`() {
    var snapshot = ReckonedSnapshot.none
    let isFirst = snapshot.read(Self.line(1, pace: 320), line: 7, readsAll: true)
    #expect(isFirst)
    #expect(snapshot.currentPace == 320 && snapshot.avgPace == 330 && snapshot.heartRate == 150)
    #expect(snapshot.cadence == 170 && snapshot.line == 7 && snapshot.workout == Identifier(high: 1, low: 2))
    let isSecond = snapshot.read(Self.line(2, pace: nil), line: 8, readsAll: true)
    #expect(isSecond)
    #expect(snapshot.currentPace.isNaN && snapshot.avgPace == 330 && snapshot.cadence == 170)
    #expect(snapshot.seq == 2 && snapshot.distance == 6)
    let isThird = snapshot.read(Self.line(3, pace: 320), line: 9, readsAll: false)
    #expect(isThird)
    #expect([snapshot.currentPace, snapshot.avgPace, snapshot.heartRate, snapshot.cadence].allSatisfy { $0.isNaN })
    #expect(snapshot.seq == 3 && snapshot.elapsed == 3 && snapshot.time == .start + .seconds(3))
  }

  @Test func `a line without what every snapshot has is none`() {
    var lame = Self.line(1, pace: 320)
    lame.fields.removeAll { $0.key == "distance" }
    var snapshot = ReckonedSnapshot.none
    let isLame = snapshot.read(lame, line: 7, readsAll: true)
    #expect(!isLame)
  }
}
