@testable import CoachReference
import Link
import Testing

@testable import PhoneSim

@Suite struct `Reference snapshots` {
  private static func metrics(_ seq: Int64, pace: Double?) -> SnapshotMetrics {
    var metrics = SnapshotMetrics()
    metrics.epoch = 1
    metrics.seq = seq
    metrics.workoutId = Identifier(high: 1, low: 2)
    metrics.elapsed = Double(seq)
    metrics.distance = Double(3 * seq)
    metrics.currentPaceSecPerKm = pace
    metrics.avgPaceSecPerKm = 330
    metrics.currentHR = 150
    metrics.cadence = 170
    return metrics
  }

  @Test func `what is read in the place of another has nothing left of it`() {
    var snapshot = ReferenceSnapshot.none
    snapshot.read(Self.metrics(1, pace: 320), at: .start + .seconds(1), line: 7, readsAll: true)
    #expect(snapshot.currentPace == 320 && snapshot.avgPace == 330 && snapshot.heartRate == 150)
    #expect(snapshot.cadence == 170 && snapshot.line == 7 && snapshot.workout == Identifier(high: 1, low: 2))
    snapshot.read(Self.metrics(2, pace: nil), at: .start + .seconds(2), line: 8, readsAll: true)
    #expect(snapshot.currentPace.isNaN && snapshot.avgPace == 330 && snapshot.cadence == 170)
    #expect(snapshot.seq == 2 && snapshot.distance == 6)
    snapshot.read(Self.metrics(3, pace: 320), at: .start + .seconds(3), line: 9, readsAll: false)
    #expect([snapshot.currentPace, snapshot.avgPace, snapshot.heartRate, snapshot.cadence].allSatisfy { $0.isNaN })
    #expect(snapshot.seq == 3 && snapshot.elapsed == 3 && snapshot.time == .start + .seconds(3))
  }
}
