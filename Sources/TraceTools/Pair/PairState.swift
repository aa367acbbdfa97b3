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

/// The parts of a pair as the page gets them: times in seconds since the run's start, lengths in metres.
extension PairState {
  package var watchJSON: JSONValue {
    let screen = watch
    return .fields([
      "power": screen.power.json, "state": .string(screen.state), "discipline": .string(screen.discipline),
      "figures": screen.figures.json, "splits": Self.splits(screen.splits),
      "reachable": screen.isReachable.map { .bool($0) } ?? .null,
      "haptic": screen.haptic.map { .fields(["kind": .string($0.kind), "at": .time($0.at)]) } ?? .null,
      "note": screen.note.map { .fields(["seconds": .decimal($0.seconds), "at": .time($0.at)]) } ?? .null,
      "saved": .count(screen.saved),
      "refusal": screen.refusal.map { .fields(["text": .string($0.text), "at": .time($0.at)]) } ?? .null,
    ])
  }

  package var phoneJSON: JSONValue {
    let screen = phone
    return .fields([
      "power": screen.power.json, "state": .string(screen.state), "figures": screen.figures.json,
      "splits": Self.splits(screen.splits), "silent": .bool(screen.isSilent),
      "reachable": screen.isReachable.map { .bool($0) } ?? .null,
      "edgeReachable": screen.isEdgeReachable.map { .bool($0) } ?? .null, "tracking": .bool(screen.isTracking),
      "start": .string(screen.start),
      "refusal": screen.refusal.map { .fields(["text": .string($0.text), "at": .time($0.at)]) } ?? .null,
      "spoken": screen.spoken.map { line in
        .fields(["text": .string(line.text), "at": .time(line.at), "lasts": .decimal(line.lasts)])
      } ?? .null,
      "narration": .objects(screen.narration.suffix(8)) { line in
        ["text": .string(line.text), "at": .time(line.at), "broken": line.brokenOff.map { .string($0) }]
      }, "muted": .bool(screen.isMuted), "voice": screen.voice.map { .string($0) } ?? .null,
      "ducking": .bool(screen.isDucking),
      "interrupted": .bool(screen.isInterrupted), "script": .string(screen.script),
      "scriptLines": .count(screen.scriptLines),
      "memory": .objects(screen.memory) { ["key": .string($0.key), "value": .string($0.value)] },
      "notes": .objects(screen.notes.suffix(5)) { ["seconds": .decimal($0.seconds), "words": .string($0.words)] },
    ])
  }

  package var truthJSON: JSONValue {
    .fields(["state": .string(truth.state), "figures": truth.figures.json, "athletes": .bool(truth.isAthletes)])
  }

  /// The link's picture with its frames.
  ///
  /// - Parameters:
  ///   - names: What the run's frames carry.
  ///   - end: When a frame that is on its way will arrive or be lost, by its id; nil if that is not known.
  package func linkJSON(_ names: PayloadNames, end: (Int64) -> VirtualTime?) -> JSONValue {
    let frames = JSONValue.objects(link.flights) { flight in
      [
        "id": .integer(flight.id), "from": .string(flight.event.place.text), "uplink": .bool(flight.isOnUplink),
        "name": .string(names.frameTitle(flight.event)), "sent": .time(flight.sentAt),
        "ends": (flight.endedAt ?? end(flight.id)).map { .time($0) } ?? .null,
        "over": .bool(flight.endedAt != nil), "lost": flight.lost.map { .string($0) },
      ]
    }
    let counts = [JSONMember]([
      "sent": .count(link.sent), "delivered": .count(link.delivered), "lost": .count(link.lost), "flights": frames,
    ])
    return .object(counts + [JSONMember](linkStateMembers))
  }

  /// What lasts on the link: cuts, queues, faults.
  var linkStateMembers: JSONFields {
    [
      "up": .bool(link.isUp), "uplinkUp": link.isUplinkUp.map { .bool($0) } ?? .null,
      "queues": .array(
        link.queues.map { queue in
          JSONNode(
            .fields([
              "count": .count(queue.count),
              "first": .objects(queue.prefix(4)) { owed in
                [
                  "name": .string(owed.name), "channel": .string(owed.channel.text), "bytes": .count(owed.bytes),
                  "received": .integer(owed.received),
                ]
              },
            ]))
        }),
      "faults": .objects(link.faults) { fault in
        [
          "id": .string(fault.id), "kind": .string(fault.kind), "uplink": .bool(fault.isOnUplink),
          "params": .string(fault.params == "{}" ? "" : fault.params), "since": .time(fault.since),
        ]
      },
    ]
  }

  private static func splits(_ splits: [Split]) -> JSONValue {
    .objects(splits.suffix(6)) { ["km": .count($0.kmIndex), "seconds": .decimal($0.durationSeconds)] }
  }
}

extension DevicePower {
  var json: JSONValue {
    .fields([
      "up": .bool(isUp), "asleep": .bool(isAsleep), "cause": .string(cause), "epoch": .integer(epoch),
      "since": downSince.map { .time($0) } ?? .null,
    ])
  }
}

extension Figures {
  var json: JSONValue {
    .fields([
      "elapsed": .decimal(elapsed), "distance": .decimal(distance), "pace": .decimal(pace),
      "averagePace": .decimal(averagePace), "heartRate": .count(heartRate), "cadence": .count(cadence),
      "energy": .decimal(energy), "since": since.map { .time($0) } ?? .null,
    ])
  }
}

extension JSONValue {
  /// An instant in seconds since the run's start.
  package static func time(_ time: VirtualTime) -> JSONValue { .decimal(Double(time.nanoseconds) / 1e9) }
}
