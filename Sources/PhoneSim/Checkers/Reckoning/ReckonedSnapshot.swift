import Link

/// A fresh snapshot as its trace line tells it.
struct ReckonedSnapshot: Sendable {
  private(set) var time: VirtualTime
  private(set) var line: Int
  private(set) var epoch: Int64
  private(set) var seq: Int64
  private(set) var workout: Identifier?
  private(set) var elapsed: Double
  private(set) var distance: Double
  /// Seconds per kilometre, NaN where it is absent or not wanted; so for all that follow.
  private(set) var currentPace = Double.nan
  private(set) var avgPace = Double.nan
  private(set) var heartRate = Double.nan
  private(set) var cadence = Double.nan

  /// Stands where no snapshot was received.
  static let none = ReckonedSnapshot(
    time: .start, line: 0, epoch: 0, seq: 0, workout: nil, elapsed: 0, distance: 0)

  /// Reads a `snapshot.fresh` line in the place of this one.
  ///
  /// - Parameter readsAll: Whether paces, heart rate and cadence are wanted.
  /// - Returns: False where the line lacks what every snapshot has; what is left here says nothing then.
  mutating func read(_ event: TraceEvent, line: Int, readsAll: Bool) -> Bool {
    var fields = FieldCursor(event)
    guard let epoch = fields.integer("epoch"), let seq = fields.integer("seq") else { return false }
    workout = fields.identifier("workoutId")
    fields.skip("sentAt")
    guard let elapsed = fields.double("elapsed"), let distance = fields.double("distance") else { return false }
    time = event.time
    self.line = line
    self.epoch = epoch
    self.seq = seq
    self.elapsed = elapsed
    self.distance = distance
    guard readsAll else {
      (currentPace, avgPace, heartRate, cadence) = (.nan, .nan, .nan, .nan)
      return true
    }
    currentPace = fields.double("currentPaceSecPerKm") ?? .nan
    avgPace = fields.double("avgPaceSecPerKm") ?? .nan
    heartRate = fields.double("currentHR") ?? .nan
    fields.skip("energyKcal")
    cadence = fields.double("cadence") ?? .nan
    return true
  }
}

/// What the phone believes of the run, as its `run.state` lines say.
struct ReckonedBelief: Sendable {
  /// The run that is on, or was on last; nil before the first.
  private(set) var workout: Identifier?
  /// nil before the first word.
  private(set) var state: String?

  /// Whether the run is believed to be running.
  private(set) var isRunning = false
  /// Whether it is believed to have ended.
  private(set) var hasEnded = false

  /// Whether the run is the phone's own: under its own tracker, or ended by its own doing; no word of the watch feeds it.
  private(set) var isOwn = false

  /// Whether this is what a word says of the state.
  @inline(__always)
  func isSaid(by word: String?) -> Bool { state == word }

  /// Takes a `run.state` line; true where another run began with it.
  mutating func observe(_ event: TraceEvent) -> Bool {
    var fields = FieldCursor(event)
    let named = fields.identifier("workoutId")
    state = fields.text("to")
    isRunning = state == "running"
    hasEnded = state == "ended"
    isOwn = state != "preparing" && fields.text("cause") == "command"
    guard named != workout else { return false }
    workout = named
    return true
  }
}

/// What the phone's date differs by from the scenario's, as `clockSkew` faults set it.
struct ReckonedClock: Sendable {
  private struct Skew: Sendable {
    let fault: String
    let begin: VirtualTime
    /// Nanoseconds.
    let offset: Double
    /// Parts per million.
    let drift: Double
  }

  private let header: TraceHeader
  private let start: Int64?
  private var skews: [Skew] = []

  init(header: TraceHeader) {
    self.header = header
    start = header.unixStart
  }

  /// Takes a `fault.begin` or `fault.end` line.
  mutating func observe(_ event: TraceEvent) {
    guard event["kind"]?.text == "clockSkew", let fault = event["fault"]?.text else { return }
    skews.removeAll { $0.fault == fault }
    guard event.name.code == TraceEvent.Name.Code.faultBegin, case .json(let text) = event["params"],
      let params = try? JSONParser.parse(text, dialect: .json), params["node"]?.string == "phone"
    else { return }
    skews.append(
      Skew(
        fault: fault, begin: event.time, offset: (params["offset"]?.seconds ?? 0) * 1e9,
        drift: params["driftPPM"]?.double ?? 0))
  }

  /// The hour of the phone's date in the scenario's zone, 0 to 23; NaN without a date.
  func hour(at time: VirtualTime) -> Double {
    guard let start else { return .nan }
    var shift = 0.0
    for skew in skews { shift += skew.offset + Double((time - skew.begin).nanoseconds) * skew.drift / 1e6 }
    guard abs(shift) < 4e18 else { return .nan }
    let believed = time + VirtualTime.Span(nanoseconds: Int64(saturating: shift))
    let seconds = (start +| believed.nanoseconds) / 1_000_000_000 + Int64(header.utcOffset(at: believed))
    let ofDay = seconds % 86_400
    return Double((ofDay < 0 ? ofDay + 86_400 : ofDay) / 3600)
  }
}
