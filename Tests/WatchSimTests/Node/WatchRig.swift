import CoachProtocol
import Link
@testable import WatchSim

/// A watch with its store, driven by its deadlines; it can be killed between two inputs or at a crash point.
struct WatchRig {
  static let startedAt: Int64 = 1_776_000_000_000_000_000

  let setup: WatchNode.Setup
  var store = MemoryWatchStore()
  /// Nil while it is dead.
  private(set) var node: WatchNode?
  /// Every line of every start.
  var lines: [TraceEvent] = []
  /// What was queued, durably: the events' payloads read, in order.
  var queued: [AppMessage] = []
  /// Frames, with the length of what a chunk is to be filled with.
  var sent: [(frame: Frame, count: Int?)] = []
  /// What the files' orders were, in order.
  var files: [FileOrder] = []
  /// The points that were passed.
  var points: [CrashPoint] = []
  /// The point at whose next passage it dies.
  var armed: CrashPoint?
  /// What was made durable, commit by commit.
  var commits: [(session: [SessionChange], app: [WatchChange])] = []
  private var turn = Turn(isRecording: true)

  init(_ setup: WatchNode.Setup) {
    self.setup = setup
    start(at: .start)
  }

  init(
    _ source: AnyMotionSource, startsAt: VirtualTime? = .start, preparing: VirtualTime.Span = .seconds(3),
    seed: UInt64 = 7
  ) {
    self.init(
      WatchNode.Setup(
        seed: seed, startedAt: Self.startedAt, source: source, startsAt: startsAt, preparing: preparing))
  }

  // MARK: Life and death

  /// Starts the app with what the store holds.
  mutating func start(at now: VirtualTime, _ conditions: [NodeCondition] = []) {
    let known = store.begin()
    node = WatchNode(setup, record: known.session, app: known.app, startedAt: now)
    for condition in conditions { give(.condition(condition), at: now) }
  }

  mutating func kill() { node = nil }

  /// Hands over one input; nil lets due timers ring.
  mutating func give(_ input: NodeInput?, at now: VirtualTime) {
    guard var alive = node else { return }
    turn.now = now
    alive.receive(input, in: &turn)
    let told = alive.takeChanges()
    node = alive
    carryOut(told)
    turn.items.removeAll(keepingCapacity: true)
    if input == nil, let node {
      precondition(node.record == store.record, "the watch believes it keeps something else than it does")
    }
  }

  private mutating func carryOut(_ told: [WatchChange]) {
    var changes: [SessionChange] = []
    var appChanges: [WatchChange] = []
    for item in turn.items {
      switch item {
      case .change(let change): changes.append(change)
      case .appChange(let number): appChanges.append(told[number])
      case .commit:
        for case .enqueued(let entry) in changes {
          if case .success(let message) = AppMessage.reading(entry.payload) { queued.append(message) }
        }
        store.commit(changes, appChanges)
        commits.append((changes, appChanges))
        changes = []
        appChanges = []
      case .event(let event): lines.append(event)
      case .frame(let frame): sent.append((frame, nil))
      case .chunk(let frame, let count): sent.append((frame, count))
      case .crashPoint(let point):
        points.append(point)
        guard point == armed else { continue }
        armed = nil
        return kill()
      case .file(let order): files.append(order)
      case .frequent, .handled, .page: continue
      }
    }
    precondition(changes.isEmpty && appChanges.isEmpty, "a change without a commit")
  }

  // MARK: Driving

  mutating func order(_ name: String, at now: VirtualTime, arguments: String = "{}") {
    drive(before: now)
    give(.command(NodeCommand(name, arguments: arguments)), at: now)
  }

  /// Fires everything that is due strictly before `time`.
  mutating func drive(before time: VirtualTime) {
    while let due = node?.nextDeadline, due < time { give(nil, at: due) }
  }

  /// Fires everything that is due up to and with `time`.
  mutating func drive(through time: VirtualTime) {
    while let due = node?.nextDeadline, due <= time { give(nil, at: due) }
  }

  // MARK: What was said

  func lines(_ name: TraceEvent.Name) -> [TraceEvent] { lines.filter { $0.name == name } }
  var stamps: [Int64] { lines("snapshot").compactMap { $0["sentAt"]?.integer } }
  var queuedKinds: [String] { queued.map(\.kind.rawValue) }
}
