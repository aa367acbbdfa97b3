public import Link

/// A grant for a node whose app acts by itself.
public struct FreeGrant: Sendable {
  /// The instant, never earlier than the one before.
  public var time: VirtualTime
  /// Whether due timers fire after the inputs.
  public var firesTimers: Bool
  /// The inputs, in order.
  public var inputs: [NodeInput]
  /// The armed crash points, if they have changed since the last grant; otherwise nil.
  public var armed: [CrashPoint]?

  public init(time: VirtualTime, firesTimers: Bool, inputs: [NodeInput], armed: [CrashPoint]? = nil) {
    self.time = time
    self.firesTimers = firesTimers
    self.inputs = inputs
    self.armed = armed
  }
}

/// A node with its own timers: gets frequent grants, and answers with what its app has done meanwhile.
extension NodeClient {
  /// How a start begins in a run with a journal: epoch, answers that the conductor has, and the journal's last entry.
  public typealias Beginning = (epoch: Epoch, answered: UInt64, journal: (number: UInt64, answer: [UInt8])?)

  /// Answers grants until the run is over.
  ///
  /// Answers the welcome first, with the deadline `firstDeadline`.
  ///
  /// - Parameters:
  ///   - beginning: In a run with a journal, the new epoch, the number of the last grant whose answer the conductor has,
  ///     and the journal's last entry; otherwise nil.
  ///   - answer: Writes the answer to a grant, up to its `done` or `stopped`.
  /// - Throws: The error, after sending it to the conductor.
  public func runFreely(
    firstDeadline: VirtualTime?, beginning: Beginning? = nil,
    _ answer: (FreeGrant, inout RecordWriter) throws(NodeClientError) -> Void
  ) throws(NodeClientError) -> Ending {
    do throws(NodeClientError) {
      if let beginning {
        let answered = try reportJournal(beginning.journal, answered: beginning.answered)
        connection.writer.began(beginning.epoch, answered: answered)
      }
      connection.writer.done(nextDeadline: firstDeadline)
      return try followFreely(answer)
    } catch {
      throw reporting(error)
    }
  }

  private func followFreely(
    _ answer: (FreeGrant, inout RecordWriter) throws(NodeClientError) -> Void
  ) throws(NodeClientError) -> Ending {
    var armed: [CrashPoint]?
    while true {
      do throws(NodeClientError) { try flush() } catch .closed { return .disconnected }
      guard let grant = try nextGrant(arming: { armed = $0 }) else { return ending }
      guard let inputs = try inputs(of: grant) else { return .disconnected }
      let whole = FreeGrant(time: grant.time, firesTimers: grant.firesTimers, inputs: inputs, armed: armed)
      armed = nil
      try answer(whole, &connection.writer)
    }
  }

  /// Reads the inputs of a grant; nil if the conductor is gone.
  private func inputs(of grant: Grant) throws(NodeClientError) -> [NodeInput]? {
    var inputs: [NodeInput] = []
    while inputs.count < grant.inputs {
      guard let record = try next(.input) else { return nil }
      inputs.append(Self.input(record))
    }
    return inputs
  }
}
