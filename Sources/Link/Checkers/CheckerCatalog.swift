public import Link

/// The invariants of the link.
public struct CheckerCatalog: JudgingPart {
  public var run: CheckerRun<Checkers>

  public init(header: TraceHeader) { run = CheckerRun(Self.checkers(for: header)) }

  public mutating func observe(_ event: EventBody, at place: Occurrence) -> Bool { run.observe(event, at: place) }

  @_specialize(where Kind == FrameSent)
  @_specialize(where Kind == FrameDelivered)
  @_specialize(where Kind == MessageReceived)
  @_specialize(where Kind == SnapshotPublished)
  @_specialize(where Kind == SnapshotFresh)
  public mutating func observe<Kind: FrequentKind>(value event: Kind, at place: Occurrence) -> Bool {
    run.observe(value: event, at: place)
  }

  /// Every checker of this module, in the order of evaluation and of the reference page.
  @CheckerList
  public static func checkers(for header: TraceHeader) -> some CheckerGroup {
    GuaranteedNoLossChecker(header: header)
    GuaranteedNoDuplicateChecker(header: header)
    GuaranteedFIFOChecker(header: header)
    PhantomChecker(header: header)
    FileIntactChecker(header: header)
    MessageOnceChecker(header: header)
    ContextConvergesChecker(header: header)
    FrameFateChecker(header: header)
    PassageChecker(header: header)
    InstantOrderChecker(header: header)
    CausalityChecker(header: header)
    QueuesDrainChecker(header: header)
    SilentRefusalChecker(header: header)
    ReplyInTimeChecker(header: header)
    UndecodableReportedChecker(header: header)
    SessionReactivatedChecker(header: header)
    ReservedEventsChecker(header: header)
    NewestContextChecker(header: header)
    ComplicationBudgetChecker(header: header)
    FilesYieldChecker(header: header)
    FileResumesChecker(header: header)
    FullDiskRefusesChecker(header: header)
    AsleepGetsNothingChecker(header: header)
    OneOutcomeChecker(header: header)
    LinkNoFasterChecker(header: header)
  }
}
