package import Link

/// `one-outcome`: every transfer and every message ends in one way, once.
package struct OneOutcomeChecker: Checker {
  package static let invariant = "one-outcome"
  package static let about =
    "A transfer finishes, fails or is cancelled once, and nothing else follows for its sender; a message that failed does not fail again."

  /// The number of remembered transfers and messages.
  private static let rememberedMax = 4_096

  private let nodes: BuiltInNodes
  private var ended: [Identifier: Int] = [:]
  /// The same in order, to forget the oldest.
  private var order: [Identifier] = []
  /// The last failed messages by side, of its current epoch.
  private var failed: [Set<Int64>] = [[], []]
  private var epochs: [Int64] = [0, 0]

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func transferFinished(_ it: TransferFinished, at event: Occurrence, into report: inout Report) {
    end(it.identity.transfer, event, &report)
  }

  package mutating func transferFailed(_ it: TransferFailed, at event: Occurrence, into report: inout Report) {
    end(it.identity.transfer, event, &report)
  }

  package mutating func transferCancelled(_ it: TransferCancelled, at event: Occurrence, into report: inout Report) {
    end(it.identity.transfer, event, &report)
  }

  package mutating func messageFailed(_ message: MessageFailed, at event: Occurrence, into report: inout Report) {
    guard let side = event.place.deviceIndex, nodes.contains(event.place) else { return }
    if epochs[side] != message.epoch {
      epochs[side] = message.epoch
      failed[side] = []
    }
    if failed[side].count == Self.rememberedMax { failed[side] = [] }
    guard !failed[side].insert(message.seq).inserted else { return }
    report.add("the \(event.place.text)'s message \(message.seq) failed twice", at: event.time, lines: [event.line])
  }

  private mutating func end(
    _ transfer: Identifier, _ event: Occurrence, _ report: inout Report
  ) {
    guard nodes.contains(event.place) else { return }
    if let before = ended[transfer] {
      report.add(
        "transfer \(transfer.text) has ended before", at: event.time, lines: [before, event.line])
      return
    }
    if order.count == Self.rememberedMax { ended[order.removeFirst()] = nil }
    order.append(transfer)
    ended[transfer] = event.line
  }
}
