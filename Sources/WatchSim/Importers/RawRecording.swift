// The output of an importer: the file's content in the file's order, before the repairs that all formats share.

/// A workout as one format states it.
struct RawRecording {
  var format: String
  /// In lower case; nil if not named.
  var sport: String?
  /// The device's own start, Unix seconds.
  var start: Double?
  /// In the file's order; `distance` contains only what the device recorded.
  var samples: [RecordedWorkout.Sample] = []
  /// The timer's stops, if the format records them; nil to infer them from gaps and segment breaks.
  var pauses: [RecordedWorkout.Pause]?
  /// The device's own start and end, Unix seconds; nil if not stated.
  var window: ClosedRange<Double>?
  /// Whether a step back in time by more than a second begins a new segment, after the clock was corrected.
  var breaksAtClockSteps = false
  /// When the timer was stopped for good, Unix seconds.
  var timerEnd: Double?
  /// In the file's order.
  var laps: [RecordedWorkout.Lap] = []
  /// In the file's order.
  var lengths: [RecordedWorkout.Length] = []
  /// Metres of one length as the device states it; nil if not stated.
  var poolLength: Double?
  /// The sum of the laps' times by a clock that the format leaves open, the timer's or the wall's, in seconds; nil if
  /// the format has none.
  var lapSeconds: Double?
  /// The device's own figures.
  var summary = RecordedWorkout.Summary()
  /// Repairs made by the importer.
  var findings = ImportFindings()

  /// The sum of the values that are present; nil if none is.
  static func total(_ values: [Double?]) -> Double? {
    let known = values.compactMap { $0 }
    return known.isEmpty ? nil : known.reduce(0, +)
  }
}

// Splits a recording with several consecutive workouts.

extension RawRecording {
  /// A part of a recording: the device's summary, with its start and elapsed time.
  struct Part {
    var sport: String?
    var summary: RecordedWorkout.Summary
    var poolLength: Double?

    var start: Double { summary.start ?? 0 }
    var end: Double { start + max(0, summary.elapsed ?? 0) }
  }

  /// Splits the recording; every sample, lap, length and pause goes to one part at most.
  ///
  /// - Parameter parts: Sorted by distinct starts. A part ends where the next one begins: devices write starts in whole
  ///   seconds and elapsed times in thousandths, so neighbours overlap by a fraction.
  func divided(into parts: [Part]) -> [RawRecording] {
    let division = Division(parts: parts)
    let samples = division.divide(self.samples) { $0.time }
    let laps = division.divide(self.laps) { $0.start }
    let lengths = division.divide(self.lengths) { $0.start }
    let pauses = self.pauses.map { pauses in division.divide(pauses) { $0.from } }
    return parts.indices.map { index in
      let part = parts[index]
      var raw = RawRecording(format: format)
      raw.sport = part.sport
      raw.start = part.start
      raw.summary = part.summary
      raw.summary.device = summary.device
      raw.timerEnd = division.end(of: index)
      raw.window = part.start...division.end(of: index)
      raw.breaksAtClockSteps = breaksAtClockSteps
      raw.samples = samples[index]
      raw.laps = laps[index]
      raw.lengths = lengths[index]
      raw.poolLength = part.poolLength
      // A pause that outlasts its part is the transition to the next one.
      raw.pauses = pauses?[index].filter { $0.to <= division.end(of: index) }
      raw.findings = findings
      raw.findings.add("one part of \(sport ?? "several") was read")
      return raw
    }
  }
}

/// Assigns instants to parts.
private struct Division {
  let parts: [RawRecording.Part]

  /// Unix seconds.
  func end(of index: Int) -> Double {
    index + 1 < parts.count ? min(parts[index].end, parts[index + 1].start) : parts[index].end
  }

  /// Assigns each element to the part of its instant; without an instant, or between two parts, to none.
  func divide<Element>(_ elements: [Element], by time: (Element) -> Double?) -> [[Element]] {
    var divided = [[Element]](repeating: [], count: parts.count)
    for element in elements {
      if let index = time(element).flatMap(index(of:)) { divided[index].append(element) }
    }
    return divided
  }

  /// The last part that had begun by then; nil if it was over.
  private func index(of time: Double) -> Int? {
    guard let index = parts.lastIndex(startingBy: time, \.start) else { return nil }
    // The end belongs to the part: devices take the last sample when they stop.
    return time <= parts[index].end ? index : nil
  }
}

extension Array {
  /// The last element that starts at `time` or before, in an array sorted by starts; nil if all start later.
  ///
  /// - Complexity: Logarithmic in the count.
  func lastIndex(startingBy time: Double, _ start: (Element) -> Double) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if start(self[middle]) <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
