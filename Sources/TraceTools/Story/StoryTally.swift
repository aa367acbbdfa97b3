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
  /// Messages of apps that were sent and have not arrived, by name, in the order of the first.
  var missing: [(cause: String, count: Int)] = []
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
  private var queuedAt: [Identifier: VirtualTime] = [:]

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .frameSent: sent += 1
    case .frameDelivered: delivered += 1
    case .frameDuplicated(let frame): copies = copies +| Int(clamping: frame.copies)
    case .frameDropped(let frame): Self.count(frame.cause.text, in: &dropped)
    case .snapshot:
      published += 1
      if heardLast == nil { heardLast = event.time }
      noteSilence(until: event.time)
    case .snapshotFresh:
      heard += 1
      noteSilence(until: event.time)
      heardLast = event.time
    case .snapshotStale: stale += 1
    case .workoutState(let change):
      // Between two workouts there is nothing to be heard.
      if change.from == nil { heardLast = nil }
    case .messageRefused(let message):
      if message.kind == "liveMetrics" { unsent += 1 } else { Self.count(message.error, in: &troubles) }
      Self.count(message.error, in: &failures)
    case .messageFailed(let message):
      Self.count(message.error, in: &failures)
      Self.count(message.error, in: &troubles)
    case .messageReceived(let message):
      messages += 1
      if let place = missing.firstIndex(where: { $0.cause == message.kind }), missing[place].count > 0 {
        missing[place].count -= 1
      }
    case .contextReceived: contexts += 1
    case .transferFailed: transfersFailed += 1
    case .transferRedelivered: redelivered += 1
    case .nodeStarted(let start): if start.cause != .launch { restarts += 1 }
    case .livenessDisconnected: alarms += 1
    case .audioStart: spoken += 1
    case .scriptExpired: expired += 1
    case .scriptSkipped(let line): skipped = skipped +| Int(clamping: max(0, line.last -| line.first) +| 1)
    case .transferQueued(let transfer):
      queued += 1
      queuedAt[transfer.identity.transfer] = event.time
    case .transferDelivered(let transfer): arrive(transfer, event.time)
    case .transferSetAside: setAside += 1
    case .mealLogged(let meal): if meal.eatenAt >= 0 { meals += 1 }
    case .daysSynced: syncs += 1
    case .fileStored: serverWrites += 1
    case .trainingStored(let session): Self.count(StoryText.session(ofDiscipline: session.discipline), in: &sessions)
    case .ingestionStaged(let staging):
      if staging.row == "new" { staged += 1 }
      if staging.row == "changed" { changed += 1 }
    case .ingestionFailed: unreadable += 1
    case .ingestionPurged: purged += 1
    case .ghostSnapshot: published += 1
    case .appFinding: appFindings += 1
    case .other(let other):
      switch other.kind {
      case is AudioDropped: unspoken += 1
      case is RunHistory: history += 1
      case let refusal as TransferRefused: Self.count(refusal.error, in: &troubles)
      case is AppActTaken: acts += 1
      case let message as MessageSent: Self.count(message.kind, in: &missing)
      default: break
      }
    case .foreign:
      let name = event.name.text
      if name.hasPrefix(AppFact.family) { Self.count(String(name.dropFirst(AppFact.family.utf8.count)), in: &facts) }
    default: break
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

  private mutating func arrive(_ transfer: TransferDelivered, _ time: VirtualTime) {
    arrived += 1
    guard let since = queuedAt.removeValue(forKey: transfer.identity.transfer) else { return }
    let after = time - since
    if after > (slowest?.after ?? VirtualTime.Span(nanoseconds: -1)) { slowest = (transfer.details.kind ?? "", after) }
  }
}
