import Link

/// A workout session of a device's app, as its daemon knows it.
struct WorkoutSessionState: Sendable, Equatable {
  /// `HKWorkoutSessionState`; the order is historical.
  enum State: Int64, Sendable { case notStarted = 1, running, ended, paused, prepared, stopped }

  /// Its number in the app: the app's start, and the number of the object.
  let id: UInt64
  /// Its number on the device, for people.
  var number: Int64
  var activity: Int64
  var location: Int64
  var state = State.notStarted
  var startedAt: Int64?
  var endedAt: Int64?
  /// Whether an error ended it, and the app has neither ended nor released the object since.
  var isDeadAndKept = false
  var builder = WorkoutBuilderState()

  /// Whether session mode is on, so that no other session may be.
  var isLive: Bool { state == .prepared || state == .running || state == .paused || state == .stopped }

  /// What an app needs to hold a proxy of it.
  var snapshot: [DeviceField] {
    var fields = [
      DeviceField("session", .integer(Int64(bitPattern: id))), DeviceField("activity", .integer(activity)),
      DeviceField("location", .integer(location)), DeviceField("state", .integer(state.rawValue)),
    ]
    if let startedAt { fields.append(DeviceField("startedAt", .integer(startedAt))) }
    if let endedAt { fields.append(DeviceField("endedAt", .integer(endedAt))) }
    return fields
  }
}

/// A workout builder, with or without a session.
package struct WorkoutBuilderState: Sendable, Equatable {
  /// The states of the error texts: `Active(2)`.
  enum State: Int64, Sendable {
    case notStarted = 1, active, ended, finished, discarded
    case error = 7

    var text: String {
      let name =
        switch self {
        case .notStarted: "NotStarted"
        case .active: "Active"
        case .ended: "Ended"
        case .finished: "Finished"
        case .discarded: "Discarded"
        case .error: "Error"
        }
      return "\(name)(\(rawValue))"
    }
  }

  package struct Event: Sendable, Equatable {
    var type: Int64
    var start: Int64
    var end: Int64
    var metadata: [DeviceField] = []
  }

  var state = State.notStarted
  /// In nanoseconds since 1970.
  package var begunAt: Int64?
  var endedAt: Int64?
  /// Whether a data source gives it samples, and of which types.
  var collects = false
  var types: [String] = []
  var statistics: [TypeStatistics] = []
  var samples: Set<Identifier> = []
  package var events: [Event] = []
  var metadata: [DeviceField] = []
  var route: [DeviceValue] = []
  /// The body's values up to which samples were made; nil before the first second.
  var measured: BodyReading?
  /// The same for samples in the store, which are fewer.
  var stored: BodyReading?
  var storedAt: Int64 = 0
  var heartRateAt: Int64 = 0
  /// How far the reported distance is behind, in metres.
  var deficit = 0.0

  package init() {}

  mutating func add(_ value: Double, _ unit: String, _ type: String, from start: Int64, to end: Int64) {
    if let index = statistics.firstIndex(where: { $0.type == type }) {
      statistics[index].add(value, from: start, to: end)
    } else {
      var first = TypeStatistics(type: type, unit: unit)
      first.add(value, from: start, to: end)
      statistics.append(first)
    }
  }

  /// The time in which the workout was not paused, up to an instant; in nanoseconds.
  package func activeTime(until end: Int64) -> Int64 {
    guard let begunAt else { return 0 }
    var active: Int64 = 0
    var since: Int64? = begunAt
    for event in events.sorted(by: { $0.start < $1.start }) where event.start <= end {
      // 1, 5: a pause; 2, 6: its end. A second one of a kind is ignored.
      if event.type == 1 || event.type == 5 {
        if let begin = since { active += max(0, event.start - begin) }
        since = nil
      } else if event.type == 2 || event.type == 6 {
        since = since ?? max(event.start, begunAt)
      }
    }
    if let since { active += max(0, end - since) }
    return active
  }
}

/// A device's end of the mirroring of a workout session.
struct MirrorState: Sendable, Equatable {
  /// The phone's copy of the watch's session.
  struct Proxy: Sendable, Equatable {
    /// From 1; another one for each object that the app gets.
    var number: Int64
    /// The number of the watch's call.
    var generation: Int64
    var snapshot: [DeviceField]
    /// Whether the app's handler has it.
    var isOffered = false
    /// Until when a handler that is set gets it.
    var offeredUntil: VirtualTime
    /// Data that waits for the app.
    var waiting: [[UInt8]] = []
  }

  /// A message to the app that is due later.
  struct Later: Sendable, Equatable {
    var at: VirtualTime
    var message: DeviceMessage
    /// The event of its line; nil for none.
    var to: MirrorChanged.State?
    var number: Int64
  }

  // The watch.

  /// Counts the calls that started a mirroring.
  var generation: Int64 = 0
  /// The mirrored session; nil for none.
  var session: UInt64?
  /// The configuration with which the app is to be started, and until when that is worth anything.
  var launch: (activity: Int64, location: Int64)? {
    get { launchActivity.map { ($0, launchLocation) } }
    set { (launchActivity, launchLocation) = (newValue?.activity, newValue?.location ?? 1) }
  }
  private var launchActivity: Int64?
  private var launchLocation: Int64 = 1
  var isLaunchOwed: Bool { launchActivity != nil }

  // The phone.

  var proxy: Proxy?
  var proxyCount: Int64 = 0
  /// Whether the app has set its handler since its start.
  var hasHandler = false
  /// When the app learns that the mirrored session is lost; nil for not.
  var losesAt: VirtualTime?
  /// When the app is started for a mirrored session; nil for not.
  var launchesAt: VirtualTime?
  var later: [Later] = []

  // Both.

  /// Instants and bytes of what was sent in the last ten seconds.
  var sent: [(at: VirtualTime, bytes: Int)] {
    get { zip(sentAt, sentBytes).map { ($0, $1) } }
    set { (sentAt, sentBytes) = (newValue.map(\.at), newValue.map(\.bytes)) }
  }
  private var sentAt: [VirtualTime] = []
  private var sentBytes: [Int] = []

  var nextAt: VirtualTime? {
    [losesAt, launchesAt, later.lazy.map(\.at).min()].compactMap(\.self).min()
  }

  /// The app is gone with its objects.
  mutating func dropProxy(at now: VirtualTime) {
    hasHandler = false
    later = []
    session = nil
    proxy?.isOffered = false
    proxy?.offeredUntil = .distantFuture
  }
}
