// Pauses from timer events: a stop followed by a start. Manufacturers use four different kinds of stops, and repeat
// them; some write all events in one block before the records, so they are sorted by time first.

/// The timer's stops and starts.
struct FITEvents: Sendable, Equatable {
  struct TimerEvent: Sendable, Equatable {
    /// Unix seconds.
    let time: Double
    let isStart: Bool
    /// What stopped the timer; `manual` if the file does not say.
    let kind: RecordedWorkout.Pause.Kind
  }

  private var events: [TimerEvent] = []

  /// Whether the file contains a stop of the timer; without one, pauses can only be inferred.
  var hasStops: Bool { events.contains { !$0.isStart } }

  /// Unix seconds.
  var firstStart: Double? { events.lazy.filter(\.isStart).map(\.time).min() }

  /// Adds an event message; ignores events other than the timer's.
  mutating func add(_ message: FITMessage) {
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

  /// The pauses, and when the timer was stopped for good.
  func pauses() -> (pauses: [RecordedWorkout.Pause], end: Double?) {
    var pauses: [RecordedWorkout.Pause] = []
    var stop: TimerEvent?
    for event in events.sorted(by: { $0.time < $1.time }) {
      if !event.isStart {
        // A repeated stop has no effect.
        stop = stop ?? event
      } else if let stopped = stop {
        pauses.append(.init(from: stopped.time, to: event.time, kind: stopped.kind))
        stop = nil
      }
    }
    return (pauses, stop?.time)
  }
}

/// Conversion of FIT times.
enum FITTime {
  /// Unix seconds of FIT's second 0, 1989-12-31T00:00:00Z.
  static let epoch = 631_065_600.0

  /// Converts to Unix seconds.
  ///
  /// Values below 0x10000000 count from power-on; they end up at the epoch, which a replay refuses.
  static func unixSeconds(_ time: UInt32) -> Double { Double(time) + epoch }
}
