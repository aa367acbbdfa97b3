import Console
import CoachProtocol
package import Link
import PhoneSim
import WatchSim

/// The keys of `phone` and `watch`.
extension Scenario {
  static let phoneSchema = ObjectSchema<Self>(
    "phone", "What happens to the phone.", Scenario(),
    [
      Field(
        "events", \.ownPhoneCommands,
        .array(
          of: TimedCommand.schema("phone.events[]", "Something that happens to the phone.", TimedCommand.phoneForms),
          count: 0...10_000), "in any order"
      ).omittedAtDefault,
      Field(
        "launchedByMessages", \.launchesPhone, .bool,
        "a message from the watch starts a dead phone app, before its `restartAfter`",
        .otherwise("true for an app of your own, false for the simulated phone")),
      Field(
        "ingestion", \.ingestion, .object(IngestionSetup.schema).readable,
        "ingests data of simulated HealthKit and EventKit stores; `{}` for the defaults"),
      Field(
        "daily", \.daily, .object(DailySetup.schema).readable,
        "stores meals and posts daily totals to the edge; `{}` for the defaults. The run then lasts its whole"
          + " `duration`"),
      Field(
        "voice", \.voice, .object(VoiceSetup.schema).readable,
        "the coach's voice follows the user's language and choice; `{}` for American English"),
      durability(\.phoneDurability),
      Field(
        "training", \.training, .object(TrainingSetup.schema).readable,
        "stores training sessions of all disciplines, which the watch reports; `{}` for the defaults. The run then lasts"
          + " its whole `duration`"),
      command(
        .phone,
        "an app of your own; its path is relative to the scenario's folder, without a slash it is looked up in `$PATH`;"
          + " `--phone-cmd` wins"),
      acts(.phone),
    ])

  static let watchSchema = ObjectSchema<Self>(
    "watch", "The watch's store and program.", Scenario(),
    [
      durability(\.watchDurability), command(.watch, "as `phone.command`; `--watch-cmd` wins"), acts(.watch),
    ])

  private static func durability(
    _ property: any WritableKeyPath<Self, StoreDurability> & Sendable
  ) -> Field<Self> {
    Field(
      "durability", property, .word,
      "what the store [claims](internals/stores.md#loss-of-power): with `normal` a `reboot` with `power` loses"
        + " commits; not for a program of your own"
    ).omittedAtDefault
  }

  private static func acts(_ role: NodeRole) -> Field<Self> {
    Field(
      "acts", \.[actsOf: role], .array(of: .object(TimedAct.schema(role)), count: 0...TimedAct.countMax),
      "what users do in an app of your own, in any order"
    ).omittedAtDefault
  }

  private static func command(_ role: NodeRole, _ about: String) -> Field<Self> {
    Field(
      "command", as: .named("a program and its arguments", .string()), about,
      .otherwise("the built-in \(role.text)"),
      read: { value, scenario in
        guard let text = value.string() else { return false }
        do throws(Failure) {
          var program = try UserProgram(text, option: "\(role.text).command", in: value.collector.folder)
          program.place = value.place(of: value.node, key: nil)
          scenario.programs[role] = program
          return true
        } catch {
          value.refuse(expected: "a program and its arguments, quotes in pairs")
          return false
        }
      },
      write: { scenario, _ in scenario.programs[role].map { .string($0.text) } })
  }

  /// The acts of one device.
  private subscript(actsOf role: NodeRole) -> [TimedAct] {
    get { acts.filter { $0.role == role } }
    set { acts = acts.filter { $0.role != role } + newValue }
  }

  /// The phone's commands without the starts that follow from `startedBy`.
  private var ownPhoneCommands: [TimedCommand] {
    get {
      var commands = phoneCommands[...]
      for planned in workouts where planned.startedBy == .phone {
        guard let first = commands.first, first.at == planned.at, first.command.name == TimedCommand.startWorkout
        else { break }
        commands.removeFirst()
      }
      return Array(commands)
    }
    set { phoneCommands = newValue }
  }

  /// The events of the watch, of all workouts.
  package var watchCommands: [TimedCommand] {
    get { workouts.flatMap(\.events) }
    set {
      workout.events = newValue
      for index in laterWorkouts.indices { laterWorkouts[index].events = [] }
    }
  }

  /// Whether a loss of power takes unsynced commits of a device.
  package func losesCommits(_ role: NodeRole) -> Bool {
    guard programs[role] == nil else { return false }
    return plants.contains(.unsyncedStore) || (role == .watch ? watchDurability : phoneDurability) == .normal
  }

  /// The nodes that are apps, which only have the session's crash points.
  package var appRoles: [NodeRole] { [NodeRole.watch, .phone].filter { programs[$0] != nil } }
}

/// What commits of a device's store survive.
enum StoreDurability: String, CaseIterable {
  /// The end of the app and of the device's power.
  case full
  /// The end of the app: a loss of power may take those since the store was last synced.
  case normal
}

extension Scenario {
  /// How long the platform takes to bring a workout to the phone's health store; nil if nothing reads it there.
  var healthSyncLag: VirtualTime.Span? {
    health?.syncLag ?? (ingestion == nil && daily == nil ? nil : HealthAccess().syncLag)
  }
}

/// The phone's access to the watch's health store.
struct HealthAccess: Sendable, Equatable {
  /// How long a finished workout takes to reach it.
  var syncLag = VirtualTime.Span.seconds(30)

  static let schema = ObjectSchema<Self>(
    "health", "The health store's own synchronisation.", Self(),
    [Field("syncLag", \.syncLag, .duration(), "until a finished workout can be read on the phone")])
}
