public import Link

/// The invariants of the link.
public enum CheckerCatalog {
  /// Every checker of this module, in the order of evaluation and of the reference page.
  public static let all: [any Checker.Type] = [
    GuaranteedNoLossChecker.self,
    GuaranteedNoDuplicateChecker.self,
    GuaranteedFIFOChecker.self,
    PhantomChecker.self,
    FileIntactChecker.self,
    MessageOnceChecker.self,
    ContextConvergesChecker.self,
    FrameFateChecker.self,
    PassageChecker.self,
    InstantOrderChecker.self,
    CausalityChecker.self,
    QueuesDrainChecker.self,
    SilentRefusalChecker.self,
    ReplyInTimeChecker.self,
    UndecodableReportedChecker.self,
    SessionReactivatedChecker.self,
    ReservedEventsChecker.self,
    NewestContextChecker.self,
    ComplicationBudgetChecker.self,
    FilesYieldChecker.self,
    FileResumesChecker.self,
    FullDiskRefusesChecker.self,
    AsleepGetsNothingChecker.self,
    OneOutcomeChecker.self,
    LinkNoFasterChecker.self,
  ]
}
