import CoachProtocol

// A recorded workout sampled at every whole second since the start. All of it is computed when the file is read; a
// replay only looks up. No transcendental functions, so a replay is the same on every machine.

/// A workout second by second.
package struct ReplayTimeline: Sendable, Equatable {
  package enum State: Sendable, Equatable {
    case running
    case paused
    case ended
  }

  /// The workout at one second.
  package struct Moment: Sendable, Equatable {
    package var state: State
    /// Timer time so far, milliseconds: wall-clock time minus pauses.
    package var timerMilliseconds: Int64 = 0
    /// Distance so far, whole millimetres: interpolated between samples over timer time, never decreasing, constant
    /// during pauses, never growing faster than its sport allows (`Sport.speedMax`).
    package var distanceMillimetres: Int64 = 0
    /// The last recorded heart rate, beats per minute; nil before the first.
    package var heartRate: Int?
    /// The last recorded cadence, steps a minute on foot; nil before the first.
    package var cadence: Double?
    /// The last recorded power, watts; nil before the first.
    package var power: Double?
    /// Interpolated between samples; nil before the first fix.
    package var position: Position?
    /// The last recorded altitude, metres; nil before the first.
    package var altitude: Double?

    /// Timer time so far, seconds.
    package var timerSeconds: Double { Double(timerMilliseconds) / 1_000 }
    /// Distance so far, metres.
    package var distanceMeters: Double { Double(distanceMillimetres) / 1_000 }
  }

  /// The longest workout that is replayed, in wall-clock seconds: two days.
  package static let wallSecondsMax = 172_800

  /// Unix seconds of second 0.
  package let start: Double
  /// The second at which the workout ends, by the wall clock; at least 1.
  package let wallSeconds: Int
  /// In lower case; nil if the file names none.
  package let sport: String?
  /// Kilocalories of the whole workout according to the device; nil if not stated.
  package let energyKcal: Double?
  /// The lengths or laps of a swim or ride; nil without any.
  package let parts: RecordedParts?
  private let moments: [Moment]

  /// The workout at `second` since the start, by the wall clock; clamped to 0 and `wallSeconds`.
  package func moment(at second: Int) -> Moment {
    moments[min(max(second, 0), wallSeconds)]
  }

  /// Nil if the workout cannot be replayed.
  package init?(_ workout: RecordedWorkout) {
    let timed = workout.samples.filter { $0.time != nil }
    guard workout.isReplayable, let firstTime = timed.first?.time else { return nil }
    let start = workout.start ?? firstTime
    let clock = TimerClock(start: start, pauses: workout.pauses)
    let endMilliseconds = clock.wall(workout.end ?? firstTime)
    let wallSeconds = Int((endMilliseconds + 999) / 1_000)
    guard wallSeconds >= 1, wallSeconds <= Self.wallSecondsMax else { return nil }

    let speedMax = Sport(named: workout.sport).speedMax
    var distance = CountedDistance(
      samples: timed, pauses: workout.pauses, source: workout.distanceSource, start: start, speedMax: speedMax)
    let walls = (0...Int64(wallSeconds)).map { min($0 * 1_000, endMilliseconds) }
    let timers = clock.timers(for: walls)
    if workout.isDistanceClaimed, let timer = timers.last {
      distance.scale(toMillimetres: Int64((workout.distanceMeters * 1_000).rounded()), at: timer)
    }
    var curve = CurveReader(knots: distance.knots)
    var track = TrackReader(samples: timed, walls: timed.map { clock.wall($0.time ?? start) })
    var pauseIndex = 0
    var moments: [Moment] = []
    moments.reserveCapacity(walls.count)
    for second in walls.indices {
      let wall = walls[second]
      while pauseIndex < clock.pauses.count, clock.pauses[pauseIndex].upperBound <= wall { pauseIndex += 1 }
      let isPaused = pauseIndex < clock.pauses.count && clock.pauses[pauseIndex].contains(wall)
      var moment = Moment(state: second == wallSeconds ? .ended : isPaused ? .paused : .running)
      moment.timerMilliseconds = timers[second]
      moment.distanceMillimetres = curve.millimetres(at: timers[second])
      if let last = moments.last {
        // A jump of the sensor is covered at the greatest possible speed: millimetres and milliseconds cancel out.
        let most = Int64(speedMax * Double(timers[second] - last.timerMilliseconds))
        moment.distanceMillimetres = min(moment.distanceMillimetres, last.distanceMillimetres + most)
      }
      track.fill(&moment, at: wall)
      moments.append(moment)
    }
    self.start = start
    self.wallSeconds = wallSeconds
    self.moments = moments
    parts = RecordedParts(workout, start: start) { second in
      moments[min(max(second, 0), wallSeconds)].distanceMillimetres
    }
    sport = workout.sport
    energyKcal = workout.summary.energyKcal
  }
}

extension RecordedWorkout {
  /// Samples the workout second by second; nil if `replayObstacle` says why it cannot be replayed.
  package func makeTimeline() -> ReplayTimeline? { ReplayTimeline(self) }
}

/// Reads a distance curve at non-decreasing times.
private struct CurveReader {
  let knots: [CountedDistance.Knot]
  var index = 0

  mutating func millimetres(at timer: Int64) -> Int64 {
    while index < knots.count, knots[index].timerMilliseconds <= timer { index += 1 }
    let before = index > 0 ? knots[index - 1] : .init(timerMilliseconds: 0, millimetres: 0)
    guard index < knots.count else { return before.millimetres }
    let after = knots[index]
    return before.millimetres
      + CountedDistance.share(
        of: after.millimetres - before.millimetres, timer - before.timerMilliseconds,
        outOf: after.timerMilliseconds - before.timerMilliseconds)
  }
}

/// Reads the samples' other values at non-decreasing times.
private struct TrackReader {
  let samples: [RecordedWorkout.Sample]
  let walls: [Int64]
  var index = 0
  var nextFix = 0
  var lastFix: (wall: Int64, position: Position)?
  var latest = ReplayTimeline.Moment(state: .running)

  mutating func fill(_ moment: inout ReplayTimeline.Moment, at wall: Int64) {
    while index < samples.count, walls[index] <= wall {
      let sample = samples[index]
      if let heartRate = sample.heartRate { latest.heartRate = heartRate }
      if let cadence = sample.cadence { latest.cadence = cadence }
      if let power = sample.power { latest.power = power }
      if let altitude = sample.altitude { latest.altitude = altitude }
      if let position = sample.position { lastFix = (walls[index], position) }
      index += 1
    }
    nextFix = max(nextFix, index)
    while nextFix < samples.count, samples[nextFix].position == nil { nextFix += 1 }
    moment.heartRate = latest.heartRate
    moment.cadence = latest.cadence
    moment.power = latest.power
    moment.altitude = latest.altitude
    moment.position = position(at: wall)
  }

  private func position(at wall: Int64) -> Position? {
    guard let lastFix else { return nil }
    guard nextFix < samples.count, let next = samples[nextFix].position, walls[nextFix] > lastFix.wall,
      // Across the date line, interpolating longitudes would lead around the world.
      abs(next.longitude - lastFix.position.longitude) < 180
    else { return lastFix.position }
    let share = Double(wall - lastFix.wall) / Double(walls[nextFix] - lastFix.wall)
    return Position(
      latitude: lastFix.position.latitude + (next.latitude - lastFix.position.latitude) * share,
      longitude: lastFix.position.longitude + (next.longitude - lastFix.position.longitude) * share)
  }
}

// Converts a recorded workout to the motion of the simulated watch.

extension RecordedMotion {
  /// Samples a recorded workout at whole seconds: distance, heart rate, cadence, pauses and, if it has a route,
  /// positions with altitudes.
  ///
  /// Seconds before the first fix have its position. Readings beyond the watch's ranges are clamped. Energy is the
  /// device's own figure, spread over the timer; without one a runner's follows from the distance (later, by the motion
  /// source) and another sport's is estimated.
  ///
  /// - Throws: `MotionError` if the workout is longer than `distanceMillimetresMax`.
  package init(_ timeline: ReplayTimeline) throws(MotionError) {
    let moments = (0...timeline.wallSeconds).map(timeline.moment(at:))
    var positions: [GeoPosition]?
    if var last = moments.lazy.compactMap(\.position).first {
      positions = moments.map { moment in
        last = moment.position ?? last
        return GeoPosition(
          latitudeE7: Int32((last.latitude * 1e7).rounded()), longitudeE7: Int32((last.longitude * 1e7).rounded()),
          altitudeMillimetres: Int32((min(max(moment.altitude ?? 0, -1_000), 20_000) * 1_000).rounded()))
      }
    }
    try self.init(
      distanceMillimetres: moments.map(\.distanceMillimetres),
      heartRate: moments.map { UInt8(clamping: $0.heartRate ?? 0) },
      cadence: moments.map { UInt16(clamping: Int(($0.cadence ?? 0).rounded())) },
      isPaused: moments.map { $0.state == .paused },
      positions: positions, energyDecikilocalories: Self.energy(of: timeline, moments),
      sport: timeline.sport ?? Self.unknownSport, parts: timeline.parts)
  }

  /// The highest plausible device figure, kilocalories: days of cycling.
  private static let energyKcalMax = 100_000.0

  private static func energy(of timeline: ReplayTimeline, _ moments: [ReplayTimeline.Moment]) -> [Int64]? {
    let timer = moments.last?.timerMilliseconds ?? 0
    // Devices that cannot measure it write 0.
    if let stated = timeline.energyKcal, stated > 0, stated <= energyKcalMax, timer > 0 {
      let total = Int64((stated * 10).rounded())
      return moments.map { CountedDistance.share(of: total, $0.timerMilliseconds, outOf: timer) }
    }
    // Without a sport it counts as a run, which is what the app records.
    let sport = timeline.sport.map { Sport(named: $0) } ?? .running
    guard sport != .running else { return nil }
    return moments.map {
      sport.activeDecikilocalories(millimetres: $0.distanceMillimetres, milliseconds: $0.timerMilliseconds)
    }
  }
}

// What a replay of a recording amounts to, beside the figures of the recording. The two agree, or the difference has a
// reason that the user reads.

/// The figures of a replayed workout, as the simulated watch counts them.
package struct ReplayFigures: Sendable, Equatable {
  /// Whole seconds by the wall clock.
  package var elapsedSeconds: Double
  /// Whole seconds without pauses.
  package var timerSeconds: Double
  package var distanceMeters: Double
  /// Mean over all seconds with a reading, beats per minute; nil if there is none.
  package var averageHeartRate: Double?
  /// Beats per minute; nil if there is no reading.
  package var maximumHeartRate: Int?

  package init(_ timeline: ReplayTimeline) {
    var paused = 0
    var heartRates: [Int] = []
    for second in 0...timeline.wallSeconds {
      let moment = timeline.moment(at: second)
      if moment.state == .paused { paused += 1 }
      if let heartRate = moment.heartRate { heartRates.append(heartRate) }
    }
    elapsedSeconds = Double(timeline.wallSeconds)
    timerSeconds = Double(timeline.wallSeconds - paused)
    distanceMeters = timeline.moment(at: timeline.wallSeconds).distanceMeters
    averageHeartRate = heartRates.isEmpty ? nil : Double(heartRates.reduce(0, +)) / Double(heartRates.count)
    maximumHeartRate = heartRates.max()
  }
}

extension RecordedWorkout {
  /// A replay counts whole seconds: smaller differences are rounding.
  private static let secondsAgreed = 1.0
  /// Metres, and the share of the distance.
  private static let metresAgreed = 1.0
  private static let distanceShareAgreed = 0.001
  /// Beats per minute.
  private static let heartRateAgreed = 0.5

  /// Why a replay's figures differ from those of the recording, one readable line for each figure; empty if they
  /// agree, or if there is no replay.
  package func differences(from replay: ReplayFigures) -> [String] {
    var lines: [String] = []
    func add(_ name: String, _ replayed: Double, _ own: Double, _ unit: String, _ reason: String) {
      lines.append("\(name) \(FigureText.rounded(replayed)) \(unit), not \(FigureText.rounded(own)): \(reason)")
    }
    if abs(replay.elapsedSeconds - elapsedSeconds) > Self.secondsAgreed {
      add("elapsed", replay.elapsedSeconds, elapsedSeconds, "s", "the recording has no beginning to count from")
    }
    // Each stop and each end of one is rounded to a second.
    if abs(replay.timerSeconds - timerSeconds) > Self.secondsAgreed + Double(pauses.count) * 0.5 {
      add(
        "timer", replay.timerSeconds, timerSeconds, "s",
        "the recorded pauses do not add up to the device's timer, and it does not say when it stopped otherwise")
    }
    if abs(replay.distanceMeters - distanceMeters) > max(Self.metresAgreed, distanceMeters * Self.distanceShareAgreed) {
      add("distance", replay.distanceMeters, distanceMeters, "m", distanceReason)
    }
    if let mean = averageHeartRate {
      let replayed = replay.averageHeartRate ?? 0
      if abs(replayed - mean) > Self.heartRateAgreed {
        add(
          "mean heart rate", replayed, mean, "beats per minute",
          "a replay holds each reading until the next, and weighs it by that time")
      }
    }
    if let highest = maximumHeartRate, replay.maximumHeartRate != highest {
      add(
        "highest heart rate", Double(replay.maximumHeartRate ?? 0), Double(highest), "beats per minute",
        "a replay has one reading a second, the last one, from the start to the end")
    }
    return lines
  }

  private var distanceReason: String {
    let lead = samples.first { $0.time != nil && $0.distance != nil }?.distance ?? 0
    if distanceSource == .greatCircle, !isDistanceClaimed, lead >= Self.metresAgreed {
      return "points before the first time are not replayed"
    }
    if samples.last?.time == nil { return "points behind the last time are not replayed" }
    return "the rest would have to be covered faster than the sport allows"
  }
}
