import Console
import CoachProtocol
import EdgeSim
import Foundation
import HealthSim
package import Link
import PhoneSim
import WatchSim

extension Scenario {
  /// The keys of a scenario's file, in the order of the reference page, of a saved file and of a trace's header.
  ///
  /// A key that depends on others follows them: `faults` needs `edge` and `duration`, `script` needs `plan`.
  package static let schema = ObjectSchema<Self>(
    "scenario", "The whole file is one object.", Scenario(),
    whole + contents + world + people + judgement)

  private static let whole: [Field<Self>] = [
    Field(
      "scenario", \.name, .string.satisfying("a name") { !$0.isEmpty }, "the name, in reports and in the trace",
      .required),
    Field("about", \.about, .string, "what it shows"),
    Field("seed", \.seed, .seed, "all randomness comes from it; `--seed` wins").alwaysWritten,
    Field(
      "startedAt", \.start.text,
      .string.named("ISO 8601 date").satisfying("a date in the years 1972 to 2100, such as \"2026-04-12T06:30:00Z\"") {
        StartInstant.parse($0).map { $0 >= StartInstant.earliest } ?? false
      }, "the date at the run's start"),
    Field(
      "timeZone", \.start.timeZone, .timeZone, "for `time_of_day_hour`; changes of the clock in the run are honoured"),
    Field(
      "flights", \.start.flights, .array(of: .object(StartInstant.Flight.schema), count: 0...StartInstant.flightsMax),
      "changes of the time zone, by time: a day is the user's local day"),
    Field(
      "duration", \.duration, .duration(max: durationMax).satisfying("more than 0 and at most 336h") { $0 > .zero },
      "the run ends here at the latest"),
  ]

  private static let contents: [Field<Self>] = [
    Field(
      "workout", as: .object(WorkoutPlan.schema.description), "what the watch records", .otherwise("the model's 5 km"),
      read: { value, scenario in
        guard let reader = value.object() else { return false }
        defer { reader.finish() }
        return WorkoutPlan.schema.read(reader, into: &scenario.workout)
      },
      write: { scenario, style in
        guard scenario.laterWorkouts.isEmpty else { return nil }
        let members = WorkoutPlan.schema.members(of: scenario.workout, style)
        return members.isEmpty ? nil : .object(members)
      }),
    Field(
      "workouts", \.listedWorkouts, .workouts,
      "several workouts, one after another, instead of `workout`, each with a later `at`; `mode`, `personality` and"
        + " `runType` in the first only"),
    .section(
      "phone", \.self, phoneSchema, "what happens to the phone, and which program plays it", .otherwise("nothing")),
    .section("watch", \.self, watchSchema, "its store, and which program plays it", .otherwise("nothing")),
    .section("run", \.remarks, remarksSchema, "what the athlete writes about the workout", .otherwise("nothing")),
    Field("race", \.race, .object(RaceSetup.schema), "the race of the workout, with `workout.mode` `race`"),
    .section(
      "payload", \.self,
      ObjectSchema(
        "payload",
        "What an app's messages, contexts and transfers are called: the `kind` of their lines"
          + " ([names](your-app-reference.md#names-of-messages)).", Scenario(),
        [
          Field(
            "name", \.payloadName, .payloadPath,
            "into the dictionary: `$.kind`, `$.event.name`, `$['a key']`, `$.list[0]`; bytes on the way are read as JSON",
            .required)
        ]), "how the messages of apps are named in the trace", .otherwise("what payloads say themselves")),
    .section(
      "checks", \.self,
      ObjectSchema(
        "checks",
        "Checks of apps, each an object ([checks](your-app-reference.md#checks)).",
        Scenario(),
        AppCheck.Kind.allCases.map { kind in
          Field(kind.rawValue, \.[kind], AppCheck.value(kind), kind.about, .otherwise(AppCheck.standard(kind)))
        }), "what faults must not change in the facts of apps", .otherwise("none")),
    .section(
      "apps", \.appTime, AppTime.schema, "how the programs of `phone` and `watch` run in virtual time",
      .otherwise("as below")),
    Field(
      "units", \.units, .word, "the user's unit of length: a split is a kilometre or a mile; stores have metres"
    ).omittedAtDefault,
    .section("plan", \.plan, planSchema, "what the athlete set out to do", .otherwise("no plan")),
    Field(
      "accepts", \.acceptedWarnings, .array(of: .word, count: 0...ScriptWarning.allCases.count),
      "warnings about `script` that the scenario is about: `crowdedLines` for lines within 30 s of each other, `longLines`"
        + " for texts of more than 10 s"
    ).omittedAtDefault,
    Field(
      "script", as: .named("path of a script, or a script", .either([.string(), .object(ScriptSchema.script)])),
      "what may be said", .otherwise("the personality's own lines"), read: { $1.readScript($0) },
      write: { scenario, _ in scenario.ownScript?.json }),
  ]

  /// Keys of `link` that `uplink` does not have, and what is expected in their place.
  private static let linkOnly = [
    ("backgroundDelay", "it in link: nothing waits on the uplink"),
    ("toPhone", "it in link: both directions of the uplink are alike"),
    ("toWatch", "it in link: both directions of the uplink are alike"),
  ]

  private static let world: [Field<Self>] = [
    Field("link", \.link, .link, "the watch-phone link without faults", .otherwise("`ideal`")),
    Field(
      "uplink", as: ValueSchema<LinkProfile>.link.description,
      "the link between phone and edge; if it exists, the run has an edge",
      .otherwise("`none`, or `lte` with an `edge`"),
      read: { value, scenario in
        var isForLink = false
        for (key, expected) in linkOnly {
          guard let node = value.node[key] else { continue }
          isForLink = true
          JSONValueReader(node, path: "\(value.path).\(key)", into: value.collector).refuse(expected: expected)
        }
        guard let profile = ValueSchema.link.read(value) else { return false }
        scenario.uplink = profile
        scenario.edge = scenario.edge ?? (profile.exists ? EdgeSetup() : nil)
        return !isForLink
      },
      write: { scenario, style in
        let standard = scenario.edge == nil ? Scenario().uplink : uplinkOfEdge
        return scenario.uplink == standard ? nil : ValueSchema.link.write(scenario.uplink, style)
      }),
    Field(
      "edge", as: .object(EdgeSetup.schema.description),
      "the [cloud](built-in-apps.md#the-edge) that the phone talks to",
      .otherwise("none without an uplink"),
      read: { value, scenario in
        // A wrong `edge` is reported once, not with every fault.
        let setup = ValueSchema.object(EdgeSetup.schema).read(value)
        scenario.edge = setup ?? EdgeSetup()
        return setup != nil
      },
      write: { scenario, style in
        scenario.edge.map { .object(EdgeSetup.schema.members(of: $0, style)) }
      }),
    Field(
      "faults", as: .array(of: .object(FaultReference.description), count: 0...10_000), "what goes wrong, and when",
      .otherwise("none"),
      read: { value, scenario in
        guard let list = value.array(count: 0...10_000) else { return false }
        scenario.faults = FaultPlan.read(
          list, points: CrashPoint.all, hasUplink: scenario.edge != nil, end: .start + scenario.duration)
        return true
      },
      write: { scenario, _ in
        scenario.faults.isEmpty ? nil : .array(scenario.faults.map { JSONNode($0.json) })
      }),
    Field(
      "nemesis", as: .object(Nemesis.schema(hasUplink: false).description),
      "adds faults that are drawn from the seed", .otherwise("none"),
      read: { value, scenario in
        scenario.nemesis = ValueSchema.object(Nemesis.schema(hasUplink: scenario.edge != nil)).read(value)
        return scenario.nemesis != nil
      },
      write: { scenario, style in
        scenario.nemesis.map { .object(Nemesis.schema(hasUplink: scenario.edge != nil).members(of: $0, style)) }
      }),
    Field(
      "memory", \.memory, .anyMembers, "what the phone knows about the athlete; `\"hr.max\": 188` sets the zones",
      .otherwise("empty")),
    Field(
      "replyTimeout", \.ownReplyTimeout, .duration(),
      "how long a message waits for its reply, or for the receipt that its sender asks for",
      .otherwise("10s; of an app of your own 300s")),
    Field(
      "plants", \.plants, .plants, "bugs that the nodes have on purpose; `sim-runner plants` lists them",
      .otherwise("none")),
  ]

  private static let people: [Field<Self>] = [
    Field(
      "acts", \.actDraw, .object(ActDraw.schema).readable,
      "draws what users do in apps of your own, beside `phone.acts` and `watch.acts`", .otherwise("none")),
    Field(
      "athlete", as: .object(AthleteSetup.schema.description),
      "who uses the devices: days that are drawn from the seed ([drawn days](sweeps.md#drawn-days)), or what the acts of an app"
        + " mean to its user's body",
      .otherwise("none"),
      read: { value, scenario in
        guard let reader = value.object(), let setup = AthleteSetup.schema.readWhole(reader) else { return false }
        scenario.athleteSetup = setup
        return true
      },
      write: { scenario, style in
        let setup = scenario.athleteSetup
        return setup == AthleteSetup() ? nil : .object(AthleteSetup.schema.members(of: setup, style))
      }),
    Field(
      "health", \.health, .object(HealthAccess.schema),
      "the phone's access to what the watch's health store has; `{}` for a lag of 30 s"),
    Field(
      "healthKit", \.ownHealthKit, .object(HealthSettings.schema),
      "what apps that import HealthKit meet ([healthkit.md](internals/healthkit.md)); a nemesis also draws `healthFlaw`",
      .otherwise("`{}`, without such faults")),
    Field(
      "saved", \.isSaved, .bool,
      "written by `sim-runner` into scenarios that it saves with the programs of a run: `--run-programs` starts them"
    ).omittedAtDefault,
    Field(
      "system", \.ownSystem, .object(SystemSettings.schema),
      "what apps that import CoreLocation, AVFoundation and the like meet"
        + " ([device-modules.md](internals/device-modules.md)); a nemesis also draws `systemFlaw`",
      .otherwise("`{}`, without such faults")),
    Field(
      "tags", \.tags, .array(of: .string(bytes: 1...100), count: 0...100),
      "groups it belongs to: search words for `test --filter`"),
    Field(
      "truth", \.ownTruth, .bool,
      "whether `truth` lines say what the athlete really did, and invariants compare it with what the devices report",
      .otherwise(
        "true with `phone.training`, `phone.daily`, `phone.ingestion`, `athlete.acts` or an expectation `agrees`")),
  ]

  private static let judgement: [Field<Self>] = [
    Field(
      "expect", as: .array(of: .object(ExpectationReference.description), count: 0...10_000),
      "what must be true of the run, besides the invariants", .otherwise("none"),
      read: { value, scenario in
        scenario.expectations = ExpectationCatalog.read(value)
        return true
      },
      write: { scenario, _ in
        scenario.expectations.isEmpty ? nil : .array(scenario.expectations.map(\.node))
      }),
    Field(
      "sometimes", as: .array(of: .object(ExpectationReference.situation), count: 0...Situation.countMax),
      "what some seed of a sweep must reach", .otherwise("none"),
      read: { value, scenario in
        scenario.situations = Situation.read(value)
        return true
      },
      write: { scenario, _ in scenario.situations.isEmpty ? nil : .array(scenario.situations.map(\.node)) }),
    .ignored(
      "$schema", "path or address of [scenario.schema.json](scenario.schema.json), for editors; ignored"),
  ]

  /// Two weeks.
  private static let durationMax = VirtualTime.Span.hours(336)

  /// The uplink of a scenario that has an edge but no `uplink`.
  static let uplinkOfEdge = ProfileCatalog.profile(named: "lte") ?? Scenario().uplink

  private static let planSchema = ObjectSchema<Plan>(
    "plan", "What the athlete set out to do; target pace is time over distance.", Plan(),
    [
      Field(
        "distance", \.distance, .number(1...1_000_000, unit: "metres"),
        "for `halfway`, `near_finish` and the target pace", .otherwise("not planned")),
      Field(
        "time", \.time, .seconds().satisfying("a duration above 0") { $0 > 0 }.named("duration above 0"),
        "for the target pace, and for `halfway` without a distance", .otherwise("not planned")),
      Field(
        "pacing", \.pacing, .word, "of the target pace: `negative` has a first half 2 % slower, a second 2 % faster"
      ).omittedAtDefault,
    ])

  private static let remarksSchema = ObjectSchema<RunRemarks>(
    "run", "What the athlete writes about the workout: columns of the companion store's row.", RunRemarks(),
    [
      Field("label", \.label, .string(bytes: 0...200), "what the athlete calls it"),
      Field("userNotes", \.userNotes, .string(bytes: 0...10_000), "free text, written when the workout is finished"),
      Field("perceivedEffort", \.perceivedEffort, .integer(1...10), "how hard it felt"),
    ])
}

extension ValueSchema where Value == String {
  /// The name of a time zone.
  static var timeZone: Self {
    .string.named("IANA name").satisfying("a time zone such as \"Europe/Berlin\"") {
      TimeZone(identifier: $0) != nil
    }
  }
}

extension ValueSchema where Value == PayloadPath {
  fileprivate static var payloadPath: Self {
    ValueSchema<String>.string.named("path, at most \(PayloadPath.bytesMax) bytes").map(
      reading: { text, reader in
        let path = PayloadPath(text)
        if path == nil { reader.refuse(expected: PayloadPath.expected) }
        return path
      }, writing: \.text)
  }
}

extension ValueSchema where Value == Plants {
  fileprivate static var plants: Self {
    ValueSchema<[String]>.array(of: .words(PlantCatalog.all.map(\.name)), count: 0...PlantCatalog.all.count).named(
      "array of names"
    ).map(
      reading: { names, _ in
        names.reduce(into: []) { plants, name in
          if let plant = PlantCatalog.all.first(where: { $0.name == name }) { plants.insert(plant) }
        }
      }, writing: PlantCatalog.names)
  }
}

extension ValueSchema where Value == LinkProfile {
  /// A link; the name of its profile where one is equal, for people.
  fileprivate static var link: Self {
    var schema = object(LinkProfile.schema)
    let write = schema.write
    schema.write = { link, style in
      guard style == .brief, let named = ProfileCatalog.all.first(where: { $0.profile == link }) else {
        return write(link, style)
      }
      return .fields(["profile": .string(named.name)])
    }
    return schema
  }
}
