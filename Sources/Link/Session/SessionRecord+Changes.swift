/// How a session's own view of its record follows the changes it orders.
extension SessionRecord {
  /// Applies one change.
  mutating func apply(_ change: SessionChange) {
    switch change {
    case .enqueued(let entry):
      self[entry.lane].outbox.append(entry)
      self[entry.lane].outboxCount += 1
      self[entry.lane].nextSeq = SequenceNumber(entry.seq.rawValue + 1)
    case .voided(let lane, let seq):
      guard let place = self[lane].outbox.firstIndex(where: { $0.seq == seq }) else { return }
      self[lane].outbox[place].flags.insert(.void)
      self[lane].outbox[place].payload = []
    case .acknowledged(let lane, let seq):
      self[lane].outbox.removeAll { $0.seq == seq }
      self[lane].outboxCount -= 1
    case .received(let entry):
      self[entry.lane].inbox.append(entry)
      self[entry.lane].inbox.sort { $0.seq < $1.seq }
    case .handled(let lane, let seq):
      self[lane].inbox.removeAll { $0.seq <= seq }
      self[lane].nextToHandle = SequenceNumber(seq.rawValue + 1)
    case .contextSet(let seq, let payload):
      contextSent = ContextSlot(seq: seq, payload: payload)
      contextIsAcknowledged = false
    case .contextAcknowledged(let seq):
      if contextSent?.seq == seq { contextIsAcknowledged = true }
    case .contextReceived(let seq, let payload):
      contextReceived = ContextSlot(seq: seq, payload: payload)
    case .budget(let budget): self.budget = budget
    case .partial(let partial): self.partial = partial
    }
  }
}
