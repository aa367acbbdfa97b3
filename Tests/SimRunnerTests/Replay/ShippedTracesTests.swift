import Foundation
import Link
import Testing

@testable import Experiments
@testable import Simulator
@testable import TraceTools
@testable import Console

/// The traces of `traces/` are fed back: what was decided when they were written is decided today.
@Suite struct ShippedTracesTests {
  @Test(arguments: GoldenTrace.all)
  func `a shipped trace is fed back whole, and to the phone alone`(golden: GoldenTrace) throws {
    let trace = try RecordedTrace(golden.trace.path())
    let whole = try WholeReplay.run(trace, workout: nil)
    #expect(whole.isIdentical == true, "\(whole.notes)")
    let phone = try PhoneReplay.run(trace, workout: nil)
    #expect(phone.difference.isEmpty, "\(DifferenceText(difference: phone.difference, names: ("then", "now")).lines())")
    #expect(phone.frames?.translated == 0 && phone.frames?.unknown == 0)
  }

  @Test func `there are a few, of different kinds`() throws {
    #expect((5...12).contains(GoldenTrace.all.count))
    var seen: Set<String> = []
    for golden in GoldenTrace.all {
      seen.formUnion(try RecordedTrace(golden.trace.path()).events.map(\.name.text))
    }
    for event in ["node.killed", "ai.reply", "liveness.disconnected", "voice.received", "snapshot.stale"] {
      #expect(seen.contains(event), "\(event)")
    }
  }
}
