import CoachProtocol
import Link
import Testing
import WatchSim

/// The watch's app is killed and started again, and its workout does not notice.
@Suite struct `A restarted watch` {
  /// Where the run comes from, and what the user does meanwhile.
  enum Course: CaseIterable {
    /// A runner who stops at 160 m and is paused by hand, once while standing.
    case model
    /// A recording with a pause of its own, paused by hand across it.
    case recorded

    func source() throws -> AnyMotionSource {
      switch self {
      case .model: evenRunner(240, stops: [.init(atMeters: 80, forSeconds: 12)])
      case .recorded: try recording(seconds: 60, metresPerSecond: 25, pausedAt: 20..<32)
      }
    }

    /// In their order.
    var commands: [(at: VirtualTime, name: String)] {
      switch self {
      // Paused by hand from 10.4 s to 18 s, the runner does not move from about 31 s on, and is held over the end of that.
      case .model: [(.at(10.4), "pause"), (.at(18), "resume"), (.at(36.5), "pause"), (.at(50), "resume")]
      // The recorded pause is held twice while it lasts, so there is no event.
      case .recorded: [(.at(25.2), "pause"), (.at(27.9), "resume"), (.at(30), "pause"), (.at(40), "resume")]
      }
    }
  }

  struct Result: Equatable {
    var workout: FinishedWorkout?
    var queued: [String]
    var splits: Int
  }

  func run(_ course: Course, kills: [(at: VirtualTime, lasts: VirtualTime.Span, offset: Int64)]) throws -> WatchRig {
    var rig = WatchRig(try course.source())
    var commands = course.commands
    for kill in kills {
      // Of one instant, faults come first.
      while let next = commands.first, next.at < kill.at {
        commands.removeFirst()
        rig.order(next.name, at: next.at)
      }
      rig.drive(before: kill.at)
      rig.kill()
      let back = kill.at + kill.lasts
      while let next = commands.first, next.at < back { commands.removeFirst() }
      rig.start(at: back, [.clock(offset: kill.offset, driftPPM: 0)])
    }
    for next in commands { rig.order(next.name, at: next.at) }
    rig.drive(through: .at(200))
    return rig
  }

  /// What must be the same whatever the app went through: dates tell when the app saw it, all else what happened.
  func undated(_ workout: FinishedWorkout?) -> FinishedWorkout? {
    guard var workout else { return nil }
    workout.startedAt = WatchTime(nanoseconds: 0)
    workout.endedAt = WatchTime(nanoseconds: 0)
    for index in workout.events.indices { workout.events[index].date = WatchTime(nanoseconds: 0) }
    return workout
  }

  func judge(_ rig: WatchRig, like whole: WatchRig, _ context: String) {
    let saved = rig.node?.health.workouts ?? []
    #expect(saved.count == 1, "\(context)")
    #expect(undated(saved.first) == undated(whole.node?.health.workouts.first), "\(context)")
    #expect(rig.queuedKinds == whole.queuedKinds, "\(context)")
    // Every state was announced once. Its event carries the stamp of the snapshot that reports it, unless the watch came so late
    // that another state followed at the same instant.
    #expect(rig.lines("workout.state").map { $0["to"] } == whole.lines("workout.state").map { $0["to"] }, "\(context)")
    #expect(zip(rig.stamps, rig.stamps.dropFirst()).allSatisfy { $0 < $1 }, "\(context)")
    let stamps = Set(rig.stamps)
    let times = rig.lines("transfer.queued").map(\.time)
    for (index, message) in rig.queued.enumerated() {
      let isReplaced = index + 1 < times.count && times[index + 1] == times[index]
      #expect(isReplaced || stamps.contains(message.eventSentAt?.nanoseconds ?? 0), "\(context)")
    }
    let published = rig.lines("snapshot").map(\.time)
    #expect(Set(published).count == published.count, "\(context)")
    // A split is carried once.
    let carried = rig.lines("snapshot").compactMap { $0["lastSplit"] }
    #expect(carried == whole.lines("snapshot").compactMap { $0["lastSplit"] }, "\(context)")
    #expect(rig.node?.isWorkoutOver == true, "\(context)")
  }

  @Test(arguments: Course.allCases, [0.0, 0.3, 1, 7.25])
  func `at instants of a whole run and for any time, measures and announces the same`(course: Course, lasts: Double)
    throws
  {
    let whole = try run(course, kills: [])
    #expect(whole.queuedKinds.count == (course == .model ? 6 : 4))
    let end = try #require(whole.lines.last).time
    // A watch that is dead when its workout should begin begins it later.
    var instant = VirtualTime.start + .milliseconds(lasts > 0 ? 50 : 0)
    var count = 0
    while instant <= end + .seconds(2) {
      let back = instant + VirtualTime(nanoseconds: 0).distance(toSeconds: lasts)
      // A command to a dead watch is lost: another run, judged below.
      let losesCommand = course.commands.contains { $0.at >= instant && $0.at < back }
      if !losesCommand {
        let offset: Int64 = count % 2 == 0 ? 0 : -90_000_000_000
        let rig = try run(course, kills: [(instant, back - instant, offset)])
        judge(rig, like: whole, "killed at \(instant.nanoseconds), \(lasts) s, \(offset)")
        count += 1
      }
      // Whole seconds and moments between them in turn, a few seconds apart.
      instant = instant + .milliseconds(count % 3 == 0 ? 2_450 : count % 3 == 1 ? 3_550 : 3_000)
    }
    #expect(count > 15)
  }

  @Test(arguments: Course.allCases)
  func `several times, it still continues`(course: Course) throws {
    let whole = try run(course, kills: [])
    let random = RandomStream(seed: 11, name: "kills")
    for number in 0..<15 as Range<UInt64> {
      var kills: [(at: VirtualTime, lasts: VirtualTime.Span, offset: Int64)] = []
      var at: Int64 = 0
      for draw in 0..<5 as Range<UInt64> {
        at += 100 + Int64(random.number(below: 25_000, for: number, draw: draw))
        let lasts = Int64(random.number(below: 2_000, for: number, draw: draw + 5))
        let offset = Int64(random.number(below: 200, for: number, draw: draw + 10)) - 100
        kills.append((.start + .milliseconds(at), .milliseconds(lasts), offset * 1_000_000_000))
        at += lasts
      }
      let losesCommand = course.commands.contains { command in
        kills.contains { command.at >= $0.at && command.at < $0.at + $0.lasts }
      }
      if losesCommand { continue }
      judge(try run(course, kills: kills), like: whole, "\(kills)")
    }
  }

  @Test(arguments: Course.allCases)
  func `with a command lost to a dead app, states still follow one another and are announced once`(course: Course)
    throws
  {
    for lost in course.commands {
      var rig = try run(course, kills: [(lost.at, .seconds(2), 0)])
      // Without a resume it stays paused until its end.
      if rig.node?.isWorkoutOver == false { rig.order("end", at: .at(210)) }
      let states = rig.lines("workout.state").compactMap { $0["to"]?.text }
      #expect(states.first == "preparing" && states.last == "ended" && states.filter { $0 == "ended" }.count == 1)
      #expect(rig.queued.count == states.count - 1)
      #expect(zip(rig.stamps, rig.stamps.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test func `a watch killed at any crash point of a run loses nothing and announces nothing twice`() throws {
    let whole = try run(.model, kills: [])
    #expect(whole.points.filter { $0 == .workoutCommitted }.count == 1)
    #expect(whole.points.filter { $0 == .outboxCommitted }.count == 6)
    for point in [CrashPoint.outboxCommitted, .workoutCommitted] {
      for number in 0..<whole.points.filter({ $0 == point }).count {
        var rig = WatchRig(try Course.model.source())
        var passed = 0
        for step in Course.model.commands + [(.at(200), "")] {
          while let due = rig.node?.nextDeadline, due < step.at {
            if passed == number { rig.armed = point }
            rig.give(nil, at: due)
            passed = rig.points.filter { $0 == point }.count
            if rig.node == nil { rig.start(at: due + .milliseconds(1)) }
          }
          guard !step.name.isEmpty else { continue }
          if passed == number { rig.armed = point }
          rig.order(step.name, at: step.at)
          passed = rig.points.filter { $0 == point }.count
          if rig.node == nil { rig.start(at: step.at + .milliseconds(1)) }
        }
        judge(rig, like: whole, "\(point.name) \(number)")
      }
    }
  }

  @Test func `reports what it missed at once, in one snapshot`() throws {
    var rig = WatchRig(evenRunner())
    rig.drive(before: .at(60))
    rig.kill()
    rig.start(at: .at(100.5))
    rig.drive(through: .at(100.5))
    let said = rig.lines("snapshot")
    #expect(said.filter { $0.time == .at(100.5) }.count == 1)
    #expect(said.last?["elapsed"]?.double == 97)
    #expect(said.last?["epoch"] == .int(2) && said.last?["seq"] == .int(1))
    rig.drive(through: .at(103))
    #expect(rig.lines("snapshot").suffix(3).map { $0["elapsed"]?.double } == [98, 99, 100])
  }

  @Test func `an ended workout is not revived, and stays in the health store`() throws {
    var rig = WatchRig(evenRunner(200))
    rig.drive(through: .at(60))
    #expect(rig.node?.isWorkoutOver == true)
    let health = rig.node?.health
    let said = rig.lines.count
    rig.kill()
    rig.start(at: .at(61))
    rig.drive(through: .at(120))
    #expect(rig.node?.health == health && health?.workouts.count == 1)
    #expect(rig.node?.isWorkoutOver == true && rig.node?.nextDeadline == nil)
    #expect(rig.lines.count == said)
    rig.order("resume", at: .at(121))
    #expect(rig.lines.last?["why"]?.text == "the workout has ended")
  }

  @Test func `the scenario's start is used up once, also by the end of a run that never began`() {
    var rig = WatchRig(evenRunner(), startsAt: .at(10))
    rig.order("end", at: .at(5))
    rig.kill()
    rig.start(at: .at(6))
    rig.drive(through: .at(60))
    #expect(rig.lines("workout.state").isEmpty)

    // Dead at the time of its start, it begins when the app does.
    rig = WatchRig(evenRunner(), startsAt: .at(10))
    rig.kill()
    rig.start(at: .at(12))
    rig.drive(through: .at(30))
    rig.kill()
    rig.start(at: .at(31))
    rig.drive(through: .at(40))
    #expect(rig.lines("workout.state").map(\.time) == [.at(12), .at(15)])
    #expect(rig.queuedKinds == ["workoutStarted"])
  }

  @Test func `a workout of a time to come is not adopted`() {
    var rig = WatchRig(evenRunner())
    rig.drive(through: .at(60))
    rig.kill()
    rig.start(at: .start)
    rig.drive(through: .at(5))
    #expect(rig.lines("snapshot").filter { $0["epoch"] == .int(2) }.isEmpty)
  }
}

extension VirtualTime {
  /// A span of seconds, for what a test spells as a number.
  func distance(toSeconds seconds: Double) -> VirtualTime.Span { .milliseconds(Int64(seconds * 1000)) }
}
