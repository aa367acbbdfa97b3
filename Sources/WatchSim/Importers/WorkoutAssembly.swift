import CoachProtocol

// Converts a format's content to a `RecordedWorkout`. Repairs, each with a finding, in this order: wrong times,
// distances in the file's order, sorting by time, pauses, and the derived figures.

extension RecordedWorkout {
  /// Earlier times come from a clock that was never set: 1998-07-03, where FIT's absolute times begin.
  static let plausibleTimeMin = 631_065_600.0 + 268_435_456.0

  /// A device's total is unusable if it differs from its own samples by more than this share of the larger one.
  private static let totalsDifferenceMax = 0.2

  /// A total beside samples without distances is unusable if it is off from the positions' sum by more than this
  /// factor.
  private static let totalsRatioMax = 2.0

  /// Timer events further than this, in seconds, from the samples are damage.
  private static let eventDistanceMax = 86_400.0

  /// Metres of a pool.
  private static let poolLengths = 5.0...200.0

  /// A claimed start further than this from the first sample, in seconds, is ignored.
  private static let startDifferenceMax = 3_600.0

  /// Repairs and completes a recording.
  init(assembling raw: RawRecording) {
    var findings = raw.findings
    var samples = raw.samples
    let kind = Sport(named: raw.sport)
    let claimedWindow = TimeOutliers.drop(from: &samples, claimed: raw.window, findings: &findings)
    if raw.breaksAtClockSteps { Self.breakAtClockSteps(&samples, findings: &findings) }
    let firstTime = samples.lazy.compactMap(\.time).min()
    start = Self.start(claimed: raw.start, firstSample: firstTime, findings: &findings)
    distanceSource = DistanceRepair.apply(to: &samples, findings: &findings)
    if distanceSource == .device {
      DistanceRepair.begin(
        &samples, start: start, claimed: raw.summary.distance, sport: kind, findings: &findings)
    }
    Self.sort(&samples, findings: &findings)

    let times = samples.compactMap(\.time)
    let span = (times.last ?? 0) - (times.first ?? 0)
    let window = Self.window(around: times, claimed: claimedWindow)
    let pauses =
      raw.pauses.map { Self.pauses($0, within: window, findings: &findings) }
      ?? GapPauses.infer(from: samples, findings: &findings)
    let elapsed = Self.elapsed(claimed: raw.summary.elapsed, span: span, findings: &findings)
    let timerClaim = elapsed.isClaimed ? Self.timer(raw.summary.timer, within: elapsed.seconds, &findings) : nil
    let pausedSeconds = pauses.reduce(0) { $0 + $1.to - $1.from }

    format = raw.format
    sport = raw.sport
    let timerEnd = raw.timerEnd.flatMap { window.contains($0) ? $0 : nil }
    end = [timerEnd, times.last, pauses.last?.to].compactMap { $0 }.max()
    self.samples = samples
    self.pauses = pauses
    laps = raw.laps
    lengths = raw.lengths
    poolLength = raw.poolLength.flatMap { Self.poolLengths.contains($0) ? $0 : nil }
    summary = raw.summary
    elapsedSeconds = Self.thousandths(elapsed.seconds)
    timerSeconds = Self.thousandths(timerClaim ?? max(0, elapsed.seconds - pausedSeconds))
    distanceMeters = Self.thousandths(
      Self.distance(
        claimed: raw.summary.distance, samples: samples, pauses: pauses, source: distanceSource, findings: &findings))

    let heartRates = samples.compactMap(\.heartRate)
    averageHeartRate = heartRates.isEmpty ? nil : Double(heartRates.reduce(0, +)) / Double(heartRates.count)
    maximumHeartRate = heartRates.max()

    if let poolLength {
      let swum = poolLength * Double(raw.lengths.count(where: \.isActive))
      if swum > 0, abs(distanceMeters - swum) >= poolLength {
        findings.add("the lengths have \(Self.rounded(swum)) m of \(Self.rounded(distanceMeters)) m")
      }
    }
    Self.reportHaste(in: samples, of: kind, findings: &findings)
    let replaySpan = (end ?? 0) - min(start ?? 0, times.first ?? 0)
    replayObstacle = Self.obstacle(samples: samples.count, times: times, span: span, replaySpan: replaySpan)
    if let replayObstacle {
      findings.add(replayObstacle.description)
    } else if distanceSource == .greatCircle {
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

  private static func start(claimed: Double?, firstSample: Double?, findings: inout ImportFindings) -> Double? {
    guard let claimed, let firstSample else { return claimed ?? firstSample }
    guard abs(claimed - firstSample) > startDifferenceMax else { return claimed }
    findings.add("the claimed start is more than an hour from the first sample; the sample's time was taken")
    return firstSample
  }

  /// The device's timer; nil if it is longer than the workout.
  private static func timer(_ claimed: Double?, within elapsed: Double, _ findings: inout ImportFindings) -> Double? {
    // Some devices round the two apart.
    guard let claimed, claimed > elapsed, differs(claimed, elapsed) else { return claimed }
    findings.add(
      "the device's timer of \(rounded(claimed)) s is unusable, the workout took \(rounded(elapsed)) s")
    return nil
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

  private static func pauses(
    _ pauses: [Pause], within window: ClosedRange<Double>, findings: inout ImportFindings
  ) -> [Pause] {
    let kept = pauses.filter { window.contains($0.from) && window.contains($0.to) }
    findings.add(
      pauses.count - kept.count, "pause far from all samples was left out", "pauses far from all samples were left out")
    return kept
  }

  private static func elapsed(
    claimed: Double?, span: Double, findings: inout ImportFindings
  ) -> (seconds: Double, isClaimed: Bool) {
    guard let claimed else { return (span, false) }
    guard span > 0, differs(claimed, span) else { return (claimed, true) }
    findings.add(
      "the device's elapsed time of \(rounded(claimed)) s is unusable, the samples span \(rounded(span)) s")
    return (span, false)
  }

  private static func distance(
    claimed: Double?, samples: [Sample], pauses: [Pause], source: DistanceSource, findings: inout ImportFindings
  ) -> Double {
    let recorded = samples.lazy.compactMap(\.distance).max() ?? 0
    switch source {
    case .none: return claimed ?? 0
    case .device:
      guard let claimed else { return recorded }
      guard differs(claimed, recorded) else { return claimed }
      findings.add(
        "the device's distance of \(rounded(claimed)) m is unusable, its samples say \(rounded(recorded)) m")
      return recorded
    case .greatCircle:
      // Recorded stops subtract what was walked during them; a sum without any stays whole, points without a time
      // included.
      let counted =
        pauses.contains { $0.kind != .inferred }
        ? Double(CountedDistance(samples: samples, pauses: pauses, source: source).totalMillimetres) / 1_000 : recorded
      // A device with a total but no distances is more accurate than its positions, within reason.
      guard let claimed else { return counted }
      guard claimed * totalsRatioMax < counted || claimed > counted * totalsRatioMax else { return claimed }
      findings.add(
        "the device's distance of \(rounded(claimed)) m is unusable, its positions say \(rounded(counted)) m")
      return counted
    }
  }

  private static func differs(_ first: Double, _ second: Double) -> Bool {
    abs(first - second) > totalsDifferenceMax * max(abs(first), abs(second))
  }

  private static func thousandths(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

  private static func rounded(_ value: Double) -> String {
    let tenths = (min(max(value, -1e12), 1e12) * 10).rounded() / 10
    return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
  }

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
