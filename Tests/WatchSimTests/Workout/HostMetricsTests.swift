import CoachProtocol
import Link
import Testing
import WatchSim

@Suite struct `Published metrics` {
  @Test func `a pace that is not greater than zero is absent`() throws {
    var rig = HostRig(try recording(seconds: 30, metresPerSecond: 0))
    rig.driveToEnd()
    #expect(rig.snapshots.allSatisfy { $0.currentPaceSecPerKm == nil && $0.avgPaceSecPerKm == nil })
  }

  @Test func `current pace is that of the last ten seconds of running`() throws {
    let metres = (0...40).map { (second: Int64) -> Int64 in 1000 * (second < 20 ? second * 2 : second * 5 - 60) }
    let source = RecordedSource(
      try RecordedMotion(
        distanceMillimetres: metres, heartRate: [UInt8](repeating: 0, count: 41),
        cadence: [UInt16](repeating: 0, count: 41), isPaused: [Bool](repeating: false, count: 41)))
    var rig = HostRig(.recorded(source), preparing: .zero)
    rig.driveToEnd()
    #expect(rig.snapshots[20].currentPaceSecPerKm == 500)
    #expect(rig.snapshots[25].currentPaceSecPerKm == 285.71)  // 10 m and 25 m in ten seconds
    #expect(rig.snapshots[30].currentPaceSecPerKm == 200)
    #expect(rig.snapshots[30].avgPaceSecPerKm == 333.33)  // 90 m in 30 s
    #expect(rig.snapshots[30].currentHR == nil)
    #expect(rig.snapshots[30].cadence == nil)
  }

  @Test func `a paused workout has no current pace, and a resumed one starts a new one`() {
    var rig = HostRig(evenRunner())
    rig.order(.pause, at: .at(20))
    rig.order(.resume, at: .at(30))
    rig.drive(through: .at(31))
    #expect(rig.snapshots[19].currentPaceSecPerKm == 250)
    #expect(rig.snapshots[20].currentPaceSecPerKm == nil)
    #expect(rig.snapshots[25].currentPaceSecPerKm == nil)
    #expect(rig.snapshots[30].currentPaceSecPerKm == nil)
    #expect(rig.snapshots[31].currentPaceSecPerKm == 250)
    #expect(rig.snapshots[25].avgPaceSecPerKm == 250)
  }

  @Test func `every number is rounded to its decimals`() {
    var rig = HostRig(.model(RunnerModel(RunnerParameters(), seed: 3)), preparing: .milliseconds(1_234))
    rig.order(.pause, at: VirtualTime(nanoseconds: 100_123_456_789))
    rig.order(.resume, at: VirtualTime(nanoseconds: 130_987_654_321))
    rig.driveToEnd()
    func isRounded(_ value: Double?, _ places: Int) -> Bool {
      guard let value else { return true }
      let factor = [1.0, 10, 100, 1000][places]
      return (value * factor).rounded() / factor == value
    }
    for metrics in rig.snapshots {
      #expect(isRounded(metrics.elapsed, 3) && isRounded(metrics.distance, 2) && isRounded(metrics.energyKcal, 1))
      #expect(isRounded(metrics.currentPaceSecPerKm, 2) && isRounded(metrics.avgPaceSecPerKm, 2))
      #expect(isRounded(metrics.lastSplit?.durationSeconds, 3) && isRounded(metrics.lastSplit?.paceSecPerKm, 2))
    }
    #expect(rig.snapshots.contains { $0.elapsed * 1000 != ($0.elapsed * 10).rounded() * 100 })
  }

  @Test func `each split is carried by exactly one snapshot, the first after its kilometre`() {
    var rig = HostRig(evenRunner())
    rig.driveToEnd()
    let carried = rig.snapshots.enumerated().filter { $0.element.lastSplit != nil }
    #expect(carried.map(\.element.lastSplit?.kmIndex) == [1, 2, 3, 4, 5])
    #expect(carried.map(\.offset) == [253, 503, 753, 1003, 1253])
    #expect(carried.map(\.element.lastSplit?.paceSecPerKm) == [250, 250, 250, 250, 250])
  }

  @Test func `splits completed in one jump are carried one by one`() throws {
    var metres = (0...20).map { Int64($0) * 3_000 }
    for second in 10...20 { metres[second] += 2_500_000 }
    let source = RecordedSource(
      try RecordedMotion(
        distanceMillimetres: metres, heartRate: [UInt8](repeating: 150, count: 21),
        cadence: [UInt16](repeating: 0, count: 21), isPaused: [Bool](repeating: false, count: 21)))
    var rig = HostRig(.recorded(source), preparing: .zero)
    rig.driveToEnd()
    #expect(rig.snapshots[10].lastSplit?.kmIndex == 1)
    #expect(rig.snapshots[11].lastSplit?.kmIndex == 2)
    #expect(rig.snapshots[12].lastSplit == nil)
  }

  @Test func `a published kilometre and its split come together, whatever the runner`() {
    for seed in 0..<8 as Range<UInt64> {
      var rig = HostRig(.model(RunnerModel(RunnerParameters(), seed: seed)))
      rig.driveToEnd()
      var kilometres = 0
      for metrics in rig.snapshots {
        let completed = Int(metrics.distance / 1000)
        #expect((metrics.lastSplit != nil) == (completed > kilometres), "seed \(seed), \(metrics.distance) m")
        kilometres = completed
      }
    }
  }
}
