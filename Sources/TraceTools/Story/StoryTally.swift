import Console
import Link

/// The counts of a run for its summary.
package struct StoryTally {
  var sent = 0
  var delivered = 0
  var copies = 0
  /// Frames that never arrived, by cause, in the order of the first.
  var dropped: [(cause: String, count: Int)] = []
  /// Snapshots that the watch published, a ghost's included; that the phone received; and that could not be sent.
  package var published = 0
  var heard = 0
  var unsent = 0
  var stale = 0
  var silenceLongest = VirtualTime.Span.zero
  var silenceFrom = VirtualTime.start
  var alarms = 0
  var spoken = 0
  var expired = 0
  var skipped = 0
  var unspoken = 0
  var queued = 0
  var arrived = 0
  var setAside = 0
  var slowest: (kind: String, after: VirtualTime.Span)?
  var history = 0
  /// Whether the phone is an app, so that there is no coach.
  var hasAppAsPhone = false
  /// Whether the watch is an app.
  var hasAppAsWatch = false
  /// Messages that reached an app.
  var messages = 0
  /// Messages that failed or were refused, by error, in the order of the first.
  var failures: [(cause: String, count: Int)] = []
  /// Messages and transfers that were refused or failed, by error, without snapshots.
  var troubles: [(cause: String, count: Int)] = []
  var transfersFailed = 0
  var redelivered = 0
  var contexts = 0
  var restarts = 0
  var acts = 0
  var appFindings = 0
  /// Meals of the run, answered posts of daily totals, and files that the server wrote.
  var meals = 0
  var syncs = 0
  var serverWrites = 0
  /// Sessions that the phone stored, by what they are called, in the order of the first.
  var sessions: [(cause: String, count: Int)] = []
  /// Days of Apple's data that were fetched new, and again with another content; what could not be read; what was deleted.
  var staged = 0
  var changed = 0
  var unreadable = 0
  var purged = 0
  /// The facts that apps recorded, by name, in the order of the first.
  var facts: [(cause: String, count: Int)] = []

  private var heardLast: VirtualTime?
  private var queuedAt: [TransferKey: VirtualTime] = [:]

  private struct TransferKey: Hashable {
    var high: UInt64
    var low: UInt64
  }

  mutating func observe(_ event: TraceEvent) {
    switch event.name {
    case FrameSent.name: sent += 1
    case FrameDelivered.name: delivered += 1
    case FrameDuplicated.name: copies = copies +| Int(clamping: event["copies"]?.integer ?? 0)
    case FrameDropped.name: Self.count(event["cause"]?.text ?? "unknown", in: &dropped)
    case SnapshotPublished.name:
      published += 1
      if heardLast == nil { heardLast = event.time }
      noteSilence(until: event.time)
    case SnapshotFresh.name:
      heard += 1
      noteSilence(until: event.time)
      heardLast = event.time
    case SnapshotStale.name: stale += 1
    case WorkoutStateChanged.name:
      // Between two workouts there is nothing to be heard.
      if event["from"] == .null { heardLast = nil }
    case MessageRefused.name:
      let error = event["error"]?.text ?? "unknown"
      if event["kind"]?.text == "liveMetrics" { unsent += 1 } else { Self.count(error, in: &troubles) }
      Self.count(error, in: &failures)
    case MessageFailed.name:
      Self.count(event["error"]?.text ?? "unknown", in: &failures)
      Self.count(event["error"]?.text ?? "unknown", in: &troubles)
    case MessageReceived.name: messages += 1
    case ContextReceived.name: contexts += 1
    case TransferFailed.name: transfersFailed += 1
    case TransferRedelivered.name: redelivered += 1
    case NodeStarted.name: if event["cause"]?.text != "launch" { restarts += 1 }
    case LivenessLost.name: alarms += 1
    case AudioStarted.name: spoken += 1
    case AudioDropped.name: unspoken += 1
    case ScriptExpired.name: expired += 1
    case ScriptSkipped.name:
      let passed = (event["last"]?.integer ?? 0) -| (event["first"]?.integer ?? 0)
      skipped = skipped +| Int(clamping: max(0, passed) +| 1)
    case RunHistory.name: history += 1
    case TransferQueued.name:
      queued += 1
      if let key = Self.key(event) { queuedAt[key] = event.time }
    case TransferDelivered.name: arrive(event)
    case TransferSetAside.name: setAside += 1
    case TransferRefused.name: Self.count(event["error"]?.text ?? "unknown", in: &troubles)
    case MealLogged.name: if event["eatenAt"]?.integer ?? 0 >= 0 { meals += 1 }
    case DaysSynced.name: syncs += 1
    case FileStored.name: serverWrites += 1
    case TrainingStored.name: Self.count(StoryText.noun(ofSport: event["discipline"]?.text), in: &sessions)
    case IngestionStaged.name:
      if event["row"]?.text == "new" { staged += 1 }
      if event["row"]?.text == "changed" { changed += 1 }
    case IngestionFailed.name: unreadable += 1
    case IngestionPurged.name: purged += 1
    case GhostSnapshotPublished.name: published += 1
    default: if event.name.text.hasPrefix(AppFact.family) { countApp(event) }
    }
  }

  private mutating func countApp(_ event: TraceEvent) {
    switch event.name.text.dropFirst(AppFact.family.utf8.count) {
    case "act": acts += 1
    case "finding": appFindings += 1
    case let name: Self.count(String(name), in: &facts)
    }
  }

  /// How many frames never arrived.
  var droppedCount: Int { dropped.reduce(0) { $0 + $1.count } }

  private static func count(_ cause: String, in list: inout [(cause: String, count: Int)]) {
    if let place = list.firstIndex(where: { $0.cause == cause }) {
      list[place].count += 1
    } else {
      list.append((cause, 1))
    }
  }

  private mutating func noteSilence(until time: VirtualTime) {
    guard let heardLast, time - heardLast > silenceLongest else { return }
    silenceLongest = time - heardLast
    silenceFrom = heardLast
  }

  private mutating func arrive(_ event: TraceEvent) {
    arrived += 1
    guard let key = Self.key(event), let since = queuedAt.removeValue(forKey: key) else { return }
    let after = event.time - since
    if after > (slowest?.after ?? VirtualTime.Span(nanoseconds: -1)) { slowest = (event["kind"]?.text ?? "", after) }
  }

  private static func key(_ event: TraceEvent) -> TransferKey? {
    guard case .uuid(let high, let low)? = event["transfer"] else { return nil }
    return TransferKey(high: high, low: low)
  }
}
