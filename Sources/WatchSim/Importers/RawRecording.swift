// What an importer hands over: the file's content in the file's order, before the repairs that all formats share.

/// A workout as one format states it.
struct RawRecording {
  /// The format's name.
  var format: String
  /// The sport in lower case; nil when not named.
  var sport: String?
  /// When the device says the workout began, Unix seconds.
  var start: Double?
  /// The samples in the file's order; `distance` holds only what the device recorded.
  var samples: [RecordedWorkout.Sample] = []
  /// The timer's stops, when the format records them; nil lets them be inferred from gaps and segment breaks.
  var pauses: [RecordedWorkout.Pause]?
  /// When the device says the workout was, from start to end, Unix seconds; nil when it does not say.
  var window: ClosedRange<Double>?
  /// Whether a step back in time by more than a second begins a new segment: a clock that was put right.
  var breaksAtClockSteps = false
  /// When the timer was stopped for good, Unix seconds.
  var timerEnd: Double?
  /// The laps in the file's order.
  var laps: [RecordedWorkout.Lap] = []
  /// The pool lengths in the file's order.
  var lengths: [RecordedWorkout.Length] = []
  /// What the device claims.
  var summary = RecordedWorkout.Summary()
  /// What the importer already had to repair.
  var findings = Findings()
}
