package import Link

extension Plant {
  /// The plants of the watch's app.
  package static let watch: [Plant] = [
    zombieSession,
    fossilContext,
    lostEnd,
    orderWithoutRun,
    recoveryInMemory,
    backwardStamps,
    owedInMemory,
    poolRoute,
    missedTurn,
    timerStamps,
    pauseEnds,
  ]
}
