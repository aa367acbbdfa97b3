import CoachProtocol

// A workout of a health export, before its route and records are joined to it.

/// One `Workout` element.
struct HealthExportWorkout {
  /// Limit of events, routes and laps of one workout.
  static let partsMax = 1_000_000

  var number = 0
  var sport: String?
  var start: Double?
  var end: Double?
  /// Seconds of the timer.
  var duration: Double?
  /// Metres of the total that older exports state.
  var totalDistance: Double?
  /// Metres of the statistics of the whole workout by their kind, such as `DistanceCycling`.
  var distances: [String: Double] = [:]
  /// The same of its parts, each kind summed.
  var partDistances: [String: Double] = [:]
  var averageHeartRate: Double?
  var maximumHeartRate: Double?
  /// Kilocalories of active energy.
  var energyKcal: Double?
  var source = ""
  var device: String?
  /// Metres; nil outside a pool.
  var poolLength: Double?
  private(set) var events: [Event] = []
  /// Paths as the export writes them.
  private(set) var routes: [String] = []
  /// Events and routes beyond ``partsMax``.
  private(set) var omittedCount = 0
  /// Whether the event that was added last is the last of ``events``.
  private var isLastKept = false
  private var knownEvents: Set<Event> = []
  private var knownRoutes: Set<String> = []
  var unknownUnits: [String] = []
  /// Whether the element was closed.
  var isWhole = false

  /// An event during the workout.
  struct Event: Hashable {
    var type: String
    var date: Double
    /// Seconds.
    var duration: Double?
    /// Of a length that was swum; nil if not named.
    var stroke: SwimStroke?
  }

  /// Adds an event.
  ///
  /// - Parameter isRepetition: Whether to skip it if the workout has an equal one.
  mutating func append(_ event: Event, isRepetition: Bool) {
    isLastKept = false
    guard events.count < Self.partsMax else { return omittedCount += 1 }
    let isNew = knownEvents.insert(event).inserted
    guard isNew || !isRepetition else { return }
    events.append(event)
    isLastKept = true
  }

  /// Notes that what follows belongs to an event that was not added.
  mutating func forgetLastEvent() { isLastKept = false }

  /// Names the stroke of the event that was added last, if it was kept.
  mutating func nameStroke(_ stroke: SwimStroke?) {
    if isLastKept, let stroke { events[events.count - 1].stroke = stroke }
  }

  /// Adds the path of a route, once.
  mutating func appendRoute(_ path: String) {
    guard routes.count < Self.partsMax else { return omittedCount += 1 }
    if knownRoutes.insert(path).inserted { routes.append(path) }
  }

  /// The timer's stops; a last one without an end is the end of the workout.
  var pauses: (pauses: [RecordedWorkout.Pause], end: Double?) {
    var pauses: [RecordedWorkout.Pause] = []
    var open: Double?
    for event in events.sorted(by: { $0.date < $1.date }) {
      switch event.type {
      case "Pause": open = open ?? event.date
      case "Resume":
        if let from = open, event.date > from { pauses.append(.init(from: from, to: event.date, kind: .manual)) }
        open = nil
      default: continue
      }
    }
    return (pauses, open)
  }

  /// Number of pauses that the watch noticed without stopping its timer.
  var motionPauses: Int {
    var count = 0
    var isOpen = false
    for event in events.sorted(by: { $0.date < $1.date }) {
      if event.type == "MotionPaused" { isOpen = true }
      if event.type == "MotionResumed", isOpen {
        count += 1
        isOpen = false
      }
    }
    return count
  }

  /// In order of time.
  var lapEvents: [Event] { events.filter { $0.type == "Lap" }.sorted { $0.date < $1.date } }

  var laps: [RecordedWorkout.Lap] {
    lapEvents
      .map { RecordedWorkout.Lap(start: $0.date, elapsed: $0.duration, timer: nil, distance: nil, trigger: "manual") }
  }

  var outline: WorkoutOutline {
    WorkoutOutline(
      number: number, sport: sport, start: start,
      elapsed: start.flatMap { start in end.map { max(0, $0 - start) } } ?? duration, distance: distance,
      name: source.isEmpty ? nil : Printable.text(source.trimmingBlanks, charactersMax: 40))
  }
}
