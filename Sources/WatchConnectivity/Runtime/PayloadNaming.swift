import CSimulation
import Link

/// The app's names for what it sends and receives: the `kind` of lines about messages, contexts and transfers.
struct PayloadNaming {
  /// Where a payload has its name; nil to look where apps usually have it.
  let path: PayloadPath?
  /// The names of messages without an outcome, by number, and of owed transfers.
  private var messages: [UInt64: String] = [:]
  private var transfers: [Identifier: String] = [:]
  /// Errors of the app's own decoder since the last call of ``takeProblems()``, without repetitions.
  private var problems: [String] = []

  /// The limit of a name, in bytes.
  private static let nameBytesMax = 256
  /// The limit of messages without an outcome.
  private static let messagesMax = 10_000

  init(_ path: PayloadPath?) { self.path = path }

  /// The name of a payload; nil if it has none.
  mutating func name(_ payload: [UInt8], isDictionary: Bool) -> String? {
    let name: String?
    if let path {
      name = path.name(in: payload, isDictionary: isDictionary) ?? (isDictionary ? nil : decodedName(payload))
    } else {
      let found = PayloadName(of: payload, isDictionary: isDictionary)
      // A key is the last resort: the app's decoder knows more.
      name = found.undecoded.flatMap { decodedName($0) } ?? found.text
    }
    return name.map { String(decoding: $0.utf8.prefix(Self.nameBytesMax), as: UTF8.self) }
  }

  /// The name that the app's own decoder gives a payload.
  private mutating func decodedName(_ payload: [UInt8]) -> String? {
    let size = 1_024
    var text = [CChar](repeating: 0, count: size)
    let count = wristwire_simulation_name_payload(payload, payload.count, &text, size)
    let end = count == -2 ? text.firstIndex(of: 0) ?? 0 : max(0, min(count, size))
    let found = String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if count == -2, problems.count < 100 { problems.append(found) }
    return count >= 0 ? found : nil
  }

  /// Removes and returns the errors of the app's own decoder.
  mutating func takeProblems() -> [String] {
    defer { problems = [] }
    return problems
  }

  private static func transfer(_ event: TraceEvent) -> Identifier? {
    guard case .uuid(let high, let low)? = event["transfer"] else { return nil }
    return Identifier(high: high, low: low)
  }

  // MARK: Lines

  /// Remembers a message that will have an outcome.
  mutating func remember(_ seq: SequenceNumber, _ name: String) {
    if messages.count >= Self.messagesMax { messages.removeAll() }
    messages[seq.rawValue] = name
  }

  mutating func forget(_ seq: SequenceNumber) { messages[seq.rawValue] = nil }

  /// Remembers a transfer that is owed.
  mutating func remember(_ entry: QueueEntry) {
    if let name = name(of: entry.lane, entry.payload) { transfers[entry.transfer] = name }
  }

  /// The name of a queued payload; of a file by its metadata.
  mutating func name(of lane: Lane, _ payload: [UInt8]) -> String? {
    guard lane == .file else { return name(payload, isDictionary: true) }
    guard let offer = FileOffer(payload), !offer.metadata.isEmpty else { return nil }
    return name(offer.metadata, isDictionary: true)
  }

  /// Adds names to lines that contain only numbers and no payload.
  mutating func complete(_ items: inout [Turn.Item], sent: [UInt8]?, received: [UInt8]?) {
    for index in items.indices {
      guard case .event(let event) = items[index] else { continue }
      if let known = event["kind"]?.text {
        // Its later lines have the number alone.
        if event.name.text == "transfer.queued", let transfer = Self.transfer(event) { transfers[transfer] = known }
        continue
      }
      let name: String?
      switch event.name.text {
      case "message.failed": name = (event["seq"]?.integer).flatMap { messages[UInt64(clamping: $0)] }
      case "transfer.finished", "transfer.failed", "transfer.cancelled":
        name = Self.transfer(event).flatMap { transfers.removeValue(forKey: $0) }
      case "context.set": name = sent.flatMap { self.name($0, isDictionary: true) }
      case "context.received": name = received.flatMap { self.name($0, isDictionary: true) }
      default: name = nil
      }
      guard let name else { continue }
      let fields = event.fields + [.init("kind", .string(name))]
      items[index] = .event(TraceEvent(event.name, at: event.time, on: event.place, fields))
    }
  }
}
