/// The demo of plain `sim-runner`.
extension Demo {
  static let run = Demo(
    name: "demo", about: "five kilometres with a coach, a tunnel and a lossy stretch", text: text,
    otherSeed: 8, searched: ("liveness", "what the phone said of the watch, as the trace has it"),
    nextScenario: "scenarios/tunnel-at-2k.json5")

  /// The content of `scenarios/demo.json5`.
  private static let text = #"""
    // `sim-runner` runs this scenario if no command is given.
    {
      scenario: "demo",
      about: "Five kilometres with a coach in the ear: a tunnel cuts the link right at kilometre 2, the phone's app crashes, later packets get lost.",
      seed: 7,
      startedAt: "2026-04-12T06:30:00Z",
      timeZone: "Europe/Berlin",
      duration: "40m",
      workout: {
        source: { model: { distance: 5000, pace: "5:00/km", stops: [{ at: 3740, for: "25s" }] } },
        mode: "race",
        personality: "encouraging",
        events: [{ at: "13m", do: "talk", seconds: 6, says: "How far is it to the water?" }],
      },
      plan: { distance: 5000, time: "25m30s" },
      memory: { "hr.max": 188 },
      script: {
        id: "demo",
        messages: [
          {
            id: "settle",
            triggerSpec: { type: "time", atSeconds: 90 },
            text: "Settle in. The first minutes should feel almost too easy.",
          },
          {
            id: "kilometre",
            triggerSpec: { type: "distance", everyMeters: 1000 },
            text: "Another kilometre in the bag. Keep this rhythm.",
          },
          { id: "halfway", triggerSpec: { type: "halfway" }, text: "Halfway there, and you look strong.", priority: 60 },
          {
            id: "pulse",
            triggerSpec: { type: "condition", expression: "hr >= 150 AND distance > 2600" },
            text: "Your heart is working now. Breathe out long, drop your shoulders.",
            priority: 40,
          },
          {
            id: "home",
            triggerSpec: { type: "near_finish", remainingMeters: 400 },
            text: "One lap of a track to go. Bring it home!",
            priority: 80,
          },
        ],
      },
      link: { profile: "ble-running" },
      faults: [
        { id: "tunnel", at: "9m55s", for: "38s", disconnect: {} },
        { id: "crash", at: "15m55s", kill: "phone", restartAfter: "4s" },
        {
          id: "crowd",
          at: "18m",
          for: "3m",
          loss: { model: "gilbert-elliott", goodToBad: 0.12, badToGood: 0.08, lossGood: 0.02, lossBad: 0.95 },
        },
      ],
      expect: [
        { event: "liveness.disconnected", between: ["10m", "10m6s"] },
        { event: "liveness.reconnected", within: "7s", after: { event: "link.up" } },
        { count: "script.dispatch", atLeast: 8 },
        { count: "voice.transcribed", exactly: 1 },
        { count: "node.started", exactly: 3 },
        { never: "script.expired" },
      ],
    }
    """#
}
