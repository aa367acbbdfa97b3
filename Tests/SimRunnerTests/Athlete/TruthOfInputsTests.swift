import Foundation
import Link
import Testing

@testable import Console
@testable import Simulator

/// Days that drawn runs found, as small as they can be: what happened is what the devices have.
@Suite struct `truth of awkward inputs` {
  private func run(
    _ text: String, seed: UInt64 = 1, startedAt: String = "2026-05-09T06:00:00Z", timeZone: String = "UTC"
  ) throws -> [String] {
    let setting = "scenario: 'day', seed: \(seed), startedAt: '\(startedAt)', timeZone: '\(timeZone)', truth: true"
    let (scenario, found) = Scenario.read(Array("{ \(setting), \(text) }".utf8), file: "s.json5", folder: ".")
    #expect(!found.contains { $0.hasErrors }, "\(found.flatMap(\.lines))")
    let outcome = try ScenarioRun.run(scenario, RunOptions())
    return outcome.violations.map { "\($0.invariant): \($0.detail)" }
      + outcome.expectations.filter { !$0.result.hasPassed }.map { "\($0.result)" }
  }

  @Test(arguments: ["0s", "1s"])
  func `a start that the phone takes back at once is no workout`(preparing: String) throws {
    let found = try run(
      """
      duration: "10m", phone: { events: [{ at: "1m", do: "endWorkout" }], training: { athlete: "A" } },
      workouts: [
        { at: "1m", startedBy: "phone", preparing: "\(preparing)", source: { model: { distance: 200 } } },
        { at: "2m", discipline: "shooting", source: { model: { ends: 1, shots: 3, interval: "20s", scoring: "40s" } } },
      ]
      """)
    #expect(found == [])
  }

  @Test(arguments: ["2m", "121s"])
  func `a ride that is paused again as soon as it goes on lasts to its end`(again: String) throws {
    let found = try run(
      """
      duration: "10m", phone: { training: { athlete: "A" } },
      workouts: [
        { at: "1m", discipline: "riding", source: { model: { duration: "5m" } }, events: [
          { at: "100s", do: "pause" }, { at: "2m", do: "resume" }, { at: "\(again)", do: "pause" }, { at: "4m", do: "end" },
        ] },
      ]
      """)
    #expect(found == [])
  }

  @Test func `a workout that ended while its app was dead is not in the way of a tap on the complication`() throws {
    let found = try run(
      """
      duration: "15m", phone: { training: { athlete: "A" } },
      faults: [{ at: 130, kill: "watch", restartAfter: 170 }],
      workouts: [
        { at: "1m", discipline: "shooting", source: { model: { ends: 1, shots: 5, interval: "20s", scoring: "10s" } } },
        { at: "4m", startedBy: "complication", preparing: "2s", source: { model: { distance: 300 } } },
      ], expect: [{ count: "workout.state", where: { to: "running" }, exactly: 2 }]
      """)
    #expect(found == [])
  }

  @Test(arguments: ["105s", "115s", "125s"])
  func `a type that is switched off while its store is asked is not asked for again`(pressed: String) throws {
    let found = try run(
      """
      duration: "1h", edge: {}, workouts: [{ at: "5m", source: { model: { distance: 200 } } }], phone: {
        training: { athlete: "A" }, daily: {},
        ingestion: { history: 1, latency: "10s", failures: [{ do: "unavailable", type: "reminders", at: "0s", for: "50m" }] },
        events: [
          { at: "\(pressed)", do: "setIngestion", type: "reminders", on: false },
          { at: "59m", do: "logMeal", name: "Soup", calories: 300, protein: 9, carbs: 30, fat: 8 },
        ],
      }
      """)
    #expect(found == [])
  }

  @Test func `a type that was refused at first has the days of the others`() throws {
    let found = try run(
      """
      duration: "100h", edge: {}, workouts: [{ at: "5m", source: { model: { distance: 200 } } }], phone: {
        training: { athlete: "A" }, daily: {},
        ingestion: { history: 0, every: "48h", failures: [{ do: "denied", type: "exercise", at: "0s", for: "2h" }] },
        events: [{ at: "99h", do: "logMeal", name: "Soup", calories: 300, protein: 9, carbs: 30, fat: 8 }],
      }
      """)
    #expect(found == [])
  }

  @Test func `a walk that outlasts a day which a flight cut short is in no total before its end`() throws {
    let found = try run(
      """
      duration: "24h", workouts: [{ at: "5m", source: { model: { distance: 200 } } }], edge: {}, health: {},
      flights: [{ at: "51613300ms", timeZone: "Pacific/Chatham" }],
      faults: [{ at: 5293, kill: "phone", restartAfter: 1777 }],
      phone: {
        training: { athlete: "A" }, ingestion: { history: 4, every: "6h", samples: 1 },
        daily: { every: "6h", history: 0, meals: 1 },
      }
      """, seed: 12_000_002_717, startedAt: "2026-03-08T02:19:32Z", timeZone: "America/St_Johns")
    #expect(found == [])
  }

  @Test func `an evening that a flight to the west repeats has been synchronised already`() throws {
    let found = try run(
      """
      duration: "174000s", workouts: [{ at: "5m", source: { model: { distance: 200 } } }], edge: {}, health: {},
      flights: [{ at: "88175867ms", timeZone: "America/St_Johns" }],
      phone: {
        training: { athlete: "A" }, ingestion: { history: 1 }, daily: { every: "6h" },
        events: [{ at: "36371s", do: "logMeal", name: "Soup", calories: 300, protein: 9, carbs: 30, fat: 8 }],
      },
      """, startedAt: "2026-02-18T23:53:49Z", timeZone: "Pacific/Kiritimati")
    #expect(found == [])
  }

  @Test func `an end pressed too early takes back the first workout, and no later one`() throws {
    let workouts = """
      duration: "20m", phone: { training: { athlete: "A" } },
      workouts: [
        { at: "2m", FIRST source: { model: { distance: 200 } }, events: [{ at: "1m", do: "end" }, { at: "90s", do: "end" }] },
        { at: "8m", source: { model: { distance: 300 } } },
      ], expect: [{ count: "workout.state", where: { to: "running" }, COUNT }]
      """
    for (first, count) in [("", 1), ("startedBy: \"phone\",", 2)] {
      let text = workouts.replacingOccurrences(of: "FIRST", with: first)
      #expect(try run(text.replacingOccurrences(of: "COUNT", with: "exactly: \(count)")) == [])
    }
  }

  @Test func `a workout that reaches the phone a day later counts on the day on which it began`() throws {
    let found = try run(
      """
      duration: "30h", edge: {}, health: { syncLag: "24h" }, phone: { daily: { every: "10m", meals: 0 } },
      workouts: [{ at: "5m", source: { model: { distance: 1500 } } }]
      """, startedAt: "2026-05-09T23:50:00Z")
    #expect(found == [])
  }

  @Test(arguments: [false, true])
  func `the day of a workout that reaches the phone after the next one is over is fetched again`(isPlanted: Bool) throws
  {
    let plants = isPlanted ? "plants: [\"late-workouts-left\"]," : ""
    let found = try run(
      """
      \(plants) duration: "40h", health: { syncLag: "24h" }, phone: { ingestion: { history: 1, every: "6h" } },
      workouts: [
        { at: "15m", source: { model: { distance: 1500 } } }, { at: "39h30m", source: { model: { distance: 300 } } },
      ]
      """, startedAt: "2026-05-09T23:30:00Z")
    let left = ["calories", "exercise"].map {
      "truth-days: the type \($0) of 2026-05-09 was not fetched since its workouts reached the phone"
    }
    #expect(found == (isPlanted ? left : []))
  }

  @Test func `totals keep their steps while no type may be read`() throws {
    let found = try run(
      """
      duration: "8h", edge: {}, phone: {
        daily: { every: "1h", meals: 3 },
        ingestion: { history: 1, every: "1h", failures: [{ do: "denied", at: "10m", for: "6h" }] } },
      workouts: [{ at: "1h", source: { model: { distance: 900 } } }]
      """)
    #expect(found == [])
  }

  @Test func `the first sync after a refusal wants its own days, however much later it comes`() throws {
    let found = try run(
      """
      duration: "60h", edge: {}, phone: { daily: { every: "6h" },
        ingestion: { history: 3, every: "24h", failures: [{ do: "denied", at: "0s", for: "11h" }] } }
      """)
    #expect(found == [])
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `what a flight over the date line leaves of a day is fetched and counted`(seed: UInt64) throws {
    let fetched = try run(
      """
      duration: "97h", flights: [{ at: "66848688ms", timeZone: "Pacific/Chatham" }], edge: {},
      phone: { daily: { every: "6h" }, ingestion: { history: 9, every: "24h", latency: "50ms" } }
      """, seed: seed, startedAt: "2026-05-16T15:35:14Z", timeZone: "Pacific/Pago_Pago")
    #expect(fetched == [])
    // Five minutes of a day, and its night.
    let counted = try run(
      """
      duration: "24h", flights: [{ at: "18225s", timeZone: "Pacific/Kiritimati" }], edge: {},
      phone: { daily: { every: "1h", history: 2, meals: 3 } }
      """, seed: seed, startedAt: "2026-10-17T04:50:58Z", timeZone: "Pacific/Pago_Pago")
    #expect(counted == [])
  }

  @Test func `of two meals of one second the athlete corrects the one that the phone shows last`() throws {
    let found = try run(
      """
      duration: "40h", flights: [{ at: "147596s", timeZone: "Pacific/Kiritimati" }], edge: {}, phone: {
        daily: { every: "1h", history: 2, meals: 3 },
        events: [{ at: "132197622ms", do: "editMeal", calories: 362, name: "Corrected" }] }
      """, seed: 8_500_001_806, startedAt: "2026-03-29T18:32:56Z", timeZone: "Europe/Berlin")
    #expect(found == [])
  }

  @Test func `clock and days of the phone change the zone together`() throws {
    // A sync in the second of the flight, whose rows are purged.
    let found = try run(
      """
      duration: "120h", flights: [{ at: "327793506ms", timeZone: "Australia/Lord_Howe" }], edge: {}, phone: {
        daily: { every: "6h" }, ingestion: { history: 3, every: "24h", latency: "50ms" },
        events: [
          { at: "327793548ms", do: "syncNow" }, { at: "374277s", do: "purgeNow" }, { at: "379913s", do: "syncNow" },
        ] }
      """, startedAt: "2026-11-01T05:02:03Z", timeZone: "America/New_York")
    #expect(found == [])
  }

  @Test func `a workout that comes after its day was purged is counted on that day`() throws {
    let found = try run(
      """
      duration: "72h", uplink: { profile: "lte" }, workouts: [
        { at: "1h", discipline: "riding", source: { model: { duration: "40m", noise: 0 } },
          events: [{ at: "80m", do: "pause" }, { at: "50h", do: "resume" }] },
      ],
      phone: { training: {}, ingestion: { history: 1, samples: 0, keep: "1h", every: "1h" }, daily: { meals: 0, history: 1 } }
      """, startedAt: "2026-06-01T18:00:00Z")
    #expect(found == [])
  }

  @Test func `a late workout after a flight to the west is counted on the day that had begun before the flight`() throws
  {
    let found = try run(
      """
      duration: "96h", uplink: { profile: "lte" }, flights: [{ at: "7h", timeZone: "America/New_York" }], workouts: [
        { at: "8h", discipline: "riding", source: { model: { duration: "40m", noise: 0 } },
          events: [{ at: "8h20m", do: "pause" }, { at: "60h", do: "resume" }] },
      ],
      phone: { training: {}, ingestion: { history: 1, samples: 0, every: "1h" }, daily: { meals: 0, history: 1 } }
      """, startedAt: "2026-06-01T18:00:00Z")
    #expect(found == [])
  }

  @Test(arguments: ["watch", "phone"])
  func `a workout that ends while it prepares leaves no row and no query`(startedBy: String) throws {
    let found = try run(
      """
      duration: "26h", health: {}, uplink: { profile: "lte" }, workouts: [
        { at: "1m", startedBy: "\(startedBy)", preparing: "3s", discipline: "riding", source: { model: { duration: "5m" } },
          events: [{ at: "62s", do: "end" }] },
        { at: "10m", discipline: "riding", source: { model: { duration: "5m" } } },
      ],
      phone: { training: {}, events: [{ at: "20m", do: "history" }, { at: "25h", do: "history" }] },
      expect: [{ count: "run.discarded", exactly: 1 }, { count: "history.shown", where: { runs: 0 }, exactly: 2 },
        { count: "health.absent", atMost: 20 }]
      """)
    #expect(found == [])
  }

  @Test(arguments: [
    #"{ history: 7, every: "1h", latency: "5s", failures: [{ do: "unavailable", type: "sleep", at: "12s", for: "6s" }] }"#,
    #"{ history: 7, every: "1h", latency: "5s" }"#,
  ])
  func `a day that a store or a full disk keeps back is fetched after the app died`(ingestion: String) throws {
    let found = try run(
      """
      duration: "48h", workout: { at: "50h" }, phone: { ingestion: \(ingestion) },
      faults: [{ at: "12s", for: "6s", diskFull: "phone" }, { at: "40s", kill: "phone", restartAfter: "5s" }],
      expect: [{ count: "ingestion.staged", where: { type: "sleep", day: "2026-05-27" }, atLeast: 1 }]
      """, startedAt: "2026-06-01T18:00:00Z")
    #expect(found == [])
  }

  @Test func `a day that a store keeps back is fetched after its type was off and on`() throws {
    let found = try run(
      """
      duration: "48h", workout: { at: "50h" }, phone: {
        ingestion: { history: 7, every: "1h", latency: "5s", failures: [{ do: "unavailable", type: "sleep", at: "12s", for: "6s" }] },
        events: [
          { at: "36s", do: "setIngestion", type: "sleep", on: false }, { at: "37s", do: "setIngestion", type: "sleep", on: true },
        ] },
      expect: [{ count: "ingestion.staged", where: { type: "sleep", day: "2026-05-27" }, atLeast: 1 }]
      """, startedAt: "2026-06-01T18:00:00Z")
    #expect(found == [])
  }

  @Test func `the first sync of a phone that stays locked over midnight wants the days before that day`() throws {
    let found = try run(
      """
      duration: "48h", workout: { at: "60h" }, phone: { ingestion: { history: 2, every: "1h" } },
      faults: [{ at: "0s", reboot: "phone", unlockAfter: "5h" }]
      """, startedAt: "2026-06-01T20:00:00Z")
    #expect(found == [])
  }

  @Test func `a day that a country skipped is wanted by no sync`() throws {
    let found = try run(
      #"duration: "30h", workout: { at: "60h" }, phone: { ingestion: { history: 3, every: "1h" } }"#,
      startedAt: "2011-12-31T12:00:00Z", timeZone: "Pacific/Apia")
    #expect(found == [])
  }

  @Test func `the night of a day that a flight skips is in the totals, on the phone and on the server`() throws {
    let found = try run(
      """
      duration: "72h", workout: { at: "80h" }, uplink: { profile: "lte" },
      flights: [{ at: "3h50m", timeZone: "Pacific/Kiritimati" }],
      phone: { ingestion: { history: 1, every: "1h" }, daily: { every: "1h", meals: 0, history: 1 } },
      expect: [{ count: "edge.upserted", where: { day: "2026-06-02" }, atLeast: 1 }]
      """, startedAt: "2026-06-02T07:00:00Z", timeZone: "Pacific/Pago_Pago")
    #expect(found == [])
  }

  @Test func `walks of less than a minute leave no samples of exercise`() throws {
    let found = try run(
      #"duration: "30h", workout: { at: "40h" }, phone: { ingestion: { history: 1, samples: 1000, every: "1h" } }"#,
      startedAt: "2026-06-01T18:00:00Z")
    #expect(found == [])
  }

  @Test func `a first sync that may read comes two days later, and wants no day before`() throws {
    let found = try run(
      """
      duration: "100h", workout: { at: "110h" }, phone: {
        ingestion: { history: 0, every: "48h", failures: [{ do: "denied", at: "0s", for: "1h" }] } }
      """, startedAt: "2026-06-01T12:00:00Z")
    #expect(found == [])
  }

  @Test func `meals of the days before the start are those before the run's start, whenever the app begins`() throws {
    let found = try run(
      """
      duration: "48h", workout: { at: "60h" }, uplink: { profile: "lte" }, phone: { daily: { history: 1, meals: 2 } },
      faults: [{ at: "0s", reboot: "phone", unlockAfter: "5h" }]
      """, startedAt: "2026-06-01T20:00:00Z")
    #expect(found == [])
  }

  @Test func `a meal that is logged after another was taken back at the same instant has an id of its own`() throws {
    let found = try run(
      """
      duration: "3h", workout: { at: "4h" }, uplink: { profile: "lte" }, phone: { daily: { history: 0, meals: 0 }, events: [
        { at: "1h", do: "logMeal", name: "A", calories: 1 }, { at: "1h", do: "logMeal", name: "B", calories: 10, ago: "10m" },
        { at: "1h", do: "removeMeal" }, { at: "1h", do: "logMeal", name: "C", calories: 100 },
      ] }
      """, startedAt: "2026-06-01T08:00:00Z")
    #expect(found == [])
  }

  @Test func `a workout that lasts for days changes the day on which it began alone`() throws {
    let found = try run(
      """
      duration: "100h", health: { syncLag: "1s" }, uplink: { profile: "lte" }, workouts: [
        { at: "9h", discipline: "swimming", source: { model: { distance: 800, pace: 137 } },
          events: [{ at: "9h5m", do: "pause" }, { at: "80h", do: "resume" }] },
      ],
      phone: { training: {}, ingestion: { history: 1, every: "1h", keep: "1h" }, daily: { every: "1h", meals: 0 } }
      """, startedAt: "2026-09-02T11:43:25Z")
    #expect(found == [])
  }
}
