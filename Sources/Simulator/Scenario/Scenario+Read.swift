package import Console
import CoachProtocol
import EdgeSim
package import Link
import PhoneSim

extension Scenario {
  /// Reads a scenario's file, and its script if that is a file.
  ///
  /// - Throws: ``Failure/input(_:)`` with all errors, one per line.
  package static func load(_ path: String) throws(Failure) -> Scenario {
    try ScenarioInput.checkPath(path)
    let bytes = try FilePath.read(path)
    try ScenarioInput.check(bytes, path: path)
    let (scenario, diagnostics) = read(bytes, file: path, folder: FilePath.folder(of: path))
    if diagnostics.contains(where: { $0.hasErrors }) {
      throw .problems(diagnostics.flatMap { $0.lines })
    }
    return scenario
  }

  /// Reads a scenario.
  ///
  /// - Parameters:
  ///   - bytes: JSON5.
  ///   - file: The name in messages.
  ///   - folder: The base of relative paths.
  /// - Returns: The scenario, to be used only without errors, and the diagnostics of each file that was read.
  package static func read(_ bytes: [UInt8], file: String, folder: String) -> (Scenario, [Diagnostics]) {
    do {
      return read(try JSONParser.parse(bytes, dialect: .json5), file: file, folder: folder)
    } catch {
      var diagnostics = Diagnostics(file: file)
      diagnostics.add(error)
      return (Scenario(), [diagnostics])
    }
  }

  /// Reads a parsed scenario.
  package static func read(_ node: JSONNode, file: String, folder: String) -> (Scenario, [Diagnostics]) {
    let collector = DiagnosticsCollector(file: file, folder: folder)
    var scenario = Scenario()
    if let reader = JSONObjectReader(node, into: collector) {
      if schema.read(reader, into: &scenario) { scenario.complete(reader) }
      reader.finish()
      if !collector.diagnostics.hasErrors {
        for warning in ScenarioWarnings(scenario).all { collector.warning(warning.text, at: warning.position) }
      }
    }
    return (scenario, [collector.diagnostics] + collector.others)
  }

  /// How far before the start the phone looks back.
  private var history: VirtualTime.Span {
    // Two days more: a local day may have begun much earlier.
    let ingested = ingestion.map { $0.historyDays + 2 }
    // A meal may be logged so many days after it was eaten.
    let eaten = daily.map { max($0.historyDays, 31) + 2 }
    return .hours(Int64(max(ingested ?? 0, eaten ?? 0) * 24))
  }

  /// Checks rules between keys, and sets what follows from several.
  private mutating func complete(_ reader: JSONObjectReader) {
    start.setOffsets(duration: duration, history: history)
    checkFlights(reader)
    checkWorkouts(reader)
    checkAthlete(reader)
    checkDurability(reader)
    if edge != nil, !reader.has("uplink") { uplink = Self.uplinkOfEdge }
    edge?.startedAt = start.nanoseconds
    if daily != nil, edge == nil { reader.error("phone.daily: found neither uplink nor edge, expected one of them") }
    if nemesis != nil, let taken = faults.first(where: { $0.id.hasPrefix(Nemesis.idPrefix) }) {
      reader.error("faults: the id \"\(taken.id)\" is one of the nemesis's own, expected another beside a nemesis")
    }
    // At one instant it precedes the phone's other events.
    phoneCommands =
      workouts.filter { $0.startedBy == .phone }.map {
        TimedCommand(at: $0.at, command: NodeCommand(TimedCommand.startWorkout))
      } + phoneCommands
    refuseSecondRun(reader.collector)
    if race != nil, workout.mode != .race {
      reader.error("race: a race is run in the mode \"race\", expected workout.mode: \"race\"")
    }
    plan = effectivePlan
    chooseScript(reader)
  }

  /// The plan, which a race brings if there is none.
  private var effectivePlan: Plan {
    guard plan == Plan(), let race else { return plan }
    return Plan(distance: race.distanceMeters, time: race.targetTimeSeconds, pacing: race.pacingStrategy)
  }

  private func checkFlights(_ reader: JSONObjectReader) {
    var last = VirtualTime.start
    for (flight, value) in zip(start.flights, reader.array("flights") ?? []) {
      if flight.at <= last { value.error("found a flight that is not after the one before it, or the start") }
      last = flight.at
    }
  }

  private func checkDurability(_ reader: JSONObjectReader) {
    for (role, durability) in [(NodeRole.phone, phoneDurability), (.watch, watchDurability)]
    where durability == .normal && programs[role] != nil {
      reader.object(role.text)?.value("durability")?.refuse(
        expected: "no durability beside a program, which has its own store")
    }
  }

  /// Reads the script, or its file; false after reporting errors.
  mutating func readScript(_ value: JSONValueReader) -> Bool {
    guard value.node.value != .null else { return true }
    var accepted = Set(acceptedWarnings)
    defer {
      for warning in ScriptWarning.allCases where accepted.contains(warning) {
        value.collector.warning("accepts: no \(warning.rawValue) in the script", at: value.node.position)
      }
    }
    guard case .string(let name) = value.node.value else {
      ownScript = ScriptValidator.read(value, plan: effectivePlan, accepted: &accepted)
      return ownScript != nil
    }
    let path = FilePath.resolve(name, in: value.collector.folder)
    let collector = DiagnosticsCollector(file: path)
    do {
      let node = try JSONParser.parse(try FilePath.read(path), dialect: .json)
      ownScript = ScriptValidator.read(
        JSONValueReader(node, into: collector), plan: effectivePlan, accepted: &accepted)
    } catch let error as JSONError {
      collector.diagnostics.add(error)
    } catch let error as Failure {
      value.error(error.text)
    } catch {
      value.error("\(error)")
    }
    value.collector.others.append(collector.diagnostics)
    return ownScript != nil
  }

  /// Sets the script from the scenario's own, or the personality's, and adds the lines of a race.
  private mutating func chooseScript(_ reader: JSONObjectReader) {
    let isSilent = hasOtherDisciplines && !coachesRunsOnly
    scriptSource = ownScript != nil || isSilent ? .scenario : .fallback
    let lines =
      ownScript
      ?? (isSilent ? Script(messages: []) : FallbackScript.make(personality: workout.personality, plan: plan))
    guard let race else {
      script = lines
      return
    }
    let ids = Set(lines.messages.map(\.id))
    if let taken = RaceScript.cues(of: race).first(where: { ids.contains($0.id) }) {
      return reader.error("script: the id \"\(taken.id)\" is one of the race's own, expected another beside a race")
    }
    script = RaceScript.make(lines, race: race, voice: voice)
  }
}

extension JSONNode {
  /// The node with the value at a path of keys replaced; unchanged if there is no such path.
  package func replacing(_ path: ArraySlice<String>, with node: JSONNode) -> JSONNode {
    guard let key = path.first else { return node }
    guard case .object(var members) = value, let index = members.firstIndex(where: { $0.key == key }) else {
      return self
    }
    members[index].node = members[index].node.replacing(path.dropFirst(), with: node)
    return JSONNode(.object(members), at: position)
  }
}
