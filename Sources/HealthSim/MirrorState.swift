import Link

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
