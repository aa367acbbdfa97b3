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
