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
    chatOnce,
    watchdogKill,
    noteAcknowledgedEarly,
    peerRestartEnds,
    swallowedRun,
    silentRestart,
    forgottenCancel,
    sessionTwice,
    staleScore,
    arrivalWins,
    twinRows,
    scoreLeftBehind,
    unaskedEnd,
    rowlessRun,
    nightCut,
    lastPartLost,
    secondAthlete,
    swimsAsRuns,
    allDayMeetings,
    openTasksDone,
    devicesAdded,
    awakeAsleep,
    offsetOfToday,
    deniedHistory,
    dayReadOnce,
    oldMealsLeft,
    mealWhenEntered,
    scoreClock,
    partialScores,
    workoutsTwice,
    weightCarried,
    hrvYesterday,
    listedWithPauses,
    oneRunADay,
    worstShotLeftOut,
    unscoredAsZero,
    lateWorkoutsLeft,
  ]

  package static let phantomRun = Plant(
    32, "phantom-run", in: [.phone],
    happened:
      "A ghost watch session announced a run again during or after another one; the phone opened "
      + "a second, empty run.",
    wrong:
      "An update of any workout opens a run, even while another is on.",
    right:
      "An old or foreign start is refused and recorded, and no workout opens a run while one is on, unless it began "
      + "later and its timer counts.",
    caughtBy: ["belief-is-newest"])

  package static let doubleDelivery = Plant(
    33, "double-delivery", in: [.phone],
    happened:
      "The same event was sent by message and by the queue; the second copy reset the script in mid-run.",
    wrong:
      "Each workoutStarted restarts the script.",
    right:
      "Handling an event twice equals handling it once.",
    caughtBy: ["no-missed-dispatch", "play-once", "dispatch-window"])

  package static let latePause = Plant(
    34, "late-pause", in: [.phone],
    happened:
      "workoutPaused was stuck in the queue in an outage, arrived after the resume, and silenced the coach.",
    wrong:
      "An event is believed whenever it arrives.",
    right:
      "An old event only becomes history.",
    caughtBy: ["belief-is-newest"])

  package static let resurrection = Plant(
    35, "resurrection", in: [.phone],
    happened:
      "A metrics packet in flight arrived after the end and revived the run.",
    wrong:
      "A fresh snapshot is believed even after the run has ended.",
    right:
      "Ended is final.",
    caughtBy: ["ended-is-final"])

  package static let burstAfterGap = Plant(
    36, "burst-after-gap", in: [.phone],
    happened:
      "After a gap of a minute three kilometre lines were spoken back to back.",
    wrong:
      "Every multiple that was passed is spoken, however far back, without a pause between lines.",
    right:
      "At least 30 s between two lines, none too far past its point, and only the latest multiple.",
    caughtBy: ["dispatch-window", "no-missed-dispatch", "dispatch-justified"])

  package static let falseAlarm = Plant(
    38, "false-alarm", in: [.phone],
    happened:
      "\"Watch disconnected\" showed in a pause, or because the time before the run was counted.",
    wrong:
      "Silence counts in any run that has not ended, from the last snapshot of the watch.",
    right:
      "Silence counts only while the run is believed running, from its start or resumption at the earliest.",
    caughtBy: ["liveness-deadline"])

  package static let missedAlarm = Plant(
    39, "missed-alarm", in: [.phone],
    happened:
      "A trickle of duplicated or reordered old packets kept the indicator from being raised.",
    wrong:
      "Any packet of the watch is a sign of life.",
    right:
      "Only fresh snapshots are.",
    caughtBy: ["liveness-deadline"])

  package static let stuckAlarm = Plant(
    40, "stuck-alarm", in: [.phone],
    happened:
      "The indicator stayed up after the reconnect, because the first packet back was a duplicate.",
    wrong:
      "Only the first packet after the alarm can clear the indicator.",
    right:
      "The first fresh snapshot clears the indicator.",
    caughtBy: ["liveness-clears"])

  package static let delegateRace = Plant(
    42, "delegate-race", in: [.phone],
    happened:
      "A received file was deleted by the system when the delegate returned, before it had been moved.",
    wrong:
      "The file is moved on a thread that is busy while the coach speaks; the session deletes the file "
      + "first.",
    right:
      "The session owns the file until the handler has committed its move.",
    caughtBy: ["voice-note-whole"])

  package static let clockSkew = Plant(
    44, "clock-skew", in: [.phone],
    happened:
      "The watch's clock was 90 s behind; freshness by wall time rejected every snapshot.",
    wrong:
      "A snapshot sent more than a minute before the phone's clock is treated as stale.",
    right:
      "Watch times are compared with watch times only; freshness depends on epoch and number.",
    caughtBy: ["freshness"])

  package static let startLost = Plant(
    45, "start-lost", in: [.phone],
    happened:
      "A start was sent by message only to a sleeping watch; nothing happened, and nothing was reported.",
    wrong:
      "A start is sent once, by message only, and no answer is awaited.",
    right:
      "The watch answers every start; without an answer the phone repeats it after 10 s, and reports failure after 10 more.",
    caughtBy: ["start-in-time"])

  package static let doubleTracking = Plant(
    46, "double-tracking", in: [.phone],
    happened:
      "The phone gave up waiting and tracked the run itself; the late watch start then ran as well.",
    wrong:
      "A failed start is not cancelled, and the watch's updates of it feed the run that the phone tracks.",
    right:
      "A failed start is cancelled, its late updates are refused, and a watch that started it is ordered to end it.",
    caughtBy: ["one-tracker"])

  package static let swapBackfire = Plant(
    56, "swap-backfire", in: [.phone],
    happened:
      "The full script replaced the stub in mid-run, and every line already passed fired at once.",
    wrong:
      "A script that replaces another in mid-run restarts from its beginning: all passed lines are "
      + "spoken, one after the other.",
    right:
      "Spoken lines stay spoken; passed positions expire or count as spoken, and are never "
      + "spoken late.",
    caughtBy: ["dispatch-window", "dispatch-justified", "play-once", "no-missed-dispatch"], sweptIn: "trust-coach")

  package static let raceNoSignal = Plant(
    58, "race-no-signal", in: [.phone],
    happened:
      "There was no network at all on race day; the coach stayed silent.",
    wrong:
      "A race requests its script from the edge, and is silent until it arrives.",
    right:
      "A race uses only what is on the phone, and requests nothing from the edge.",
    caughtBy: ["no-network-in-race-mode"], sweptIn: "trust-race")

  package static let carriedOver = Plant(
    59, "carried-over", in: [.phone],
    happened:
      "In the second run of the morning the coach said nothing: it had said it all in the first.",
    wrong:
      "A new run continues with the script position of the run before it.",
    right:
      "Each run starts with an empty position and without earlier snapshots.",
    caughtBy: ["no-missed-dispatch"], sweptIn: "runs-nemesis")

  package static let peerRestartEnds = Plant(
    47, "peer-restart-ends", in: [.phone],
    happened:
      "A watch app that crashed in a workout was started again without it, so the phone took a new "
      + "start for the end of the run (github.com/darrylcauldwell/TetraTrack/issues/143).",
    wrong:
      "A restart of the watch's app ends the run that is on.",
    right:
      "Only an update of the run itself changes what is believed of it: the restarted watch continues "
      + "its workout.",
    caughtBy: ["belief-is-newest"])

  package static let swallowedRun = Plant(
    48, "swallowed-run", in: [.phone],
    happened:
      "Workouts reached the phone up to an hour late (github.com/ryanbr/noop/issues/2265), and the "
      + "summary of the last run was taken for that of the next one.",
    wrong:
      "A late `workoutEnded` of an earlier run ends the run that is on.",
    right:
      "A summary belongs to the run that it names.",
    caughtBy: ["belief-is-newest"],
    sweptIn: "trust-runs")

  package static let silentRestart = Plant(
    49, "silent-restart", in: [.phone],
    happened:
      "After a restart of either app the phone showed the last heart rate, and did not notice that "
      + "nothing came any more (github.com/cagnulein/qdomyos-zwift/issues/3683).",
    wrong:
      "A restarted phone watches for silence only after the next update of the run.",
    right:
      "A phone that starts with a run on counts the silence from its start.",
    caughtBy: ["liveness-deadline"])

  package static let forgottenCancel = Plant(
    50, "forgotten-cancel", in: [.phone],
    happened:
      "The watch became unreachable during a start, the phone continued without it, and later both had "
      + "recorded the workout (github.com/piscoTech/GymTracker/issues/6, "
      + "github.com/astashov/liftosaur/issues/451).",
    wrong:
      "A restarted phone does not know which starts it gave up.",
    right:
      "Given-up starts are stored: late updates of them are refused, also after a restart.",
    caughtBy: ["one-tracker", "belief-is-newest"],
    sweptIn: "trust-runs")

  package static let unaskedEnd = Plant(
    64, "unasked-end", in: [.phone],
    happened:
      "The end of a run waited in the queue while the next one had begun; this simulator's own phone took the next "
      + "run for a leftover session and ended it on the watch.",
    wrong:
      "The phone orders the watch to end a workout because it does not fit what the phone believes.",
    right:
      "A run ends where the athlete wants it, or where the phone has taken its start back. What began later than the "
      + "believed run replaces it.",
    caughtBy: ["end-was-wanted"],
    sweptIn: "trust-belief")
}
