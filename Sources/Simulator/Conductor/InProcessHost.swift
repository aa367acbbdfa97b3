import Link
import LinkTransport
import PhoneSim
import WatchSim

/// A node as a value in this process, with its store and its files.
struct InProcessHost<Node: HostedNode, Store: NodeStore, Files: FileBox>: NodeHost where Store.Change == Node.Change {
  /// Creates the machine for a start, from the store's content and the start's instant.
  typealias Build = (SessionRecord, Store.Record, VirtualTime) -> Node

  private var keeper: NodeKeeper<Node, Store, Files>
  private let build: Build
  /// The node's role and its state folder; nil without one.
  private var kept: (role: NodeRole, state: KeptState)?

  /// Starts the node.
  ///
  /// - Parameter kept: The state folder of store and files, if any.
  init(
    store: Store, files: Files, kept: (role: NodeRole, state: KeptState)? = nil, build: @escaping Build
  ) throws(NodeFailure) {
    do throws(StoreError) {
      keeper = try NodeKeeper(store: store, files: files) { build($0, $1, .start) }
    } catch {
      throw Self.failure(error)
    }
    self.build = build
    self.kept = kept
    self.kept?.state.rememberStore()
    nextDeadline = keeper.readGlance().nextDeadline
  }

  // Cached: the conductor reads them several times an instant.
  private(set) var nextDeadline: VirtualTime?
  private(set) var isWorkoutOver = false

  var isInProcess: Bool { true }

  // The conductor calls it through an existential, which would run the unspecialized code: up to a third more instructions
  // for a judged run.
  @_specialize(where Node == WatchNode, Store == MemoryWatchStore, Files == MemoryFiles)
  @_specialize(where Node == PhoneNode, Store == MemoryPhoneStore, Files == MemoryFiles)
  mutating func grant(_ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn) throws(NodeFailure) -> GrantEnding {
    let first = turn.items.count
    let point: CrashPoint?
    do throws(StoreError) { point = try callMachine(&inputs, fire: fire, in: &turn) } catch {
      throw Self.failure(error)
    }
    if let point, point.losesGrant {
      turn.items.removeSubrange(first...)
      return .stopped(at: point)
    }
    let glance = keeper.readGlance()
    nextDeadline = glance.nextDeadline
    if !isWorkoutOver, glance.isWorkoutOver { isWorkoutOver = hasEnded(turn, from: first) }
    return point.map { .stopped(at: $0) } ?? .complete
  }

  /// Runs one call of the machine; returns the armed crash point at which it stopped, nil if there is none.
  private mutating func callMachine(
    _ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn
  ) throws(StoreError) -> CrashPoint? {
    keeper.beginGrant()
    for index in inputs.indices {
      let input = inputs.moveOut(index, leaving: .link(isUp: false))
      if let point = try keeper.receive(consume input, in: &turn) { return point }
      turn.items.append(.handled)
    }
    if fire, let point = try keeper.receive(nil, in: &turn) { return point }
    return try keeper.endGrant()
  }

  /// Whether the node reported its workout's end, which is recognized from its events as for another process.
  private func hasEnded(_ turn: Turn, from first: Int) -> Bool {
    guard turn.isRecording else { return true }
    for index in first..<turn.items.count {
      switch turn.items[index] {
      case .frequent(.snapshot(let event), _) where event.metrics.state == .ended: return true
      case .event(let event) where event.endsWorkout: return true
      default: break
      }
    }
    return false
  }

  mutating func arm(_ points: [CrashPoint]) { keeper.armed = points }

  mutating func kill() { nextDeadline = nil }

  mutating func losePower(draw: UInt64) throws(NodeFailure) -> PowerLoss {
    do throws(StoreError) { return try keeper.losePower(draw: draw) } catch { throw Self.failure(error) }
  }

  mutating func start(at now: VirtualTime) throws(NodeFailure) -> Epoch {
    if let loss = stateLoss() { throw loss }
    let build = build
    do throws(StoreError) { try keeper.restart { build($0, $1, now) } } catch { throw Self.failure(error) }
    nextDeadline = keeper.readGlance().nextDeadline
    return keeper.epoch
  }

  func stateLoss() -> NodeFailure? {
    guard let kept, let loss = kept.state.loss else { return nil }
    return NodeFailure(kept.role, .stateLost(loss))
  }

  private static func failure(_ error: StoreError) -> NodeFailure {
    NodeFailure(nil, .gaveUp("its store failed: \(error)"))
  }
}

extension TraceEvent {
  /// Whether this event reports the end of the watch's workout.
  var endsWorkout: Bool { if case .snapshot(let event) = body { event.metrics.state == .ended } else { false } }
}
