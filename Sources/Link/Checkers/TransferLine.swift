import Link

/// The fields of a `transfer.*` line that the checkers of the queued channels need.
struct TransferLine {
  let transfer: Identifier
  let lane: TransferLane
  /// 0 if the line lacks it.
  let seq: UInt64
  /// Whether the receiver wrote the line, so that the lane is its peer's.
  let isReceivers: Bool

  /// Reads the identity of a line.
  init(_ identity: TransferIdentity, at place: TraceEvent.Place, isReceivers: Bool) {
    transfer = identity.transfer
    seq = UInt64(truncatingIfNeeded: max(0, identity.seq ?? 0))
    self.isReceivers = isReceivers
    let sender: TraceEvent.Place =
      switch (isReceivers, place) {
      case (true, .watch): .phone
      case (true, .phone): .watch
      default: place
      }
    lane = TransferLane(
      sender: sender, isFile: identity.channel == .file, isComplication: identity.complication ?? false)
  }
}

/// A queue with a separate order and count: a sender's events, its complication events, or its files.
struct TransferLane: Hashable {
  let sender: TraceEvent.Place
  let isFile: Bool
  let isComplication: Bool

  /// The number of this lane, from 0.
  var index: Int { Int(sender.rawValue) * 3 + (isFile ? 2 : isComplication ? 1 : 0) }
  /// How many lanes there are.
  static let count = TraceEvent.Place.allCases.count * 3

  /// What the lane carries, in words.
  var text: String {
    let kind = isFile ? "files" : isComplication ? "complication transfers" : "transfers"
    return "the \(sender.text)'s \(kind)"
  }

  /// The node that receives what the lane carries.
  var receiver: TraceEvent.Place { sender == .watch ? .phone : .watch }
}

/// The settled sequence numbers of a lane: all up to a mark, and a few above it.
///
/// If transfers are settled in order, the mark is all it stores.
struct SettledNumbers: Sendable {
  private(set) var mark: UInt64 = 0
  private var above: Set<UInt64> = []

  /// Whether a number is settled.
  func contains(_ number: UInt64) -> Bool { number <= mark || above.contains(number) }

  /// Adds a number; false if it was already settled.
  mutating func insert(_ number: UInt64) -> Bool {
    guard number > mark, above.insert(number).inserted else { return false }
    while above.remove(mark + 1) != nil { mark += 1 }
    return true
  }
}

/// The transfers that an `end` line lists as still owed.
func outstandingTransfers(_ end: TraceEnd) -> Set<Identifier> {
  guard let text = end.outstanding?.text else { return [] }
  // The list holds identifiers, or objects that name one: every UUID among its strings is meant.
  var found: Set<Identifier> = []
  for word in text.utf8.split(separator: UInt8(ascii: "\"")) {
    if word.count == 36, let transfer = Identifier(text: Substring(word)) { found.insert(transfer) }
  }
  return found
}
