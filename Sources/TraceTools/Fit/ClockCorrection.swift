import Foundation
import Link

/// Corrects the offset and the drift between two devices' clocks.
///
/// A difference between the clocks lengthens the delays of one direction and shortens those of the other; a drift makes
/// them grow and shrink. With both directions known, both are assumed to take equally long, which nothing in the capture
/// can prove: what is certain is only that no frame arrives before it is sent. With one direction, only frames that
/// arrive before they are sent show an offset; its minimum delay is then assumed to be 0.
package struct ClockCorrection {
  /// How far the phone's clock is ahead of the watch's at `origin`, in nanoseconds.
  private var ahead: Int64 = 0
  /// How much faster the phone's clock runs, as a share; 0 if no drift is visible.
  private var rate = 0.0
  /// When the phone's clock is exactly `ahead`, by the watch's clock.
  private var origin: Int64 = 0
  /// The standard error of the offset of one direction alone.
  private var aheadError = 0.0
  /// Where `ahead` lies, because no frame arrives before it is sent; nil for one direction.
  private var bounds: FitInterval?
  /// Where `ahead` lies if both directions have the same delays; nil if they do not, or for one direction.
  private var likely: FitInterval?
  /// Infinite if the capture is too short to tell.
  private var rateError = Double.infinity
  /// Whether both directions are known.
  package let isBothWays: Bool
  /// The step between two times that the capture can tell apart, in nanoseconds.
  private let resolution: Double

  /// How far the phone's clock is ahead at the middle of the capture, in seconds.
  package var offset: Double { Double(ahead) / 1e9 }
  /// Whatever the directions are, in seconds.
  package var offsetInterval: FitInterval {
    bounds.map { FitInterval($0.low / 1e9, $0.high / 1e9) } ?? FitInterval(offset, error: aheadError / 1e9)
  }
  /// If both directions have the same delays, in seconds; nil if the capture shows that they do not.
  package var offsetIfAlike: FitInterval? { likely.map { FitInterval($0.low / 1e9, $0.high / 1e9) } }
  /// How much faster the phone's clock runs, in millionths, also if it is too little to be corrected.
  package var drift: Double { measuredRate * 1e6 }
  /// Nil if the capture is too short to tell.
  package var driftInterval: FitInterval? {
    rateError.isFinite ? FitInterval(measuredRate * 1e6, error: rateError * 1e6) : nil
  }
  /// The drift as measured, also if it may be chance.
  private var measuredRate = 0.0
  /// The standard error that the correction leaves in the mean delay of one direction alone, in nanoseconds.
  var delayError: Double { aheadError }
  /// How far the estimate may be off if both directions have the same delays, in nanoseconds.
  var likelyReach: Double { likely.map { ($0.high - $0.low) / 2 } ?? 0 }

  /// How much lower and higher than measured the delays of a direction may be, in nanoseconds; nil for one direction.
  func slack(isToPhone: Bool) -> (below: Double, above: Double)? {
    guard let bounds else { return nil }
    let (below, above) = (bounds.high - Double(ahead), Double(ahead) - bounds.low)
    return isToPhone ? (max(0, below), max(0, above)) : (max(0, above), max(0, below))
  }

  /// A drift counts if it is this many standard errors.
  private static let significanceMin = 4.0
  /// A drift that changes delays less than this over the whole capture, in nanoseconds, is not corrected.
  private static let effectMin = 100_000.0
  /// A direction with fewer frames says nothing of the clocks.
  private static let countMin = 5
  private static let bins = 24

  /// A frame that arrived: when, how long it took by two clocks, and how long it is.
  private struct Point {
    var time: Double
    var delay: Double
    var bytes: Double
  }

  /// Nil if there is nothing to correct by: no direction has frames enough.
  init?(_ samples: [Capture.Sample]) {
    let ways = [true, false].map { way in
      samples.filter { $0.isToPhone == way && $0.isTimed && $0.received != nil }
    }
    let known = ways.filter { $0.count >= Self.countMin }
    guard let first = known.first?.first else { return nil }
    isBothWays = known.count == 2
    resolution = Self.resolution(known.joined().compactMap(\.delay))
    // Clocks with different origins are brought together first, so that no digits are lost.
    if isBothWays {
      let middles = ways.map { way in way.compactMap(\.received).isEmpty ? 0 : Self.middleDelay(way) }
      ahead = middles[0] / 2 - middles[1] / 2
    }
    let begin = first.isToPhone ? first.sent : first.sent -| ahead
    let rough = ahead
    func time(_ sample: Capture.Sample) -> Int64 { sample.isToPhone ? sample.sent : sample.sent -| rough }
    let span = ways.joined().reduce(0.0) { max($0, Double(time($1) -| begin)) }
    origin = begin +| Int64(saturating: span / 2)
    let points = zip(ways, [rough, -rough]).map { way, part in
      way.map { sample in
        Point(
          time: Double(time(sample) -| origin), delay: Double((sample.received ?? 0) -| sample.sent -| part),
          bytes: Double(sample.bytes))
      }
    }
    fitRate(points, span)
    fitOffset(points, span)
    // One direction says nothing of the offset, so its first frames are believed.
    if !isBothWays, rate != 0 {
      ahead = ahead +| Int64(saturating: rate * span / 2)
      aheadError = rateError * span / 2
    }
  }

  /// The largest power of ten, from a nanosecond to a second, of which all delays are multiples.
  private static func resolution(_ delays: [Double]) -> Double {
    var step = 1e9
    while step > 1, !delays.allSatisfy({ $0.truncatingRemainder(dividingBy: step) == 0 }) { step /= 10 }
    return delays.contains { $0 != delays.first } ? step : 1
  }

  /// The median delay by two clocks, in nanoseconds.
  private static func middleDelay(_ way: [Capture.Sample]) -> Int64 {
    let sorted = way.compactMap { sample in sample.received.map { $0 -| sample.sent } }.sorted()
    return sorted[sorted.count / 2]
  }

  /// Whether the clocks are equal as far as the capture shows.
  package var isNothing: Bool { ahead == 0 && rate == 0 }
}

// MARK: - What it says

extension ClockCorrection {
  /// A difference below this is not worth a note, in nanoseconds.
  private static let noteMin: Int64 = 500_000

  /// What was corrected, and why.
  var notes: [String] {
    var notes: [String] = []
    if isBothWays, ahead.magnitude >= Self.noteMin.magnitude {
      notes.append(
        "the clocks differ by \(Double(ahead / 1_000) / 1e6) s: corrected, because both directions are known and are assumed"
          + " to take equally long; --same-clock if one clock took all times")
    }
    if isBothWays, likely == nil {
      notes.append(
        "the delays of the directions vary differently, so that nothing shows how the clocks differ: the latencies are"
          + " known up to what one direction has more and the other less; --same-clock if one clock took all times")
    }
    if !isBothWays, ahead != 0 {
      notes.append(
        "frames arrived before they were sent and only one direction is known: the minimum delay is assumed to be 0")
    }
    if rate != 0 {
      notes.append(
        "delays change steadily, by \(Double(Int64(saturating: (abs(rate) * 3.6e7).rounded())) / 1e4) s an hour:"
          + " corrected as a drift between the clocks")
    }
    return notes
  }
}

// MARK: - Drift

extension ClockCorrection {
  private mutating func fitRate(_ points: [[Point]], _ span: Double) {
    let signs = [1.0, -1.0]
    // A first slope from medians of stretches: not distorted by frames that waited.
    let rough = Self.median(zip(points, signs).flatMap { way, sign in Self.roughSlopes(way).map { $0 * sign } }) ?? 0
    var (sum, weight) = (0.0, 0.0)
    for (way, sign) in zip(points, signs) where way.count >= Self.bins {
      let flat = Self.withoutOutliers(
        way.map { Point(time: $0.time, delay: $0.delay - sign * rough * $0.time, bytes: $0.bytes) })
      guard let slope = Self.slopeOverTime(flat) else { continue }
      let exactness = 1 / max(slope.error * slope.error, 1e-24)
      sum += sign * slope.value * exactness
      weight += exactness
    }
    guard weight > 0 else { return }
    measuredRate = rough + sum / weight
    rateError = 1 / weight.squareRoot()
    let isVisible = abs(measuredRate) > Self.significanceMin * rateError && abs(measuredRate) * span > Self.effectMin
    rate = isVisible ? measuredRate : 0
  }

  /// The slopes between all pairs of stretches' median delays.
  private static func roughSlopes(_ way: [Point]) -> [Double] {
    guard way.count >= bins, let first = way.first?.time, let last = way.last?.time, last > first else { return [] }
    var stretches = [[Point]](repeating: [], count: bins)
    for point in way {
      stretches[min(bins - 1, Int((point.time - first) / (last - first) * Double(bins)))].append(point)
    }
    let middles = stretches.compactMap { stretch -> (time: Double, delay: Double)? in
      guard let time = median(stretch.map(\.time)), let delay = median(stretch.map(\.delay)) else { return nil }
      return (time, delay)
    }
    var slopes: [Double] = []
    for (index, one) in middles.enumerated() {
      for other in middles[(index + 1)...] where other.time > one.time {
        slopes.append((other.delay - one.delay) / (other.time - one.time))
      }
    }
    return slopes
  }

  /// Drops what took far longer or shorter than most, as a frame that waited for a cut to end.
  private static func withoutOutliers(_ way: [Point]) -> [Point] {
    let sorted = way.map(\.delay).sorted()
    guard sorted.count >= 4 else { return way }
    let (low, high) = (sorted[sorted.count / 4], sorted[sorted.count * 3 / 4])
    let reach = 8 * max(high - low, 1_000)
    return way.filter { $0.delay > low - reach && $0.delay < high + reach }
  }

  /// The slope of delay over time where the influence of length on both is removed, by least squares.
  private static func slopeOverTime(_ way: [Point]) -> (value: Double, error: Double)? {
    guard way.count > 3 else { return nil }
    let times = residuals(way.map(\.time), over: way.map(\.bytes))
    let delays = residuals(way.map(\.delay), over: way.map(\.bytes))
    let spread = times.reduce(0) { $0 + $1 * $1 }
    guard spread > 0 else { return nil }
    let slope = zip(times, delays).reduce(0) { $0 + $1.0 * $1.1 } / spread
    let rest = zip(times, delays).reduce(0.0) { $0 + ($1.1 - slope * $1.0) * ($1.1 - slope * $1.0) }
    return (slope, (rest / Double(way.count - 3) / spread).squareRoot())
  }

  /// Values less what a straight line over other values explains.
  private static func residuals(_ values: [Double], over others: [Double]) -> [Double] {
    let number = Double(max(values.count, 1))
    let (mean, meanOther) = (values.reduce(0, +) / number, others.reduce(0, +) / number)
    let spread = others.reduce(0) { $0 + ($1 - meanOther) * ($1 - meanOther) }
    let slope =
      spread > 0 ? zip(values, others).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - meanOther) } / spread : 0
    return zip(values, others).map { $0 - mean - slope * ($1 - meanOther) }
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}

// MARK: - Offset

extension ClockCorrection {
  private mutating func fitOffset(_ points: [[Point]], _ span: Double) {
    let signs = [1.0, -1.0]
    let flat = zip(points, signs).map { way, sign in
      way.map { Point(time: $0.time, delay: $0.delay - sign * rate * $0.time, bytes: $0.bytes) }
    }
    guard isBothWays else {
      let least = flat.joined().map(\.delay).min() ?? 0
      guard least < 0 else { return }
      ahead = Int64(saturating: flat[0].isEmpty ? -least : least)
      return
    }
    let near = flat.map(Self.withoutOutliers)
    let centers = zip(near, Self.nanosecondsPerByte(near)).map { Center($0, perByte: $1) }
    let (there, back) = (centers[0], centers[1])
    // Means are more exact than the least for a distribution without an edge.
    let byMeans = (there.meanError * there.meanError + back.meanError * back.meanError).squareRoot() / 2
    let byLeast =
      (there.leastError * there.leastError + back.leastError * back.leastError + resolution * resolution)
      .squareRoot() / 2
    let base = Double(ahead)
    let means = FitInterval(base + (there.mean - back.mean) / 2, error: byMeans)
    let leasts = FitInterval(base + (there.least - back.least) / 2, error: byLeast)
    // Equal directions have equal means and equal edges; a difference too small to show in the shapes is between both.
    if DelayFit.areAlike(there.sorted, back.sorted, limit: 1.95) { likely = means.hull(leasts) }
    let ofDrift = rateError.isFinite ? FitInterval.reach * rateError * span / 2 : 0
    let margin = resolution + ofDrift
    bounds = FitInterval(
      base - (flat[1].map(\.delay).min() ?? 0) - margin, base + (flat[0].map(\.delay).min() ?? 0) + margin)
    if let likely { bounds = bounds?.hull(likely) }
    let estimate = byMeans < byLeast ? there.mean - back.mean : there.least - back.least
    ahead = ahead +| Int64(saturating: estimate / 2)
  }

  /// The time that each byte takes in each direction, where a limit shows, because frames of both directions may differ
  /// in length; a direction with frames of one length has the other's limit.
  private static func nanosecondsPerByte(_ ways: [[Point]]) -> [(value: Double, error: Double)] {
    let slopes = ways.map { way in ThroughputFit.slope(way.map { (Int($0.bytes), $0.delay) }) }
    let visible = slopes.map { ThroughputFit([$0]) }
    return [(0, 1), (1, 0)].map { own, other in
      let fit = visible[own] ?? (slopes[own].error.isFinite ? nil : visible[other])
      return (fit?.slope ?? 0, fit?.error ?? 0)
    }
  }

  /// Mean and least of the delays of a direction without the time for their bytes, with their standard errors.
  private struct Center {
    let sorted: [Double]
    let mean: Double
    let meanError: Double
    let least: Double
    let leastError: Double

    init(_ way: [Point], perByte: (value: Double, error: Double)) {
      let sorted = way.map { $0.delay - perByte.value * $0.bytes }.sorted()
      self.sorted = sorted
      let number = Double(max(sorted.count, 1))
      let mean = sorted.reduce(0, +) / number
      self.mean = mean
      let deviation = (sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(number - 1, 1)).squareRoot()
      let ofBytes = perByte.error * way.reduce(0) { $0 + $1.bytes } / number
      meanError = (deviation * deviation / number + ofBytes * ofBytes).squareRoot()
      least = sorted.first ?? 0
      // The least lies above the edge by about the distance between the first ones.
      let tenth = min(9, sorted.count - 1)
      let step = tenth > 0 ? (sorted[tenth] - least) / Double(tenth) * 2 : 0
      leastError = (step * step + ofBytes * ofBytes).squareRoot()
    }
  }
}

// MARK: - Applying it

extension ClockCorrection {
  /// Converts all times to the watch's clock, and sorts the samples again.
  func apply(to samples: inout [Capture.Sample], _ notices: inout [Capture.Notice]) {
    guard !isNothing else { return }
    for index in samples.indices {
      if samples[index].isToPhone {
        samples[index].received = samples[index].received.map(byWatch)
      } else {
        samples[index].sent = byWatch(samples[index].sent)
      }
    }
    samples = samples.enumerated().sorted { ($0.element.sent, $0.offset) < ($1.element.sent, $1.offset) }.map(\.element)
    // The lines do not name their clock: the one under which fewer frames arrive while out of reach is assumed.
    let converted = notices.map { Capture.Notice(time: byWatch($0.time), isReachable: $0.isReachable) }
    if Self.contradictions(samples, converted) < Self.contradictions(samples, notices) { notices = converted }
  }

  private func byWatch(_ time: Int64) -> Int64 {
    let same = time.subtractingReportingOverflow(ahead).partialValue
    let drifted = Int64(saturating: Double(same -| origin) * rate / (1 + rate))
    return min(max(same -| drifted, -Capture.timeMax), Capture.timeMax)
  }

  /// How many frames arrived while the devices were out of reach.
  private static func contradictions(_ samples: [Capture.Sample], _ notices: [Capture.Notice]) -> Int {
    let pairs = CaptureCuts.pairs(notices).filter { $0.up != nil }
    var count = 0
    var next = 0
    for received in samples.compactMap(\.received).sorted() {
      while next < pairs.count, let up = pairs[next].up, up <= received { next += 1 }
      if next < pairs.count, pairs[next].down < received { count += 1 }
    }
    return count
  }
}
