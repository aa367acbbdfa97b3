/// What a `transfer.*` line says, as the checkers of the queued channels need it.
struct TransferLine {
  let transfer: Identifier
  let lane: TransferLane
  /// 0 where the line does not say.
  let seq: UInt64
  let digest: TraceValue?

  /// Reads a line; nil where it names no transfer.
  ///
  /// - Parameter isReceiver: Whether the line is the receiver's, so that the lane is its peer's.
  @inline(__always)
  init?(_ event: TraceEvent, isReceiver: Bool) {
    var fields = FieldCursor(event)
    guard let transfer = fields.identifier("transfer") else { return nil }
    self.transfer = transfer
    let channel = fields.text("channel")
    let isComplication = event["complication"]?.boolean ?? false
    seq = UInt64(truncatingIfNeeded: max(0, fields.integer("seq") ?? 0))
    digest = event["digest"]
    let sender: TraceEvent.Place =
      switch (isReceiver, event.place) {
      case (true, .watch): .phone
      case (true, .phone): .watch
      default: event.place
      }
    lane = TransferLane(sender: sender, isFile: channel == "file", isComplication: isComplication)
  }
}

/// What has an order and a count of its own: a sender's events, its complication events, its files.
struct TransferLane: Hashable {
  let sender: TraceEvent.Place
  let isFile: Bool
  let isComplication: Bool

  /// A number from 0 that stands for this lane.
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

/// Which sequence numbers of a lane are settled: all up to a mark, and those few above it.
///
/// In a lane that is settled in order this is one number.
struct SettledNumbers: Sendable {
  private var mark: UInt64 = 0
  private var above: Set<UInt64> = []

  /// Whether a number is there.
  func contains(_ number: UInt64) -> Bool { number <= mark || above.contains(number) }

  /// Adds a number; false where it was there.
  mutating func insert(_ number: UInt64) -> Bool {
    guard number > mark, above.insert(number).inserted else { return false }
    while above.remove(mark + 1) != nil { mark += 1 }
    return true
  }
}

/// The transfers that an `end` line lists as still owed.
func outstandingTransfers(_ end: TraceEvent) -> Set<Identifier> {
  guard case .json(let text) = end["outstanding"] else { return [] }
  // The list holds identifiers, or objects that name one: every UUID among its strings is meant.
  var found: Set<Identifier> = []
  for word in text.utf8.split(separator: UInt8(ascii: "\"")) {
    if word.count == 36, let transfer = Identifier(text: Substring(word)) { found.insert(transfer) }
  }
  return found
}
