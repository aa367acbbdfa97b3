import Link
import Testing

@testable import Simulator

@Suite struct `The fault schedule` {
  private static func seconds(_ seconds: Int64) -> VirtualTime { .start + .seconds(seconds) }

  /// Every step up to an instant, as `time index what`.
  private static func steps(_ plan: [PlannedFault], until end: VirtualTime) -> [String] {
    var schedule = FaultSchedule(plan)
    var words: [String] = []
    while let at = schedule.nextAt, at <= end {
      while let step = schedule.popDue(at: at) {
        let what =
          switch step.what {
          case .begin: "begin"
          case .order(.cutLink): "cut"
          case .order(.restoreLink): "restore"
          case .end: "end"
          }
        #expect(step.at == at)
        words.append("\((step.at - .start).nanoseconds / 1_000_000_000) \(step.index) \(what)")
      }
    }
    return words
  }

  @Test func `one fault at one instant begins, gives its orders, and ends, in this order`() {
    let none = PlannedFault(begin: Self.seconds(3), end: Self.seconds(3), DisconnectFault())
    #expect(Self.steps([none], until: Self.seconds(10)) == ["3 0 begin", "3 0 cut", "3 0 restore", "3 0 end"])
    let loss = PlannedFault(begin: Self.seconds(3), end: Self.seconds(3), CorruptFault(probability: .always))
    #expect(Self.steps([loss], until: Self.seconds(10)) == ["3 0 begin", "3 0 end"])
  }

  @Test func `at one instant faults go in plan order`() {
    let plan = [
      PlannedFault(begin: Self.seconds(5), DisconnectFault()),
      PlannedFault(begin: Self.seconds(1), end: Self.seconds(5), DisconnectFault()),
      PlannedFault(begin: Self.seconds(5), CorruptFault(probability: .always)),
    ]
    #expect(
      Self.steps(plan, until: Self.seconds(9)) == [
        "1 1 begin", "1 1 cut", "5 0 begin", "5 0 cut", "5 1 restore", "5 1 end", "5 2 begin",
      ])
  }

  @Test func `a link that flaps begins down, and its end cuts the last stretch short`() {
    let flap = DisconnectFault(flap: DisconnectFault.Flap(up: .seconds(3), down: .seconds(2)))
    let whole = PlannedFault(begin: Self.seconds(10), end: Self.seconds(21), flap)
    #expect(
      Self.steps([whole], until: Self.seconds(99)) == [
        "10 0 begin", "10 0 cut", "12 0 restore", "15 0 cut", "17 0 restore", "20 0 cut", "21 0 restore", "21 0 end",
      ])
    let up = PlannedFault(begin: Self.seconds(10), end: Self.seconds(14), flap)
    #expect(
      Self.steps([up], until: Self.seconds(99)) == ["10 0 begin", "10 0 cut", "12 0 restore", "14 0 end"])
    let edge = PlannedFault(begin: Self.seconds(10), end: Self.seconds(15), flap)
    #expect(
      Self.steps([edge], until: Self.seconds(99)) == ["10 0 begin", "10 0 cut", "12 0 restore", "15 0 end"],
      "no cut at the very end")
    let endless = PlannedFault(flap)
    #expect(Self.steps([endless], until: Self.seconds(8)).count == 5)
  }

  @Test func `ending everything returns what is on, in plan order, and forgets what was to come`() {
    var schedule = FaultSchedule([
      PlannedFault(begin: Self.seconds(2), DisconnectFault()),
      PlannedFault(begin: Self.seconds(1), CorruptFault(probability: .always)),
      PlannedFault(begin: Self.seconds(9), CorruptFault(probability: .always)),
      PlannedFault(end: Self.seconds(1), CorruptFault(probability: .always)),
    ])
    while schedule.popDue(at: Self.seconds(5)) != nil {}
    #expect(schedule.active == [0, 1])
    #expect(schedule.nextAt == Self.seconds(9))
    #expect(schedule.endAll() == [0, 1])
    #expect(schedule.active.isEmpty && schedule.nextAt == nil)
    #expect(schedule.popDue(at: Self.seconds(99)) == nil)
    #expect(FaultSchedule([]).nextAt == nil)
  }
}
