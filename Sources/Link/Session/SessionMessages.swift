/// The messages of an epoch: the next number, those without an outcome, and the numbers of those received.
@usableFromInline struct SessionMessages: Sendable, Equatable {
  /// The number of the next message.
  @usableFromInline var nextSeq = SequenceNumber(1)
  /// Messages with a pending reply or receipt, in the order of their deadlines.
  @usableFromInline var pending: [Session.PendingMessage] = []
  /// Recognizes copies of received messages.
  var filter = DuplicateFilter()
  /// The payload of the last received message, with its digest if known; only if lines are recorded.
  var lastReceived = DigestedPayload([])
}
