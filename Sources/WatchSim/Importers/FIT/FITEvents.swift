// Pauses from timer events: a stop followed by a start. Makers stop the timer in four different words and repeat themselves; some write
// all events in one block before the records, so they are sorted by time first.

/// The timer's stops and starts.
struct FITEvents: Sendable, Equatable {
  /// One timer event.
  struct TimerEvent: Sendable, Equatable {
    /// Unix seconds.
    let time: Double
    let isStart: Bool
    /// What stopped the timer; `manual` where the file does not say.
    let kind: RecordedWorkout.Pause.Kind
  }

  private var events: [TimerEvent] = []

  /// Whether the file holds a stop of the timer; without one, its pauses can only be inferred.
  var hasStops: Bool { events.contains { !$0.isStart } }

  /// The time of the first start, Unix seconds.
  var firstStart: Double? { events.lazy.filter(\.isStart).map(\.time).min() }

  /// Takes an event message; others than timer events leave no trace.
  mutating func take(_ message: FITMessage) {
    guard message.unsigned(0) == 0, let time = message.time.map(FITTime.unixSeconds),
      let type = message.unsigned(1)
    else { return }
    switch type {
    case 0: events.append(TimerEvent(time: time, isStart: true, kind: .manual))
    case 1, 4, 8, 9:
      let isAuto = (message.unsigned(3) ?? message.unsigned(2)) == 1
      events.append(TimerEvent(time: time, isStart: false, kind: isAuto ? .auto : .manual))
    default: break
    }
  }

  /// Returns the pauses, and when the timer was stopped for good.
  func pauses() -> (pauses: [RecordedWorkout.Pause], end: Double?) {
    let sorted = events.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    var pauses: [RecordedWorkout.Pause] = []
    var stop: TimerEvent?
    for event in sorted.map(\.element) {
      if !event.isStart {
        // A repeated stop changes nothing: the timer stands since the first.
        stop = stop ?? event
      } else if let stopped = stop {
        pauses.append(.init(from: stopped.time, to: event.time, kind: stopped.kind))
        stop = nil
      }
    }
    return (pauses, stop?.time)
  }
}

/// FIT's times.
enum FITTime {
  /// Unix seconds of FIT's second 0, 1989-12-31T00:00:00Z.
  static let epoch = 631_065_600.0

  /// Returns Unix seconds.
  ///
  /// Values below 0x10000000 count from power-on; they are placed at the epoch, where the replay refuses them.
  static func unixSeconds(_ time: UInt32) -> Double { Double(time) + epoch }
}
