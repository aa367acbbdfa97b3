import CoachProtocol
import EdgeSim
import Link
import PhoneSim
import WatchSim

/// The members of the trace's header that checkers do not need, and with which the trace alone repeats the run.
extension Scenario {
  /// Members of the header after `build`, in a scenario's spelling.
  var repeatMembers: [JSONMember] {
    var workout = workout.json
    if case .object(var members) = workout, !watchCommands.isEmpty {
      members.append(JSONMember("events", .array(watchCommands.map(\.json))))
      workout = .object(members)
    }
    var members = [JSONMember("workout", workout)]
    if !laterWorkouts.isEmpty {
      let later = laterWorkouts.map { JSONNode($0.followingJSON) }
      members = [JSONMember("workouts", .array([JSONNode(workout)] + later))]
    }
    var phoneCommands = phoneCommands[...]
    // The starts implied by `startedBy` are derived from it.
    for planned in workouts where planned.startedBy == .phone {
      guard let first = phoneCommands.first, first.at == planned.at, first.command.name == TimedCommand.startWorkout
      else { break }
      phoneCommands.removeFirst()
    }
    var phone: [JSONMember] = []
    if !phoneCommands.isEmpty { phone.append(JSONMember("events", .array(phoneCommands.map(\.json)))) }
    if let launchesPhone { phone.append(JSONMember("launchedByMessages", .bool(launchesPhone))) }
    if let ingestion {
      phone.append(JSONMember("ingestion", .object(IngestionSetup.schema.members(of: ingestion, .readable))))
    }
    if let daily { phone.append(JSONMember("daily", .object(DailySetup.schema.members(of: daily, .readable)))) }
    if let durability = durabilityMember(of: .phone) { phone.append(durability) }
    if let training {
      phone.append(JSONMember("training", .object(TrainingSetup.schema.members(of: training, .readable))))
    }
    if let acts = actsMember(of: .phone) { phone.append(acts) }
    if !phone.isEmpty { members.append(JSONMember("phone", .object(phone))) }
    let watch = [durabilityMember(of: .watch), actsMember(of: .watch)].compactMap(\.self)
    if !watch.isEmpty { members.append(JSONMember("watch", .object(watch))) }
    members += written.filter { ["run", "race"].contains($0.key) }
    if let payloadMember { members.append(payloadMember) }
    if let checksMember { members.append(checksMember) }
    if let edge { members.append(JSONMember("edge", edge.json)) }
    if replyTimeout != Scenario().replyTimeout {
      members.append(JSONMember("replyTimeout", .integer(replyTimeout.nanoseconds)))
    }
    return members
  }
}

extension WorkoutPlan.Source {
  /// The discipline that the scenario names.
  var namedDiscipline: TrainingDiscipline? {
    switch self {
    case .discipline(let plan): plan.discipline
    case .recorded(_, _, _, let discipline): discipline
    case .model, .traced: nil
    }
  }

  /// The key of a source that is a file, with the file's path; nil for a model.
  var file: (key: String, path: String)? {
    switch self {
    case .model, .discipline: nil
    case .recorded(let path, _, _, _): ("import", path)
    case .traced(let path): ("trace", path)
    }
  }
}

extension Scenario.TimedCommand {
  /// The event in a scenario's spelling.
  fileprivate var json: JSONNode {
    var members = [JSONMember("at", .plain((at - .start).seconds)), JSONMember("do", .string(command.name))]
    if let more = try? JSONParser.parse(command.arguments, dialect: .json), case .object(let arguments) = more.value {
      members += arguments
    }
    return JSONNode(.object(members))
  }
}

extension RunnerParameters {
  /// Distance and pace, and the settings that differ from the default.
  var members: [JSONMember] {
    let usual = RunnerParameters()
    var members = [JSONMember("distance", .plain(distance)), JSONMember("pace", .plain(pace))]
    if drift != usual.drift { members.append(JSONMember("drift", .plain(drift))) }
    if hills != usual.hills { members.append(JSONMember("hills", .plain(hills))) }
    if restingHeartRate != usual.restingHeartRate {
      members.append(JSONMember("restingHeartRate", .integer(Int64(restingHeartRate))))
    }
    if maximumHeartRate != usual.maximumHeartRate {
      members.append(JSONMember("maximumHeartRate", .integer(Int64(maximumHeartRate))))
    }
    if noise != usual.noise { members.append(JSONMember("noise", .plain(noise))) }
    if !stops.isEmpty {
      let stops = stops.map { stop in
        JSONNode(.object([JSONMember("at", .plain(stop.atMeters)), JSONMember("for", .plain(stop.forSeconds))]))
      }
      members.append(JSONMember("stops", .array(stops)))
    }
    return members
  }
}

extension EdgeSetup {
  /// The set-up in a scenario's spelling.
  fileprivate var json: JSONValue {
    var members = [JSONMember("latency", .plain(latency.seconds)), JSONMember("jitter", .plain(jitter.seconds))]
    if !failures.isEmpty { members.append(JSONMember("failures", .array(failures.map { JSONNode($0.json) }))) }
    if !events.isEmpty {
      let list = events.map { JSONNode(.object(EdgeEvent.schema.members(of: $0, .readable))) }
      members.append(JSONMember("events", .array(list)))
    }
    if let workouts {
      members.append(JSONMember("workouts", .object(WorkoutSetup.schema.members(of: workouts, .readable))))
    }
    return .object(members)
  }
}

extension EdgeFailure {
  fileprivate var json: JSONValue {
    var members: [JSONMember] = []
    if let call { members.append(JSONMember("call", .string(call.rawValue))) }
    members.append(JSONMember("at", .plain((begin - .start).seconds)))
    if let end { members.append(JSONMember("for", .plain((end - begin).seconds))) }
    if let times { members.append(JSONMember("times", .integer(Int64(times)))) }
    members.append(JSONMember("do", .string(effect.word)))
    if case .late(let by) = effect { members.append(JSONMember("by", .plain(by.seconds))) }
    return .object(members)
  }
}
