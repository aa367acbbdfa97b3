import Console
package import Link

/// What the page shows of a run at an instant: two screens, the link between them, and the truth beside both.
///
/// A screen follows its own device's lines of the trace alone, and the runner's lines about that device's power: what
/// it shows is what
/// the device believes. Only ``truth`` reads what really happened.
package struct PairState {
  package private(set) var watch = WatchScreen()
  package private(set) var phone = PhoneScreen()
  package private(set) var link = LinkPicture()
  package private(set) var truth = TrueAthlete()
  package private(set) var apps = [AppScreen(), AppScreen()]
  /// The number of events observed.
  package private(set) var count = 0
  package private(set) var hasHealed = false

  package init(header: TraceHeader) {
    phone.setUp(header)
    if header.extra("uplink") == nil, header.uplink["exists"]?.boolean == false || header.extra("edge") == nil {
      link.isUplinkUp = nil
    } else {
      link.isUplinkUp = true
    }
  }

  /// Observes the next event.
  package mutating func observe(_ event: TraceEvent) {
    count += 1
    switch event.place {
    case .watch:
      watch.observe(event)
      apps[0].observe(event)
    case .phone:
      phone.observe(event)
      apps[1].observe(event)
    case .runner: observePower(event)
    case .link, .uplink, .edge: break
    }
    link.observe(event)
    truth.observe(event)
  }

  /// What the runner does to a device as a whole.
  private mutating func observePower(_ event: TraceEvent) {
    switch event.body {
    case .nodeKilled(let node): change(node.target) { $0.kill(event.time, cause: node.cause) }
    case .nodeStarted(let node): change(node.target) { $0.start(epoch: node.epoch) }
    case .nodeSuspended(let node): change(node.target) { $0.isAsleep = true }
    case .nodeResumed(let node): change(node.target) { $0.isAsleep = false }
    case .nodeFailed(let node):
      change(node.target) { $0.kill(event.time, cause: node.cause) }
      if let index = node.target.place.deviceIndex {
        apps[index].crash = [node.cause, node.detail].compactMap { $0 }.joined(separator: "\n")
      }
    case .healed: hasHealed = true
    default: break
    }
  }

  private mutating func change(_ role: NodeRole, _ change: (inout DevicePower) -> Void) {
    switch role {
    case .watch:
      change(&watch.power)
      if !watch.power.isUp { watch.haptic = nil }
    case .phone:
      change(&phone.power)
      if !phone.power.isUp { phone.stopApp() }
    case .edge: break
    }
  }
}

/// Whether a device's app runs.
package struct DevicePower: Equatable {
  package var isUp = true
  package var isAsleep = false
  /// Why it is down; empty while it is up.
  package var cause = ""
  /// Counts the starts of the app, from 1; 0 before the first.
  package var epoch: Int64 = 0
  /// When it went down; nil while it is up.
  package var downSince: VirtualTime?

  mutating func kill(_ time: VirtualTime, cause: String) {
    (isUp, isAsleep, downSince) = (false, false, time)
    self.cause = cause
  }

  mutating func start(epoch: Int64) { self = DevicePower(epoch: epoch) }
}

/// Figures of a workout as a device has them.
package struct Figures: Equatable {
  /// Seconds without pauses.
  package var elapsed = 0.0
  /// Metres.
  package var distance = 0.0
  /// Seconds per kilometre; nil before it is known.
  package var pace: Double?
  package var averagePace: Double?
  /// Beats per minute.
  package var heartRate: Int64?
  /// Steps per minute.
  package var cadence: Int64?
  /// Kilocalories.
  package var energy = 0.0
  /// When the device has learned them; nil before the first time.
  package var since: VirtualTime?

  mutating func update(_ metrics: SnapshotMetrics, at time: VirtualTime) {
    (elapsed, distance, energy) = (metrics.elapsed, metrics.distance, metrics.energyKcal)
    (pace, averagePace) = (metrics.currentPaceSecPerKm, metrics.avgPaceSecPerKm)
    (heartRate, cadence, since) = (metrics.currentHR, metrics.cadence, time)
  }
}
