import HealthSim
import Link

/// The parts of a run, besides its devices.
struct RunPlan {
  var seed: UInt64
  var link: LinkProfile
  /// The phone's link to the edge; unused without an edge.
  var uplink = LinkProfile(latency: .milliseconds(5), exists: false)
  var faults: [PlannedFault]
  /// Users' commands in the order of time; at one instant the watch's before the phone's.
  var commands: [DeviceCommand]
  /// How long the health store takes to sync a workout to the phone; nil for a run without it.
  var healthSyncLag: VirtualTime.Span?
  /// The athlete's nights; nil if nothing reads them.
  var nights: NightReports?
  /// The latest end of the run.
  var duration: VirtualTime.Span
  /// How long the queues may drain after the end.
  var drain = RunLength.drainMax
  /// Whether the phone may start a run.
  var startsByPhone = false
  /// When the last of several workouts starts: the run does not end before.
  var lastStart = VirtualTime.start
  /// Whether the run continues after its workouts, up to its duration.
  var lastsWholeDuration = false
  /// Whether a message of the watch launches the phone's app; nil means if the phone is an app.
  var launchesPhone: Bool?
  /// Whether nodes may be killed from outside.
  var isTortured = false
  /// Whether the nodes' stored state is read afterwards.
  var isKeeping = false
  /// Knows what the athlete really does; nil for a run without truth.
  var truth: TruthKeeper?
  /// HealthKit of the run's apps; nil for a run without apps.
  var platform: HealthPlatform?
  /// Live controls, if any.
  var live: (any LiveControls)?

  /// Whether a node may read what it stored: after the run, or at its next start.
  var readsStores: Bool { isKeeping || isTortured || live != nil || faults.contains { $0.mayKill } }
}

extension PlannedFault {
  /// Whether an app's process may die of this.
  fileprivate var mayKill: Bool {
    guard case .node(let fault) = body else { return false }
    return fault.kills
  }
}
