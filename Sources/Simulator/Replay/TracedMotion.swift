package import Console
import CoachProtocol
package import Link
import WatchSim

/// The motion of a trace's watch: its snapshots, by seconds since the start.
///
/// Every pause belongs to the recording, whatever caused it, so that the run needs none of the recorded commands. The
/// route comes from the trace's positions. What no event contains (unfinished splits) is missing; paces and splits are
/// computed again.
package struct TracedMotion {
  let motion: RecordedMotion
  /// When the workout began, and the duration of its preparation.
  package let begin: VirtualTime
  package let preparing: VirtualTime.Span
  /// Whether the workout ends in the trace.
  package let isWhole: Bool

  /// Longer workouts are refused: two days.
  private static let secondsMax: Int64 = 172_800

  /// - Throws: For a trace whose watch did not run, and for one whose distance decreases.
  package init(_ trace: RecordedTrace) throws(Failure) {
    var seconds: [Second] = []
    var first: VirtualTime?
    var start: VirtualTime?
    var workout: TraceValue?
    var ended = false
    for (index, event) in trace.events.enumerated()
    where event.name == SnapshotPublished.name && event.place == .watch && !ended {
      // A second workout in the same trace is another run.
      guard workout == nil || workout == event["workoutId"] else { continue }
      workout = event["workoutId"]
      first = first ?? event.time
      let state = event.text("state")
      if start == nil, state != "preparing" { start = event.time }
      guard let start else { continue }
      let place = ((event.time - start).nanoseconds +| 500_000_000) / 1_000_000_000
      guard place <= Self.secondsMax else {
        throw Self.failure(trace, index, found: "a snapshot two days after the start", expected: "a shorter workout")
      }
      let second = try Second(event, trace, index)
      while seconds.count < Int(place), let last = seconds.last { seconds.append(last) }
      // The later snapshot of one second wins: a change of state publishes it.
      if seconds.count > Int(place) { seconds[Int(place)] = second } else { seconds.append(second) }
      ended = state == "ended"
    }
    guard let first, let start, !seconds.isEmpty else {
      throw .input("\(trace.path): error: found no snapshot of a workout that runs, expected the trace of a watch")
    }
    begin = first
    preparing = start - first
    isWhole = ended
    let route = Route(trace, of: workout, from: start, seconds: seconds.count)
    do throws(MotionError) {
      motion = try RecordedMotion(
        distanceMillimetres: seconds.map(\.distanceMillimetres), heartRate: seconds.map(\.heartRate),
        cadence: seconds.map(\.cadence), isPaused: seconds.map(\.isPaused),
        positions: route.positions, energyDecikilocalories: seconds.map(\.energyDecikilocalories), sport: route.sport,
        parts: Self.parts(trace, of: workout))
    } catch {
      throw .input("\(trace.path): error: \(error.key): found \(error.found), expected \(error.expected)")
    }
  }

  /// The lengths or laps that the watch reported; nil if the trace has no report, or only a part of one.
  private static func parts(_ trace: RecordedTrace, of workout: TraceValue?) -> RecordedParts? {
    var units: [SessionUnit] = []
    var next: Int64 = 1
    for event in trace.events where event.name == "transfer.queued" && event.place == .watch {
      guard event["workoutId"] == workout, let id = event.identifier("workoutId"),
        case .json(let text)? = event["report"],
        let report = SessionReport(workoutId: id, traceText: text)
      else { continue }
      // A watch that was killed between two parts queues all of them again.
      if report.part == 1 { (units, next) = ([], 1) }
      guard report.part == next else { continue }
      units += report.units
      next += 1
      if report.part == report.parts { return RecordedParts(units, of: report.discipline) }
    }
    return nil
  }

  /// The sport and the positions of the run, if the trace has them.
  private struct Route {
    var sport: String?
    /// One a second; nil without any.
    ///
    /// A second without an event repeats the previous position; those before the first event have its position.
    var positions: [GeoPosition]?

    init(_ trace: RecordedTrace, of workout: TraceValue?, from start: VirtualTime, seconds: Int) {
      var places = [GeoPosition?](repeating: nil, count: seconds)
      for event in trace.events where event.place == .watch && event["workoutId"] == workout {
        if event.name == WorkoutStateChanged.name, event["from"] == .null {
          sport = sport ?? event.text("sport")
        }
        guard event.name == WorkoutPositioned.name, event.time >= start,
          let place = GeoPosition(event)
        else { continue }
        let (passed, isBeyond) = event.time.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
        let second = passed / 1_000_000_000
        if !isBeyond, second < Int64(seconds) { places[Int(second)] = place }
      }
      guard var last = places.lazy.compactMap({ $0 }).first else { return }
      positions = places.map { place in
        last = place ?? last
        return last
      }
    }
  }

  /// One second of the run.
  private struct Second {
    var distanceMillimetres: Int64
    var heartRate: UInt8
    var cadence: UInt16
    var isPaused: Bool
    var energyDecikilocalories: Int64

    init(_ event: TraceEvent, _ trace: RecordedTrace, _ index: Int) throws(Failure) {
      guard let distance = event["distance"]?.double, distance >= 0, distance <= 10_000_000 else {
        throw TracedMotion.failure(
          trace, index, found: "a snapshot without a distance", expected: "metres from 0 to 10,000,000")
      }
      distanceMillimetres = Int64((distance * 1_000).rounded())
      heartRate = UInt8(clamping: event["currentHR"]?.integer ?? 0)
      cadence = UInt16(clamping: event["cadence"]?.integer ?? 0)
      isPaused = event.text("state") == "paused"
      let energy = event["energyKcal"]?.double ?? 0
      energyDecikilocalories = abs(energy) < 1e9 ? Int64((energy * 10).rounded()) : 0
    }
  }

  private static func failure(_ trace: RecordedTrace, _ index: Int, found: String, expected: String) -> Failure {
    .input("\(trace.path):\(trace.line(of: index)):1: error: found \(found), expected \(expected)")
  }
}

extension GeoPosition {
  /// An event's position; nil for an invalid one.
  init?(_ event: TraceEvent) {
    guard let latitude = event["latitude"]?.double, let longitude = event["longitude"]?.double, abs(latitude) <= 90,
      abs(longitude) <= 180
    else { return nil }
    self.init(latitudeE7: Int32((latitude * 1e7).rounded()), longitudeE7: Int32((longitude * 1e7).rounded()))
  }
}
