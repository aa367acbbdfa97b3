public import Link

/// What the apps of a pair do by themselves.
extension Pair {
  /// Sends a message.
  @discardableResult
  public mutating func message(
    _ payload: [UInt8], from role: NodeRole, wantsReply: Bool = false, wantsReceipt: Bool = false
  ) -> (seq: SequenceNumber, error: SessionError?) {
    let now = now
    return act(role) { session, output, _ in
      session.sendMessage(
        payload, kind: "test", wantsReply: wantsReply, wantsReceipt: wantsReceipt, at: now, into: &output)
    }
  }

  /// Sets the application context.
  public mutating func context(_ payload: [UInt8], from role: NodeRole) throws(SessionError) {
    let now = now
    try attempt(role) { session, output throws(SessionError) in
      try session.updateApplicationContext(payload, at: now, into: &output)
    }
  }

  /// Queues an event.
  @discardableResult
  public mutating func userInfo(_ payload: [UInt8], from role: NodeRole) throws(SessionError) -> Identifier {
    let now = now
    return try attempt(role) { session, output throws(SessionError) in
      try session.transferUserInfo(payload, details: .init(), at: now, into: &output)
    }
  }

  /// Queues an event as a complication transfer, as long as the day has some left.
  @discardableResult
  public mutating func complication(
    _ payload: [UInt8], from role: NodeRole
  ) throws(SessionError) -> (transfer: Identifier, isComplication: Bool) {
    let now = now
    let clock = clock(role)
    return try attempt(role) { session, output throws(SessionError) in
      try session.transferComplicationUserInfo(payload, clock: clock, details: .init(), at: now, into: &output)
    }
  }

  /// Queues a file of these bytes.
  ///
  /// - Parameter digest: What is offered instead of the bytes' own digest.
  @discardableResult
  public mutating func file(
    _ bytes: [UInt8], name: String = "note.m4a", metadata: [UInt8] = [], digest: [UInt8]? = nil, from role: NodeRole
  ) throws(SessionError) -> Identifier {
    let now = now
    let index = Int(role.rawValue)
    let offer = FileOffer(
      name: name, byteCount: UInt64(bytes.count), digest: digest ?? Digest.sha256(bytes), metadata: metadata)
    sides[index].files.put(sides[index].session.nextTransfer(in: .file), bytes)
    return try attempt(role) { session, output throws(SessionError) in
      try session.transferFile(offer, content: nil, at: now, into: &output)
    }
  }

  /// Queues a file that the simulator makes up.
  @discardableResult
  public mutating func file(
    _ content: FileContent, name: String = "note.m4a", from role: NodeRole
  ) throws(SessionError) -> Identifier {
    let now = now
    let offer = FileOffer(name: name, byteCount: content.byteCount, digest: content.digest)
    return try attempt(role) { session, output throws(SessionError) in
      try session.transferFile(offer, content: content, at: now, into: &output)
    }
  }

  /// Withdraws a transfer.
  @discardableResult
  public mutating func cancel(_ lane: Lane, seq: UInt64, _ transfer: Identifier, from role: NodeRole) -> Bool {
    let now = now
    return act(role) { session, output, _ in
      session.cancel(lane, seq: SequenceNumber(seq), transfer: transfer, at: now, into: &output)
    }
  }

  /// Refuses the rest of a file.
  @discardableResult
  public mutating func cancelIncoming(_ transfer: Identifier, at role: NodeRole) -> Bool {
    let now = now
    return act(role) { session, output, _ in session.cancelIncoming(transfer, at: now, into: &output) }
  }

  private mutating func attempt<T>(
    _ role: NodeRole, _ body: (inout Session, inout NodeOutput) throws(SessionError) -> T
  ) throws(SessionError) -> T {
    let result: Result<T, SessionError> = act(role) { session, output, _ in
      do throws(SessionError) { return .success(try body(&session, &output)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
