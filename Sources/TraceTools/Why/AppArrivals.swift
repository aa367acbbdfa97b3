import Console
import Link

/// What reached apps at the present instant: each of it may be why an app does something.
///
/// A trace does not say which callback made an app act, so all that came at the instant are candidates.
struct AppArrivals {
  private let apps: Set<TraceEvent.Place>
  private var now = VirtualTime.start
  private var arrivals: [(line: Int, place: TraceEvent.Place)] = []

  init(_ header: TraceHeader) {
    apps = Set([NodeRole.watch, .phone].filter { ProgramsHeader.isApp($0, in: header) }.map(\.place))
  }

  /// Observes the next event, which is on line `line` of the trace.
  mutating func observe(_ event: TraceEvent, line: Int) {
    if event.time != now {
      now = event.time
      arrivals.removeAll(keepingCapacity: true)
    }
    guard apps.contains(event.place), Self.isArrival(event) else { return }
    arrivals.append((line, event.place))
  }

  /// The candidates for what an app did, the last first: none where nothing came at this instant, as for a timer.
  ///
  /// - Returns: Nil for what is no app's decision.
  func candidates(for event: TraceEvent) -> [Int]? {
    guard apps.contains(event.place), Self.isDeed(event) else { return nil }
    guard event.time == now else { return [] }
    return arrivals.reversed().filter { $0.place == event.place }.map(\.line)
  }

  /// Whether an app hears of it: a callback, or its user's act.
  private static func isArrival(_ event: TraceEvent) -> Bool {
    switch event.body {
    case .messageReceived, .messageFailed, .messageRefused, .contextReceived, .reachability, .transferDelivered,
      .transferFinished, .transferFailed:
      true
    default: event.name.text == AppActTaken.name.text
    }
  }

  /// Whether an app decides on it.
  private static func isDeed(_ event: TraceEvent) -> Bool {
    switch event.body {
    case .frameSent(let frame): frame.kind == .data && frame.transfer == nil && frame.attempt == nil
    case .transferQueued, .contextSet, .messageRefused: true
    // What it records about itself.
    case .foreign: event.name.text.hasPrefix(AppFact.family) && event.name.text != AppActTaken.name.text
    default: false
    }
  }
}
