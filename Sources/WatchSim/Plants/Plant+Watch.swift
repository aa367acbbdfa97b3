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

  package static let zombieSession = Plant(
    16, "zombie-session", in: [.watch],
    happened:
      "After a wrist raise the watch app adopted a workout session that had just ended, and published "
      + "zeros.",
    wrong:
      "An app that starts or wakes adopts the last workout even if it has ended.",
    right:
      "Only a workout that has not ended is adopted.",
    caughtBy: ["ended-is-final"])

  package static let fossilContext = Plant(
    17, "fossil-context", in: [.watch],
    happened:
      "The last application context is delivered at every activation; an old one was treated as new.",
    wrong:
      "A command that arrives by context is obeyed however old it is, even if its run has ended.",
    right:
      "A context carries its time, and an outdated one is ignored.",
    caughtBy: ["start-in-time", "ended-is-final"])

  package static let lostEnd = Plant(
    18, "lost-end", in: [.watch],
    happened:
      "The watch app was killed between ending the workout and queueing workoutEnded.",
    wrong:
      "The end is committed before it is announced, and a restart does not check whether it was announced.",
    right:
      "The end and its queued event are one transaction; unannounced events are queued at the next start.",
    caughtBy: ["run-survives-disconnect"])

  package static let orderWithoutRun = Plant(
    19, "order-without-run", in: [.watch],
    happened:
      "An app repeated commands of the past when it came back after a while "
      + "(github.com/Automattic/pocket-casts-ios/issues/1430): they named no session, and reached the "
      + "next one.",
    wrong:
      "An order to end a workout ends whichever is on.",
    right:
      "An order names its workout, and is refused while another one is on.",
    caughtBy: ["order-ends-its-run"],
    sweptIn: "trust-runs")

  package static let recoveryInMemory = Plant(
    20, "recovery-in-memory", in: [.watch],
    happened:
      "The watch deleted the stored workout as soon as it offered to restore it, and kept it in memory "
      + "only: a second crash lost it (github.com/piscoTech/GymTracker/issues/5).",
    wrong:
      "A workout that was restored once is not restored again.",
    right:
      "A workout is stored until it has ended, however often the app is started.",
    caughtBy: ["run-survives-disconnect"])

  package static let backwardStamps = Plant(
    21, "backward-stamps", in: [.watch],
    happened:
      "The newest progress was chosen by time stamps of two devices, and an older one won "
      + "(github.com/LeoKlaus/plappa/issues/321).",
    wrong:
      "A restarted watch stamps its messages with its clock alone, which may have been set back.",
    right:
      "Stamps increase, also over a restart and a change of the clock: the last one is stored.",
    caughtBy: ["sent-at-monotonic", "belief-is-newest"])

  package static let owedInMemory = Plant(
    22, "owed-in-memory", in: [.watch],
    happened:
      "Messages that could not be sent were dropped with the error, or waited in memory only "
      + "(github.com/dmadan86/waves/pull/368).",
    wrong:
      "Events that the session refused are retried from memory, and forgotten by a restart.",
    right:
      "What must still be announced is stored with the workout.",
    caughtBy: ["run-survives-disconnect"])

  package static let poolRoute = Plant(
    24, "pool-route", in: [.watch],
    happened:
      "The map of a swim showed a zigzag over the roof of the pool, and its points were counted as distance.",
    wrong:
      "The watch leaves the receiver on in the pool and on the range, and reports what it measures under the roof.",
    right:
      "Only disciplines outdoors have a route.",
    caughtBy: ["no-route-indoors"], sweptIn: "trust-training")

  package static let missedTurn = Plant(
    23, "missed-turn", in: [.watch],
    happened:
      "A swimmer who glided long after a turn found 14 lengths in the app after swimming 16.",
    wrong:
      "The watch does not notice every eighth turn, and reports neither the length before it nor a longer one.",
    right:
      "The parts of a session add up to the session: every length is reported.",
    caughtBy: ["session-adds-up"], sweptIn: "trust-training")

  package static let timerStamps = Plant(
    71, "timer-stamps", in: [.watch],
    happened:
      "After a pause of five minutes, a ride's last gait ended five minutes before the ride.",
    wrong:
      "The watch reports the times of gaits, reins and shots by its timer, beside heart rates and points by the clock.",
    right:
      "Every part of a session has the time since its start, pauses included.",
    caughtBy: ["session-adds-up"], sweptIn: "field/timer-stamps")

  package static let pauseEnds = Plant(
    78, "pause-ends", in: [.watch],
    happened:
      "A swimmer talked to the coach for a quarter of an hour, pressed to go on, and swam the rest of the session without a watch that counted: the app had ended the workout.",
    wrong:
      "The watch ends a workout that has been paused for ten minutes, as if the athlete had.",
    right:
      "A workout ends when its athlete ends it, or at its planned end.",
    caughtBy: ["truth-runs"], sweptIn: "athlete")
}
