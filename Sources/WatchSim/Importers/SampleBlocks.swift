// Blocks of samples that a file contains twice or in another order than that of their times. Programs write all points
// of a run into each of its laps, save segments cumulatively, or write the newest block first.

/// Puts blocks of samples in order before anything is summed over them.
///
/// Small steps back in time within a block are jitter: the file's order is that in which the device took the samples,
/// so it is kept.
enum SampleBlocks {
  /// A step in time of more than this many seconds, and of more than three usual steps, begins a block.
  static let stepSecondsMax = 5.0
  /// Two samples of one time that are at most this far apart, in millimetres, are the same.
  private static let sameMillimetresMax: Int64 = 2_000
  /// A block repeats an earlier one from this many equal samples on, or if all of its samples are equal to earlier ones.
  private static let repeatsMin = 3

  /// Repairs the order, with a finding for each kind of repair.
  static func repair(_ samples: inout [RecordedWorkout.Sample], findings: inout ImportFindings) {
    reverse(&samples, findings: &findings)
    dropRepeats(&samples, findings: &findings)
    order(&samples, findings: &findings)
  }

  /// The usual step between two samples, seconds; 1 if there is none.
  static func usualStep(of samples: [RecordedWorkout.Sample]) -> Double {
    var steps: [Double] = []
    var last: Double?
    for sample in samples {
      guard let time = sample.time else { continue }
      if let last, time > last { steps.append(time - last) }
      last = time
    }
    return steps.isEmpty ? 1 : steps.sorted()[steps.count / 2]
  }

  // MARK: Reversed segments

  private static func reverse(_ samples: inout [RecordedWorkout.Sample], findings: inout ImportFindings) {
    var reversed = 0
    for range in split(samples, at: { $0.segment != $1.segment }) where isReversed(samples[range]) {
      samples[range].reverse()
      reversed += range.count
    }
    findings.add(
      reversed, "sample was in reversed order", "samples were in reversed order, the last one first; turned round")
  }

  private static func isReversed(_ samples: ArraySlice<RecordedWorkout.Sample>) -> Bool {
    var balance = 0
    var first: Double?
    var last: Double?
    for sample in samples {
      guard let time = sample.time else { continue }
      if let last, time != last { balance += time < last ? 1 : -1 }
      first = first ?? time
      last = time
    }
    guard let first, let last else { return false }
    // Swapped neighbours give as many steps back as forward, but a whole that goes forward.
    return last < first && balance >= 2
  }

  // MARK: Repeated blocks

  private static func dropRepeats(_ samples: inout [RecordedWorkout.Sample], findings: inout ImportFindings) {
    let step = max(stepSecondsMax, 3 * usualStep(of: samples))
    let streams = split(samples) { $0.segment != $1.segment || ($1.time ?? .infinity) < ($0.time ?? 0) - step }
    guard hasOverlap(streams, of: samples) else { return }
    // By time, the samples of earlier streams; of many with one time a few.
    var known: [Double: [Int]] = [:]
    var isDropped = [Bool](repeating: false, count: samples.count)
    var dropped = 0
    for stream in streams {
      let matches = stream.map { index in
        samples[index].time.flatMap { known[$0] }?.first { isSame(samples[$0], samples[index]) }
      }
      let count = matches.count { $0 != nil }
      let timed = stream.count { samples[$0].time != nil }
      if count >= repeatsMin || (count == timed && count > 1) {
        dropped += count
        // What follows a repeated sample without a break belongs to that one's segment.
        var segment = matches.lazy.compactMap { $0 }.first.map { samples[$0].segment }
        for (index, match) in zip(stream, matches) {
          if let match {
            segment = samples[match].segment
            samples[match].complete(from: samples[index])
            isDropped[index] = true
          } else if let segment {
            samples[index].segment = segment
          }
        }
      }
      for index in stream where !isDropped[index] {
        if let time = samples[index].time, known[time, default: []].count < 4 { known[time, default: []].append(index) }
      }
    }
    guard dropped > 0 else { return }
    samples = samples.indices.filter { !isDropped[$0] }.map { samples[$0] }
    findings.add(
      dropped, "sample is in the file more than once and counts once",
      "samples are in the file more than once and count once")
  }

  /// Whether a stream goes back behind the end of the ones before it.
  private static func hasOverlap(_ streams: [Range<Int>], of samples: [RecordedWorkout.Sample]) -> Bool {
    var latest = -Double.infinity
    for stream in streams {
      let times = stream.lazy.compactMap { samples[$0].time }
      if let first = times.min(), first < latest { return true }
      latest = max(latest, times.max() ?? latest)
    }
    return false
  }

  private static func isSame(_ first: RecordedWorkout.Sample, _ second: RecordedWorkout.Sample) -> Bool {
    if let from = first.position, let to = second.position {
      return GreatCircle.millimetres(from: from, to: to) <= sameMillimetresMax
    }
    if let from = first.distance, let to = second.distance {
      return abs(from - to) * 1_000 <= Double(sameMillimetresMax)
    }
    guard first.position == nil, second.position == nil, first.distance == nil, second.distance == nil else {
      return false
    }
    let hasReading = first.heartRate != nil || first.speed != nil || first.cadence != nil || first.power != nil
    return hasReading && first.heartRate == second.heartRate && first.speed == second.speed
      && first.cadence == second.cadence && first.power == second.power
  }

  // MARK: Order

  private static func order(_ samples: inout [RecordedWorkout.Sample], findings: inout ImportFindings) {
    let step = max(stepSecondsMax, 3 * usualStep(of: samples))
    var last: Double?
    let blocks = split(samples) { previous, next in
      last = previous.time ?? last
      if previous.segment != next.segment { return true }
      guard let last, let time = next.time else { return false }
      return abs(time - last) > step
    }
    var key = -Double.infinity
    let keyed = blocks.map { block in
      key = samples[block].lazy.compactMap(\.time).first ?? key
      return (key: key, block: block)
    }
    let moved = zip(keyed, keyed.dropFirst()).count { $0.key > $1.key }
    guard moved > 0 else { return }
    let ordered = keyed.sorted { $0.key < $1.key }.flatMap { samples[$0.block] }
    guard isBetter(ordered, than: samples) else { return }
    samples = ordered
    findings.add(
      moved, "block of samples was out of order; put in order of time",
      "blocks of samples were out of order; put in order of time")
  }

  /// Whether samples ordered by time make at least as good a course as the file's order.
  ///
  /// A device whose clock was set back writes a course without leaps in the file's order.
  private static func isBetter(
    _ ordered: [RecordedWorkout.Sample], than filed: [RecordedWorkout.Sample]
  ) -> Bool {
    let (falls, filedFalls) = (falls(of: ordered), falls(of: filed))
    if falls != filedFalls { return falls < filedFalls }
    return length(of: ordered) <= length(of: filed)
  }

  /// The metres by which the recorded distance falls.
  private static func falls(of samples: [RecordedWorkout.Sample]) -> Double {
    var sum = 0.0
    var last: Double?
    for sample in samples {
      guard let distance = sample.distance else { continue }
      if let last, distance < last { sum += last - distance }
      last = distance
    }
    return sum
  }

  /// Millimetres from position to position, breaks included.
  private static func length(of samples: [RecordedWorkout.Sample]) -> Int64 {
    var sum: Int64 = 0
    var last: Position?
    for sample in samples {
      guard let position = sample.position else { continue }
      if let last { sum += GreatCircle.millimetres(from: last, to: position) }
      last = position
    }
    return sum
  }

  /// The ranges between breaks; none is empty.
  private static func split(
    _ samples: [RecordedWorkout.Sample],
    at isBreak: (RecordedWorkout.Sample, RecordedWorkout.Sample) -> Bool
  ) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var from = 0
    for index in samples.indices.dropFirst() where isBreak(samples[index - 1], samples[index]) {
      ranges.append(from..<index)
      from = index
    }
    if from < samples.count { ranges.append(from..<samples.count) }
    return ranges
  }
}

extension RecordedWorkout.Sample {
  /// Fills in what only the other sample of the same instant has.
  mutating func complete(from other: RecordedWorkout.Sample) {
    position = position ?? other.position
    altitude = altitude ?? other.altitude
    distance = distance ?? other.distance
    speed = speed ?? other.speed
    heartRate = heartRate ?? other.heartRate
    cadence = cadence ?? other.cadence
    power = power ?? other.power
  }
}
