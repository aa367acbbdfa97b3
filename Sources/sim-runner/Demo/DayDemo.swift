/// The second demo: a day on all systems.
extension Demo {
  static let day = Demo(
    name: "day", about: "a day of an athlete: sleep, a swim, meals, a ride, a coached run, totals at night", text: text,
    otherSeed: 74, searched: ("training.stored", "the sessions that the phone stored"),
    nextScenario: "scenarios/week.json5")

  /// The content of `scenarios/day.json5`.
  private static let text = #"""
    // `sim-runner demo day` runs this scenario.
    {
      scenario: "day",
      about: "An athlete's Saturday from five in the morning: last night's sleep ingested, a swim with the phone in the locker, meals, a ride in which the phone reboots, a run with the coach and a tunnel, and the day's totals at midnight.",
      seed: 73,
      startedAt: "2026-05-09T03:00:00Z",
      timeZone: "Europe/Berlin",
      duration: "24h",
      workouts: [
        // At half past nine.
        { at: "4h30m", discipline: "swimming", source: { model: { distance: 1000, pace: 110 } } },
        // At half past two.
        { at: "9h30m", discipline: "riding", source: { model: { duration: "40m" } } },
        // At five, to be followed by dinner.
        {
          at: "12h",
          source: { model: { distance: 8000, pace: "5:30/km" } },
          events: [{ at: "12h15m", do: "talk", seconds: 5, says: "How far is it to go?" }],
        },
      ],
      plan: { distance: 8000, time: "44m" },
      memory: { "hr.max": 188 },
      link: { profile: "ble-still" },
      uplink: { profile: "lte" },
      edge: {
        latency: "300ms",
        failures: [{ call: "insightsSync", at: "6h50m", for: "30m", do: "error500" }],
        workouts: { failures: [{ do: "rateLimited", at: "11h", for: "20m" }] },
      },
      health: { syncLag: "20s" },
      phone: {
        ingestion: { history: 2 },
        daily: { history: 2, chat: { messages: 0 } },
        training: { athlete: "Mia", horse: "Apollo" },
        events: [
          { at: "5h30m", do: "logMeal", name: "Recovery shake", calories: 310, protein: 28 },
          { at: "5h40m", do: "writeChat", text: "My goal is to run 8 km in 44 minutes." },
          { at: "10h30m", do: "scoreRide", score: 66.5 },
          { at: "14h", do: "logMeal", name: "Pasta, a large plate", calories: 890, protein: 34 },
          {
            at: "15h", do: "logDrill", discipline: "shooting", drillType: "dry fire",
            sets: [{ duration: "5m", reps: 20, score: 82 }],
          },
          // What is parsed is not needed as raw data any more.
          { at: "16h", do: "purgeNow" },
        ],
      },
      faults: [
        { id: "locker", at: "4h20m", for: "1h", disconnect: {} },
        { id: "reboot", at: "9h45m", reboot: "phone", unlockAfter: "4m" },
        { id: "tunnel", at: "12h20m", for: "90s", disconnect: {} },
        { id: "no-signal", at: "18h50m", for: "40m", uplink: { disconnect: {} } },
      ],
      expect: [
        // The coach: a script of the edge for the run, and for nothing else.
        { count: "ai.requested", where: { kind: "generateScript" }, exactly: 1 },
        { event: "ai.reply", where: { kind: "generateScript" }, between: ["12h", "12h1m"] },
        { count: "script.dispatch", atLeast: 8 },
        { never: "script.dispatch", until: { event: "ai.reply", where: { kind: "generateScript" } } },
        // The coach's data: workouts saved on the watch, read and summarised on the phone.
        { count: "run.finished", exactly: 3 },
        { count: "health.truth", exactly: 3 },
        { count: "ai.reply", where: { kind: "postRunSummary" }, exactly: 1 },
        // The disciplines: the swim arrives with the phone, the ride survives its reboot.
        { event: "training.stored", where: { discipline: "swimming", points: 0 }, between: ["5h20m", "5h22m"] },
        { count: "training.stored", where: { discipline: "riding" }, exactly: 1 },
        { count: "training.stored", exactly: 3 },
        // Apple's data: the night, known as a whole since ten in the morning.
        { event: "ingestion.parsed", where: { type: "sleep", day: "2026-05-08" }, between: ["5h", "5h1m"] },
        { count: "ingestion.purged", atLeast: 12 },
        { never: "ingestion.failed" },
        // The totals: posted all day, complete soon after midnight, on a server that failed for half an hour.
        { count: "daily.synced", atLeast: 85 },
        { event: "daily.aggregated", where: { day: "2026-05-10" }, between: ["19h15m", "19h30m"] },
        { event: "edge.upserted", where: { day: "2026-05-10" }, between: ["19h30m", "19h31m"] },
        // The profile: the goal from the chat, with the next totals.
        { event: "edge.profiled", where: { message: 1 }, between: ["5h40m", "6h"] },
        // The external service: everything fetched, although it refuses for twenty minutes.
        { count: "edge.fetched", atLeast: 22 },
        { event: "edge.fetchFailed", where: { why: "status 429" }, between: ["11h", "11h1m"] },
        { count: "node.started", exactly: 4 },
      ],
    }
    """#
}
