public import Link

/// What the apps of a pair do by themselves.
extension Pair {
  /// Sends a message.
  @discardableResult
  public mutating func message(
    _ payload: [UInt8], from role: NodeRole, wantsReply: Bool = false, wantsReceipt: Bool = false
  ) -> (seq: SequenceNumber, error: SessionError?) {
    act(role) { session, turn in
      session.sendMessage(payload, kind: "test", wantsReply: wantsReply, wantsReceipt: wantsReceipt, in: &turn)
    }
  }

  /// Sets the application context.
  public mutating func context(_ payload: [UInt8], from role: NodeRole) throws(SessionError) {
    try attempt(role) { session, turn throws(SessionError) in
      try session.updateApplicationContext(payload, in: &turn)
    }
  }

  /// Queues an event.
  @discardableResult
  public mutating func userInfo(_ payload: [UInt8], from role: NodeRole) throws(SessionError) -> Identifier {
    try attempt(role) { session, turn throws(SessionError) in
      try session.transferUserInfo(payload, details: .init(), in: &turn)
    }
  }

  /// Queues an event as a complication transfer, as long as the day has some left.
  @discardableResult
  public mutating func complication(
    _ payload: [UInt8], from role: NodeRole
  ) throws(SessionError) -> (transfer: Identifier, isComplication: Bool) {
    let clock = clock(role)
    return try attempt(role) { session, turn throws(SessionError) in
      try session.transferComplicationUserInfo(payload, clock: clock, details: .init(), in: &turn)
    }
  }

  /// Queues a file of these bytes.
  ///
  /// - Parameter digest: What is offered instead of the bytes' own digest.
  @discardableResult
  public mutating func file(
    _ bytes: [UInt8], name: String = "note.m4a", metadata: [UInt8] = [], digest: [UInt8]? = nil, from role: NodeRole
  ) throws(SessionError) -> Identifier {
    let index = Int(role.rawValue)
    let offer = FileOffer(
      name: name, byteCount: UInt64(bytes.count), digest: digest ?? Digest.sha256(bytes), metadata: metadata)
    sides[index].files.put(sides[index].session.nextTransfer(in: .file), bytes)
    return try attempt(role) { session, turn throws(SessionError) in
      try session.transferFile(offer, content: nil, in: &turn)
    }
  }

  /// Queues a file that the simulator makes up.
  @discardableResult
  public mutating func file(
    _ content: FileContent, name: String = "note.m4a", from role: NodeRole
  ) throws(SessionError) -> Identifier {
    let offer = FileOffer(name: name, byteCount: content.byteCount, digest: content.digest)
    return try attempt(role) { session, turn throws(SessionError) in
      try session.transferFile(offer, content: content, in: &turn)
    }
  }

  /// Withdraws a transfer.
  @discardableResult
  public mutating func cancel(_ lane: Lane, seq: UInt64, _ transfer: Identifier, from role: NodeRole) -> Bool {
    act(role) { session, turn in
      session.cancel(lane, seq: SequenceNumber(seq), transfer: transfer, in: &turn)
    }
  }

  /// Refuses the rest of a file.
  @discardableResult
  public mutating func cancelIncoming(_ transfer: Identifier, at role: NodeRole) -> Bool {
    act(role) { session, turn in session.cancelIncoming(transfer, in: &turn) }
  }

  private mutating func attempt<T>(
    _ role: NodeRole, _ body: (inout Session, inout Turn) throws(SessionError) -> T
  ) throws(SessionError) -> T {
    let result: Result<T, SessionError> = act(role) { session, turn in
      do throws(SessionError) { return .success(try body(&session, &turn)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
