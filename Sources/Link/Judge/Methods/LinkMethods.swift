/// What a checker does with events of the link, the runner and the session: a method for each kind, which does nothing by default.
public protocol LinkMethods {
  /// One of the five lines about the state of a node; called after the method of the line's own kind.
  mutating func nodeChanged(_ change: NodeChange, at place: Occurrence, into report: inout Report)
  mutating func frameSent(_ event: FrameSent, at place: Occurrence, into report: inout Report)
  mutating func frameDuplicated(_ event: FrameDuplicated, at place: Occurrence, into report: inout Report)
  mutating func frameDelivered(_ event: FrameDelivered, at place: Occurrence, into report: inout Report)
  mutating func frameDropped(_ event: FrameDropped, at place: Occurrence, into report: inout Report)
  mutating func linkDown(_ event: LinkWentDown, at place: Occurrence, into report: inout Report)
  mutating func linkUp(_ event: LinkCameUp, at place: Occurrence, into report: inout Report)
  mutating func reachability(_ event: ReachabilityChanged, at place: Occurrence, into report: inout Report)
  mutating func sessionDeactivated(_ event: SessionDeactivated, at place: Occurrence, into report: inout Report)
  mutating func sessionActivated(_ event: SessionReactivated, at place: Occurrence, into report: inout Report)
  mutating func faultBegin(_ event: FaultBegan, at place: Occurrence, into report: inout Report)
  mutating func faultEnd(_ event: FaultEnded, at place: Occurrence, into report: inout Report)
  mutating func nodeStarted(_ event: NodeStarted, at place: Occurrence, into report: inout Report)
  mutating func nodeKilled(_ event: NodeKilled, at place: Occurrence, into report: inout Report)
  mutating func nodeSuspended(_ event: NodeSuspended, at place: Occurrence, into report: inout Report)
  mutating func nodeResumed(_ event: NodeResumed, at place: Occurrence, into report: inout Report)
  mutating func nodeFailed(_ event: NodeFailed, at place: Occurrence, into report: inout Report)
  mutating func healed(_ event: FaultsHealed, at place: Occurrence, into report: inout Report)
  mutating func end(_ event: TraceEnd, at place: Occurrence, into report: inout Report)
  mutating func transferQueued(_ event: TransferQueued, at place: Occurrence, into report: inout Report)
  mutating func transferDelivered(_ event: TransferDelivered, at place: Occurrence, into report: inout Report)
  mutating func transferFinished(_ event: TransferFinished, at place: Occurrence, into report: inout Report)
  mutating func transferFailed(_ event: TransferFailed, at place: Occurrence, into report: inout Report)
  mutating func transferCancelled(_ event: TransferCancelled, at place: Occurrence, into report: inout Report)
  mutating func transferProgress(_ event: TransferProgressed, at place: Occurrence, into report: inout Report)
  mutating func transferRedelivered(_ event: TransferRedelivered, at place: Occurrence, into report: inout Report)
  mutating func transferSetAside(_ event: TransferSetAside, at place: Occurrence, into report: inout Report)
  mutating func messageReceived(_ event: MessageReceived, at place: Occurrence, into report: inout Report)
  mutating func messageRefused(_ event: MessageRefused, at place: Occurrence, into report: inout Report)
  mutating func messageFailed(_ event: MessageFailed, at place: Occurrence, into report: inout Report)
  mutating func payloadForeign(_ event: PayloadForeign, at place: Occurrence, into report: inout Report)
  mutating func payloadUndecodable(_ event: PayloadUndecodable, at place: Occurrence, into report: inout Report)
  mutating func contextSet(_ event: ContextSet, at place: Occurrence, into report: inout Report)
  mutating func contextReceived(_ event: ContextReceived, at place: Occurrence, into report: inout Report)
  mutating func messageDuplicate(_ event: MessageDuplicate, at place: Occurrence, into report: inout Report)
}

extension LinkMethods {
  @inlinable public func nodeChanged(_: NodeChange, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func frameSent(_: FrameSent, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func frameDuplicated(_: FrameDuplicated, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func frameDelivered(_: FrameDelivered, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func frameDropped(_: FrameDropped, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func linkDown(_: LinkWentDown, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func linkUp(_: LinkCameUp, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func reachability(_: ReachabilityChanged, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func sessionDeactivated(_: SessionDeactivated, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func sessionActivated(_: SessionReactivated, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func faultBegin(_: FaultBegan, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func faultEnd(_: FaultEnded, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func nodeStarted(_: NodeStarted, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func nodeKilled(_: NodeKilled, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func nodeSuspended(_: NodeSuspended, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func nodeResumed(_: NodeResumed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func nodeFailed(_: NodeFailed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func healed(_: FaultsHealed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func end(_: TraceEnd, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func transferQueued(_: TransferQueued, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func transferDelivered(_: TransferDelivered, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func transferFinished(_: TransferFinished, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func transferFailed(_: TransferFailed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func transferCancelled(_: TransferCancelled, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func transferProgress(_: TransferProgressed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func transferRedelivered(_: TransferRedelivered, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func transferSetAside(_: TransferSetAside, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func messageReceived(_: MessageReceived, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func messageRefused(_: MessageRefused, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func messageFailed(_: MessageFailed, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func payloadForeign(_: PayloadForeign, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func payloadUndecodable(_: PayloadUndecodable, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func contextSet(_: ContextSet, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func contextReceived(_: ContextReceived, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
  @inlinable public func messageDuplicate(_: MessageDuplicate, at place: Occurrence, into report: inout Report) {
    report.skip()
  }
}
