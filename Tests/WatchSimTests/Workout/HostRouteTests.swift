import CoachProtocol
import Link
import Testing
import WatchSim

/// Where the runner is, in runs of a recorded route.
@Suite struct HostRouteTests {
  @Test func `a recorded route reaches the trace once a second from the start to the end`() throws {
    var rig = HostRig(try recording(seconds: 30, hasRoute: true))
    rig.driveToEnd()
    #expect(rig.located.map(\.time) == (3...33).map { .at(Double($0)) })
    #expect(rig.located.map(\.position.latitudeE7) == (0...30).map { Int32($0) })
  }

  @Test func `a report has heart rates, altitudes, and the cadence and climb of each kilometre`() throws {
    // A second at 10 m/s is 2 m higher than the one before.
    let motion = try RecordedMotion(
      distanceMillimetres: (0...250).map { $0 * 10_000 }, heartRate: (0...250).map { UInt8(100 + $0 / 10) },
      cadence: (0...250).map { $0 < 100 ? 170 : 180 }, isPaused: [Bool](repeating: false, count: 251),
      positions: (0...250).map {
        GeoPosition(latitudeE7: Int32($0), longitudeE7: 9, altitudeMillimetres: Int32($0) * 2_000)
      })
    var rig = HostRig(.recorded(RecordedSource(motion)))
    rig.driveToEnd()
    let workout = try #require(
      rig.said.compactMap { said in if case .finished(let workout) = said.effect { workout } else { nil } }.first)
    let units = workout.reports().flatMap(\.units)
    let points = units.filter { $0.kind == .point }
    #expect(points.map { $0["altitude"] } == (0...25).map { $0 * 20_000 })
    #expect(points.map { $0["latitudeE7"] } == (0...25).map { $0 * 10 })
    let beats = units.filter { $0.kind == .heartRate }
    #expect(beats.map { $0["offset"] } == (0...25).map { $0 * 10_000 })
    #expect(beats.map { $0["heartRate"] } == (0...25).map { 100 + $0 })
    let splits = units.filter { $0.kind == .split }
    #expect(splits.map { $0["cadence"] } == [170, 180])
    #expect(splits.map { $0["climb"] } == [198_000, 200_000])
  }

  @Test func `changes between two seconds write no further position`() throws {
    var rig = HostRig(try recording(seconds: 30, hasRoute: true))
    rig.order(.pause, at: .at(10.25))
    rig.order(.resume, at: .at(10.75))
    rig.order(.end, at: .at(15.5))
    #expect(rig.located.map(\.time) == (3...15).map { .at(Double($0)) })
  }

  @Test func `a position precedes the snapshot of its second`() throws {
    var rig = HostRig(try recording(seconds: 5, hasRoute: true))
    rig.driveToEnd()
    for index in rig.said.indices {
      guard case .located = rig.said[index].effect else { continue }
      guard case .publish = rig.said[index + 1].effect else {
        Issue.record("no snapshot follows")
        return
      }
    }
  }

  @Test func `a model runner and a recording without a route write no positions`() throws {
    for source in [evenRunner(200), try recording(seconds: 30)] {
      var rig = HostRig(source)
      rig.driveToEnd()
      #expect(rig.located.isEmpty)
    }
  }
}
