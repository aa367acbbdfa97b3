import CoachProtocol
import Link
import Testing
import WatchSim

/// Every order of commands and seconds up to length six, against what must hold for all of them.
@Suite struct `Workout host, every short order` {
  /// What happens next: a command, or the clock going on to the next deadline.
  enum Step: CaseIterable { case pause, resume, end, second }

  @Test(arguments: [VirtualTime.Span.seconds(0), .milliseconds(1_500), .seconds(2)], [true, false])
  func `holds its invariants`(preparing: VirtualTime.Span, isOnTheSecond: Bool) throws {
    // A stop at 9 m, so that pauses of the source are met too, and its end between two seconds.
    let source = evenRunner(24, stops: [.init(atMeters: 9, forSeconds: 2)])
    var orders = 0
    for length in 0...6 {
      var steps = [Int](repeating: 0, count: length)
      repeat {
        let order = steps.map { Step.allCases[$0] }
        try check(order, source, preparing, isOnTheSecond)
        orders += 1
      } while advance(&steps)
    }
    #expect(orders == (0...6).reduce(0) { sum, length in sum + (0..<length).reduce(1) { power, _ in power * 4 } })
  }

  private func advance(_ steps: inout [Int]) -> Bool {
    for index in steps.indices {
      steps[index] += 1
      if steps[index] < Step.allCases.count { return true }
      steps[index] = 0
    }
    return false
  }

  private func check(
    _ order: [Step], _ source: AnyMotionSource, _ preparing: VirtualTime.Span, _ isOnTheSecond: Bool
  ) throws {
    var rig = HostRig(source, preparing: preparing)
    // Commands come on whole seconds, before the second's own work, or 300 ms after them.
    var now = VirtualTime.start + .seconds(1)
    let shift = VirtualTime.Span.milliseconds(isOnTheSecond ? 0 : 300)
    for step in order {
      switch step {
      case .pause: rig.order(.pause, at: now + shift)
      case .resume: rig.order(.resume, at: now + shift)
      case .end: rig.order(.end, at: now + shift)
      case .second: now = now + .seconds(1)
      }
    }
    rig.drive(through: .start + .seconds(60))
    if rig.host.state != .ended { rig.order(.end, at: .start + .seconds(61)) }
    try judge(rig, order)
  }

  private func judge(_ rig: HostRig, _ order: [Step]) throws {
    let published = rig.published
    let context = "\(order)"
    #expect(rig.host.state == .ended && rig.host.nextDeadline == nil, "\(context)")

    // Stamps rise, elapsed and distance never fall, ended is last and once.
    for (before, after) in zip(published, published.dropFirst()) {
      #expect(before.metrics.sentAt < after.metrics.sentAt, "\(context)")
      #expect(before.metrics.elapsed <= after.metrics.elapsed, "\(context)")
      #expect(before.metrics.distance <= after.metrics.distance, "\(context)")
      #expect(before.metrics.state != .ended, "\(context)")
      if before.metrics.state == .paused, after.metrics.state == .paused {
        #expect(before.metrics.distance == after.metrics.distance, "\(context)")
        #expect(before.metrics.energyKcal == after.metrics.energyKcal, "\(context)")
      }
    }
    #expect(published.last?.metrics.state == .ended, "\(context)")

    // At every whole second up to the end one snapshot, or one a change of state.
    let changes = rig.said.filter { if case .stateChanged(.some, _, _) = $0.effect { true } else { false } }
    let end = try #require(published.last).time
    var second = VirtualTime.start
    while second <= end {
      let here = published.count { $0.time == second }
      let changed = changes.count { $0.time == second }
      #expect(here == max(1, changed), "\(context), second \(second.nanoseconds / 1_000_000_000)")
      second = second + .seconds(1)
    }
    // And none between two seconds but for changes.
    let between = published.count { $0.time.nanoseconds % 1_000_000_000 != 0 }
    #expect(between == changes.count { $0.time.nanoseconds % 1_000_000_000 != 0 }, "\(context)")

    // States follow one another as they may, and every one but preparing is announced with its snapshot's stamp.
    var state: WorkoutState?
    for change in rig.changes {
      #expect(change.from == state, "\(context)")
      switch (change.from, change.to) {
      case (nil, .preparing), (.preparing, .running), (.running, .paused), (.paused, .running): break
      case (.preparing, .ended), (.running, .ended), (.paused, .ended): break
      default: Issue.record("\(context): \(change)")
      }
      state = change.to
    }
    #expect(rig.announcements.count == rig.changes.count - 1, "\(context)")
    for announcement in rig.announcements {
      let sentAt = try #require(announcement.eventSentAt)
      #expect(published.contains { $0.metrics.sentAt == sentAt }, "\(context)")
    }

    // What was kept says the same as what was published; a workout that never ran is not kept.
    let ran = rig.changes.contains { $0.to == .running }
    #expect((rig.finished != nil) == ran, "\(context)")
    if let workout = rig.finished, let last = published.last?.metrics {
      #expect(Double(workout.activeMilliseconds) / 1000 == last.elapsed, "\(context)")
      #expect(Double(workout.distanceCentimetres) / 100 == last.distance, "\(context)")
    }
  }
}
