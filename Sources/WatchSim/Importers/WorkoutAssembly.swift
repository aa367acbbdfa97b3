import CoachProtocol

// Converts a format's content to a `RecordedWorkout`. Repairs, each with a finding, in this order: wrong times, blocks
// out of order, a clock that was set, wrong positions, distances in the file's order, sorting by time, pauses, and the
// derived figures.

extension RecordedWorkout {
  /// Earlier times come from a clock that was never set: 1998-07-03, where FIT's absolute times begin.
  static let plausibleTimeMin = 631_065_600.0 + 268_435_456.0

  /// A total beside samples without distances is unusable if it is off from the positions' sum by more than this
  /// factor.
  private static let totalsRatioMax = 2.0

  /// Timer events further than this, in seconds, from the samples are damage.
  private static let eventDistanceMax = 86_400.0

  /// Metres of a pool.
  private static let poolLengths = 5.0...200.0

  /// Repairs and completes a recording.
  init(assembling recording: RawRecording) {
    var raw = recording
    var findings = raw.findings
    var samples = raw.samples
    let kind = Sport(named: raw.sport)
    RecordedEnds.begin(&samples, of: raw, findings: &findings)
    let claimedWindow = TimeOutliers.drop(from: &samples, claimed: raw.window, findings: &findings)
    SampleBlocks.repair(&samples, findings: &findings)
    ClockSteps.repair(&samples, of: &raw, findings: &findings)
    if raw.breaksAtClockSteps { Self.breakAtClockSteps(&samples, findings: &findings) }
    PositionOutliers.drop(from: &samples, sport: kind, findings: &findings)

    let times = WorkoutTimes(
      of: raw, first: samples.lazy.compactMap(\.time).min(), last: samples.lazy.compactMap(\.time).max(),
      findings: &findings)
    start = times.start
    end = times.end
    var source = DistanceRepair.apply(
      to: &samples, of: raw, start: times.start, end: times.end, findings: &findings)
    if source == .device {
      DistanceRepair.begin(
        &samples, start: times.start, claimed: raw.summary.distance, sport: kind, findings: &findings)
    }
    Self.sort(&samples, findings: &findings)
    if times.isClaimed, let end = times.end {
      RecordedEnds.extend(&samples, to: end, of: raw, start: times.start, findings: &findings)
    }
    if source == .none, samples.contains(where: { $0.distance != nil }) { source = .total }
    distanceSource = source

    let sampleTimes = samples.compactMap(\.time)
    let span = (sampleTimes.last ?? 0) - (sampleTimes.first ?? 0)
    let timer = TimerPauses(
      of: raw, samples: samples, times: times, window: Self.window(around: sampleTimes, claimed: claimedWindow),
      findings: &findings)

    format = raw.format
    sport = raw.sport
    self.samples = samples
    pauses = timer.pauses
    laps = raw.laps
    lengths = raw.lengths
    poolLength = raw.poolLength.flatMap { Self.poolLengths.contains($0) ? $0 : nil }
    summary = raw.summary
    elapsedSeconds = Self.thousandths(times.elapsed)
    timerSeconds = Self.thousandths(min(timer.timer, times.elapsed))
    let distance = Self.distance(of: raw, samples: samples, pauses: timer.pauses, source: source, findings: &findings)
    distanceMeters = Self.thousandths(distance.metres)
    isDistanceClaimed = distance.isClaimed

    let heartRates = samples.compactMap(\.heartRate)
    averageHeartRate = heartRates.isEmpty ? nil : Double(heartRates.reduce(0, +)) / Double(heartRates.count)
    maximumHeartRate = heartRates.max()

    if let poolLength {
      let swum = poolLength * Double(raw.lengths.count(where: \.isActive))
      if swum > 0, abs(distanceMeters - swum) >= poolLength {
        findings.add("the lengths have \(FigureText.rounded(swum)) m of \(FigureText.rounded(distanceMeters)) m")
      }
    }
    Self.reportHaste(in: samples, of: kind, findings: &findings)
    let replaySpan = max(times.elapsed, span)
    replayObstacle = Self.obstacle(
      samples: samples.count, times: sampleTimes, span: span, replaySpan: replaySpan)
    if let replayObstacle {
      findings.add(replayObstacle.description)
    } else if source == .greatCircle {
      Self.reportLead(of: samples, findings: &findings)
    }
    self.findings = findings.lines
  }

  /// Starts a new segment at steps back by more than a second (the clock was corrected); a smaller step is disorder.
  private static func breakAtClockSteps(_ samples: inout [Sample], findings: inout ImportFindings) {
    var last: Double?
    var segment = 0
    for index in samples.indices {
      if let time = samples[index].time {
        if let last, time < last - 1 { segment += 1 }
        last = time
      }
      samples[index].segment = segment
    }
    findings.add(
      segment, "clock correction: a new segment begins there", "clock corrections: new segments begin there")
  }

  /// Sorts by time, stably; a sample without a time stays after its predecessor in the file.
  private static func sort(_ samples: inout [Sample], findings: inout ImportFindings) {
    var previous: Double?
    var repeated = 0
    var untimed = 0
    var backward = 0
    for sample in samples {
      guard let time = sample.time else {
        untimed += 1
        continue
      }
      if let previous {
        if time == previous { repeated += 1 }
        if time < previous { backward += 1 }
      }
      previous = time
    }
    if !samples.isEmpty { findings.add(untimed, "sample without a time", "samples without a time") }
    findings.add(repeated, "sample repeats the time of the one before", "samples repeat the time of the one before")
    findings.add(backward, "step back in time, sorted", "steps back in time, sorted")
    guard backward > 0 else { return }

    var key = -Double.infinity
    let keyed = samples.map { sample in
      key = sample.time ?? key
      return (key: key, sample: sample)
    }
    samples = keyed.sorted { $0.key < $1.key }.map(\.sample)
  }

  /// The window in which timer events are plausible.
  private static func window(around times: [Double], claimed: ClosedRange<Double>?) -> ClosedRange<Double> {
    guard let first = times.first, let last = times.last else { return -.infinity ... .infinity }
    if let claimed, claimed.upperBound.isFinite {
      let reach = TimeOutliers.reachSeconds
      return (min(first, claimed.lowerBound) - reach)...(max(last, claimed.upperBound) + reach)
    }
    return (first - eventDistanceMax)...(last + eventDistanceMax)
  }

  private static func distance(
    of raw: RawRecording, samples: [Sample], pauses: [Pause], source: DistanceSource, findings: inout ImportFindings
  ) -> (metres: Double, isClaimed: Bool) {
    let claimed = DistanceRepair.claimedDistance(of: raw)
    let recorded = samples.lazy.compactMap(\.distance).max() ?? 0
    switch source {
    case .none: return (claimed ?? 0, claimed != nil)
    case .total, .laps: return (claimed ?? recorded, claimed != nil)
    case .device:
      guard let claimed = raw.summary.distance else { return (recorded, false) }
      let laps = RawRecording.total(raw.laps.map(\.distance))
      let isContradicted =
        !WorkoutTimes.agree(claimed, recorded) && (laps.map { WorkoutTimes.agree($0, recorded) } ?? false)
      guard WorkoutTimes.differ(claimed, recorded) || isContradicted else { return (claimed, true) }
      findings.add(
        "the device's distance of \(FigureText.rounded(claimed)) m is unusable, its samples"
          + "\(isContradicted ? " and laps" : "") say \(FigureText.rounded(recorded)) m")
      return (recorded, false)
    case .greatCircle, .speed:
      // Recorded stops subtract what was walked during them; a sum without any stays whole, points without a time
      // included.
      let counted =
        pauses.contains { $0.kind != .inferred }
        ? Double(CountedDistance(samples: samples, pauses: pauses, source: source).totalMillimetres) / 1_000 : recorded
      // A device with a total but no distances is more accurate than its positions, within reason.
      guard let claimed else { return (counted, false) }
      guard claimed * totalsRatioMax < counted || claimed > counted * totalsRatioMax else { return (claimed, true) }
      let origin = source == .speed ? "speeds" : "positions"
      findings.add(
        "the device's distance of \(FigureText.rounded(claimed)) m is unusable, its \(origin) say"
          + " \(FigureText.rounded(counted)) m")
      return (counted, false)
    }
  }

  private static func thousandths(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

  private static func reportHaste(in samples: [Sample], of sport: Sport, findings: inout ImportFindings) {
    var count = 0
    var previous: Sample?
    for sample in samples {
      guard let time = sample.time, let distance = sample.distance else { continue }
      if let previous, let previousTime = previous.time, let previousDistance = previous.distance,
        previous.segment == sample.segment, time > previousTime,
        distance - previousDistance > sport.speedMax * (time - previousTime)
      {
        count += 1
      }
      previous = sample
    }
    let bound = "faster than \(Int(sport.speedMax)) m/s" + (sport == .other ? "" : " while \(sport.text)")
    findings.add(count, "step \(bound)", "steps \(bound)")
  }

  /// Reports distance before the first time: those points belong to the track, but the replay begins at the first time.
  private static func reportLead(of samples: [Sample], findings: inout ImportFindings) {
    guard let lead = samples.first(where: { $0.time != nil && $0.distance != nil })?.distance, lead >= 1 else { return }
    findings.add("\(Int(lead.rounded())) m before the first point with a time are not replayed")
  }

  private static func obstacle(samples: Int, times: [Double], span: Double, replaySpan: Double) -> ReplayObstacle? {
    guard times.count >= 2, let first = times.first else { return .tooFewTimes(times.count) }
    if times.count * 2 < samples { return .mostlyWithoutTimes(timed: times.count, samples: samples) }
    // Less than a second apart is one instant for a watch that ticks once a second.
    if span < 1 { return .equalTimes }
    if first < plausibleTimeMin { return .clockNeverSet }
    if replaySpan > Double(ReplayTimeline.wallSecondsMax) { return .tooLong(seconds: replaySpan) }
    return nil
  }
}

// Start and elapsed time of a recording. The session's summary, the laps, the timer's last stop and the records each
// say when it ended, and any one of them may be wrong.

/// Start and elapsed time, as most of a recording says.
struct WorkoutTimes {
  /// Unix seconds; nil if nothing in the file has a time.
  let start: Double?
  /// Seconds by the wall clock.
  let elapsed: Double
  /// Whether `elapsed` is the device's own figure.
  let isClaimed: Bool

  /// Unix seconds.
  var end: Double? { start.map { $0 + elapsed } }

  /// Two figures agree if they differ by at most this share of the larger one, or by `agreedSecondsMax`.
  private static let agreedShareMax = 0.02
  private static let agreedSecondsMax = 2.0
  /// Without other figures, a device's time is unusable if it differs by more than this share from its samples.
  private static let unusableShareMin = 0.2
  /// Laps and samples that agree overrule a device's time that differs by more than this share: a swimmer's last rest is
  /// in neither.
  private static let contradictedShareMin = 0.1
  /// A claimed start further than this from the first sample, in seconds, is ignored.
  private static let startDifferenceMax = 3_600.0
  /// Starts this close, in seconds, need no choice.
  private static let startAgreedMax = 10.0
  /// Devices write their last sample up to this many seconds before the timer's last stop.
  private static let lastSampleSecondsMax = 60.0

  /// - Parameters:
  ///   - first: The earliest time of a sample, Unix seconds; nil if no sample has one.
  ///   - last: The latest one.
  init(of raw: RawRecording, first: Double?, last: Double?, findings: inout ImportFindings) {
    let claimed = raw.summary.elapsed
    let start = Self.start(
      claimed: raw.start, first: first, last: last, elapsed: claimed ?? raw.lapSeconds, findings: &findings)
    self.start = start
    guard let start, let last, last > start else {
      elapsed = claimed ?? 0
      isClaimed = claimed != nil
      return
    }
    let span = last - start
    let stop = raw.timerEnd.map { $0 - start }
    guard let claimed else {
      let isStopped = stop.map { $0 > span && $0 - span <= Self.lastSampleSecondsMax } ?? false
      elapsed = isStopped ? stop ?? span : span
      isClaimed = false
      return
    }
    let laps = Self.elapsed(ofLaps: raw.laps, start: start)
    let hasWitness = [laps, stop].contains { $0.map { Self.agree($0, claimed) } ?? false }
    let isContradicted =
      abs(claimed - span) > Self.contradictedShareMin * max(claimed, span)
      && (laps.map { Self.agree($0, span) } ?? false)
    if Self.agree(claimed, span) || hasWitness || (!isContradicted && !Self.differ(claimed, span)) {
      elapsed = claimed
      isClaimed = true
    } else {
      findings.add(
        "the device's elapsed time of \(FigureText.rounded(claimed)) s is unusable, the samples"
          + "\(isContradicted ? " and laps" : "") span \(FigureText.rounded(span)) s")
      elapsed = span
      isClaimed = false
    }
  }

  private static func start(
    claimed: Double?, first: Double?, last: Double?, elapsed: Double?, findings: inout ImportFindings
  ) -> Double? {
    guard let claimed, let first, let last else { return claimed ?? first }
    if abs(claimed - first) > startDifferenceMax {
      findings.add("the claimed start is more than an hour from the first sample; the sample's time was taken")
      return first
    }
    guard abs(claimed - first) > startAgreedMax else { return claimed }
    let fitsFirst = elapsed.map { agree($0, last - first) && !agree($0, last - claimed) } ?? (claimed > first)
    guard fitsFirst else { return claimed }
    findings.add(
      "the claimed start is \(FigureText.rounded(abs(claimed - first))) s from the first sample; the sample's time"
        + " was taken")
    return first
  }

  /// Seconds from the start to the last lap's end; nil if the laps do not say.
  private static func elapsed(ofLaps laps: [RecordedWorkout.Lap], start: Double) -> Double? {
    let ends = laps.map { lap in lap.start.flatMap { begin in lap.elapsed.map { begin + $0 - start } } }
    guard !ends.isEmpty, ends.allSatisfy({ $0 != nil }) else { return nil }
    return ends.compactMap { $0 }.max()
  }

  static func agree(_ first: Double, _ second: Double) -> Bool {
    abs(first - second) <= max(agreedSecondsMax, agreedShareMax * max(abs(first), abs(second)))
  }

  /// Whether a device's figure is unusable beside its own samples.
  static func differ(_ first: Double, _ second: Double) -> Bool {
    abs(first - second) > unusableShareMin * max(abs(first), abs(second))
  }
}

/// Figures in findings.
enum FigureText {
  /// At most one decimal.
  static func rounded(_ value: Double) -> String {
    let tenths = (min(max(value, -1e12), 1e12) * 10).rounded() / 10
    return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
  }
}
