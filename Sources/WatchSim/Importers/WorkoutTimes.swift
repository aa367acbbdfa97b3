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
