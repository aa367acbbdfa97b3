package import Link

extension Plant {
  /// The plants of the phone's app.
  package static let phone: [Plant] = [
    phantomRun,
    doubleDelivery,
    latePause,
    resurrection,
    burstAfterGap,
    schemaDrift,
    falseAlarm,
    missedAlarm,
    stuckAlarm,
    halfFile,
    delegateRace,
    queueJam,
    clockSkew,
    startLost,
    doubleTracking,
    swapBackfire,
    script502,
    raceNoSignal,
    purgedUnparsed,
    stagedTwice,
    unreadableDone,
    doubleMeasured,
    parseBlocksFetch,
    carriedOver,
    markedEarly,
    remembersWiped,
    utcDays,
    sessionTwice,
    staleScore,
  ]
}
