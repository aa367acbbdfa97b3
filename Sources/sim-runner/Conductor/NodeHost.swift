import Link
import LinkTransport

/// One node as the conductor sees it, wherever it runs.
///
/// Two kinds exist: ``InProcessHost`` calls the machine, ``ProcessHost`` asks a process over a socket.
/// Both answer a grant with the same orders in the same order; that is why both drivers give the same
/// trace.
protocol NodeHost {
  /// The moment by which the node must be called even if nothing happens.
  var nextDeadline: VirtualTime? { get }
  /// Whether the node's workout has ended; always false for a node that has none.
  var isWorkoutOver: Bool { get }

  /// Hands inputs to the node, fires its timers, and collects its orders.
  ///
  /// - Parameters:
  ///   - inputs: In their order; after the orders of each one stands `.handled`.
  ///   - fire: Whether the timers due at `now` fire after the inputs.
  ///   - output: Where the orders are appended; commits are carried out already.
  /// - Throws: When the node died, hung or broke the protocol.
  mutating func grant(
    _ inputs: [NodeInput], fire: Bool, at now: VirtualTime, into output: inout NodeOutput
  ) throws(NodeFailure)
}

/// A node as a value in this process, with its store.
struct InProcessHost<Node: HostedNode, Store: NodeStore>: NodeHost where Store.Change == Node.Change {
  private(set) var node: Node
  private var store: Store
  private var changes: [SessionChange] = []
  private var appChanges: [Node.Change] = []

  /// Takes over a node whose session began from what this store gave.
  init(_ node: Node, store: Store) {
    self.node = node
    self.store = store
    nextDeadline = node.nextDeadline
    isWorkoutOver = node.isWorkoutOver
  }

  // Kept, not asked for: the conductor looks at them several times an instant.
  private(set) var nextDeadline: VirtualTime?
  private(set) var isWorkoutOver: Bool

  mutating func grant(
    _ inputs: [NodeInput], fire: Bool, at now: VirtualTime, into output: inout NodeOutput
  ) throws(NodeFailure) {
    let first = output.items.count
    for input in inputs {
      node.receive(input, at: now, into: &output)
      output.items.append(.handled)
    }
    if fire { node.receive(nil, at: now, into: &output) }
    nextDeadline = node.nextDeadline
    isWorkoutOver = node.isWorkoutOver
    let told = node.takeChanges()
    for index in first..<output.items.count {
      switch output.items[index] {
      case .change(let change): changes.append(change)
      case .appChange(let number): appChanges.append(told[number])
      case .commit:
        do throws(StoreError) { try store.commit(changes, appChanges) } catch {
          throw NodeFailure(nil, .gaveUp("its store failed: \(error)"))
        }
        changes.removeAll(keepingCapacity: true)
        appChanges.removeAll(keepingCapacity: true)
      case .frame, .event, .crashPoint, .handled, .page, .file, .chunk: continue
      }
    }
  }
}
