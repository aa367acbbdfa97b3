package import Link

extension Plant {
  /// Those of the phone's app.
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
    swapBackfire,
    script502,
    raceNoSignal,
    startLost,
    doubleTracking,
  ]
}
