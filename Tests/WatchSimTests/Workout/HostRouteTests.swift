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
