import EdgeSim
import Link
import PhoneSim

extension Scenario {
  /// Reads a scenario's file, and its script if that is a file.
  ///
  /// - Throws: ``Failure/input(_:)`` with all errors, one per line.
  static func load(_ path: String) throws(Failure) -> Scenario {
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
  static func read(_ bytes: [UInt8], file: String, folder: String) -> (Scenario, [Diagnostics]) {
    do {
      return read(try JSONParser.parse(bytes, dialect: .json5), file: file, folder: folder)
    } catch {
      var diagnostics = Diagnostics(file: file)
      diagnostics.add(error)
      return (Scenario(), [diagnostics])
    }
  }

  /// Reads a parsed scenario.
  static func read(_ node: JSONNode, file: String, folder: String) -> (Scenario, [Diagnostics]) {
    let collector = DiagnosticsCollector(file: file)
    var scenario = Scenario()
    var others: [Diagnostics] = []
    if let reader = JSONObjectReader(node, into: collector) {
      scenario.readMembers(reader, folder: folder, others: &others)
      // For editors.
      _ = reader.string("$schema")
      reader.finish()
      if !collector.diagnostics.hasErrors {
        for warning in ScenarioWarnings(scenario).all { collector.warning(warning.text, at: warning.position) }
      }
    }
    return (scenario, [collector.diagnostics] + others)
  }

  private mutating func readMembers(_ reader: JSONObjectReader, folder: String, others: inout [Diagnostics]) {
    if let value = reader.value("scenario", required: true), let name = value.string() {
      if name.isEmpty { value.refuse(expected: "a name") }
      self.name = name
    }
    if let about = reader.string("about") { self.about = about }
    if let seed = reader.unsigned("seed") { self.seed = seed }
    if let value = reader.value("duration"), let duration = value.duration() {
      if duration > Self.durationMax || duration <= .zero {
        value.refuse(expected: "more than 0 and at most 336h")
      } else {
        self.duration = duration
      }
    }
    start = StartInstant(reading: reader, duration: duration)
    let events = readWorkouts(reader, folder: folder)
    watchCommands = TimedCommand.read(events, words: TimedCommand.watchWords)
    var starts: [JSONValueReader?] = []
    reader.object("phone") { phone in
      let events = phone.array("events", countMax: 10_000) ?? []
      phoneCommands = TimedCommand.read(events, words: TimedCommand.phoneWords) { starts.append($0) }
      launchesPhone = phone.bool("launchedByMessages")
      ingestion = phone.object("ingestion") { IngestionSetup.schema.read($0) }
      daily = phone.object("daily") { DailySetup.schema.read($0) }
      takeDurability(phone, of: .phone)
      training = phone.object("training") { TrainingSetup.schema.read($0) }
      takeProgram(phone, as: .phone, folder: folder)
      takeActs(phone, of: .phone)
      return ()
    }
    reader.object("watch") { watch in
      takeDurability(watch, of: .watch)
      takeProgram(watch, as: .watch, folder: folder)
      takeActs(watch, of: .watch)
      return ()
    }
    takeAppTime(reader)
    takePayload(reader)
    takeChecks(reader)
    // At one instant it precedes the phone's other events.
    let asked = workouts.filter { $0.startedBy == .phone }
    phoneCommands.insert(
      contentsOf: asked.map { TimedCommand(at: $0.at, command: NodeCommand(TimedCommand.startWorkout)) }, at: 0)
    starts.insert(contentsOf: [JSONValueReader?](repeating: nil, count: asked.count), at: 0)
    reader.object("plan") { plan in
      let time = plan.duration("time")
      if time == .zero { plan.value("time")?.refuse(expected: "a duration above 0") }
      self.plan = Plan(distance: plan.number("distance", in: 1...1_000_000), time: time == .zero ? nil : time?.seconds)
      return ()
    }
    takeLinks(reader)
    edge?.startedAt = start.nanoseconds
    if daily != nil, edge == nil { reader.error("phone.daily: found neither uplink nor edge, expected one of them") }
    carryOutFaults(reader)
    refuseSecondRun(starts)
    reader.object("memory") { memory in
      memory.allow(memory.members.map(\.key))
      self.memory = memory.members
      return ()
    }
    syncsHealth = reader.has("health")
    reader.object("health") { health in
      if let lag = health.duration("syncLag") { healthSyncLag = lag }
      return ()
    }
    if let timeout = reader.duration("replyTimeout") { replyTimeout = timeout }
    if let list = reader.array("plants", countMax: PlantCatalog.all.count) { plants = PlantCatalog.read(list) }
    if let expect = reader.value("expect") { expectations = ExpectationCatalog.read(expect) }
    if let sometimes = reader.value("sometimes") { situations = Situation.read(sometimes) }
    takeRun(reader)
    let script = takeScript(reader, folder: folder, others: &others)
    makeRaceScript(reader)
    resolved = Self.resolve(reader.members, script: script, workouts: workouts)
    written = reader.members
  }

  private mutating func carryOutFaults(_ reader: JSONObjectReader) {
    // A wrong `edge` is reported once, not with every fault.
    let hasUplink = edge != nil || reader.has("edge")
    faults = FaultPlan.read(
      reader.array("faults", countMax: 10_000) ?? [], points: CrashPoint.all, hasUplink: hasUplink,
      end: .start + duration)
    nemesis = reader.object("nemesis") { Nemesis.schema(hasUplink: hasUplink).read($0) }
    guard nemesis != nil, let taken = faults.first(where: { $0.id.hasPrefix(Nemesis.idPrefix) }) else { return }
    reader.error("faults: the id \"\(taken.id)\" is one of the nemesis's own, expected another beside a nemesis")
  }

  private mutating func takeLinks(_ reader: JSONObjectReader) {
    reader.object("link") { link in
      if let profile = LinkProfile.schema.read(link) { self.link = profile }
      return ()
    }
    let hasUplink = reader.has("uplink")
    reader.object("uplink") { uplink in
      if let profile = LinkProfile.schema.read(uplink) { self.uplink = profile }
      if uplink.has("backgroundDelay") {
        uplink.value("backgroundDelay")?.refuse(expected: "it in link: nothing waits on the uplink")
      }
      return ()
    }
    edge = reader.object("edge") { EdgeSetup(reading: $0) }
    if edge != nil, !hasUplink, let profile = ProfileCatalog.profile(named: Self.uplinkDefault) { uplink = profile }
    if edge == nil, uplink.exists { edge = EdgeSetup() }
  }

  /// Two weeks.
  static let durationMax = VirtualTime.Span.hours(336)

  /// The uplink of a scenario that has an edge but no `uplink`.
  static let uplinkDefault = "lte"

  /// Reads the script; returns its node, nil if the scenario has none.
  private mutating func takeScript(
    _ reader: JSONObjectReader, folder: String, others: inout [Diagnostics]
  ) -> JSONNode? {
    guard let value = reader.value("script"), value.node.value != .null else {
      guard !hasOtherDisciplines || coachesRunsOnly else {
        script = Script(messages: [])
        scriptSource = .scenario
        return nil
      }
      script = FallbackScript.make(personality: workout.personality, plan: plan)
      return nil
    }
    scriptSource = .scenario
    guard case .string(let name) = value.node.value else {
      if let script = ScriptValidator.read(value, plan: plan) { self.script = script }
      return value.node
    }
    let path = FilePath.resolve(name, in: folder)
    let collector = DiagnosticsCollector(file: path)
    var found: JSONNode?
    do {
      let bytes = try FilePath.read(path)
      let node = try JSONParser.parse(bytes, dialect: .json)
      found = node
      if let script = ScriptValidator.read(JSONValueReader(node, into: collector), plan: plan) { self.script = script }
    } catch let error as JSONError {
      collector.diagnostics.add(error)
    } catch let error as Failure {
      value.error(error.text)
    } catch {
      value.error("\(error)")
    }
    others.append(collector.diagnostics)
    return found
  }

  private static func resolve(_ members: [JSONMember], script: JSONNode?, workouts: [WorkoutPlan]) -> JSONNode {
    var members = withoutPrograms(members.filter { !["expect", "sometimes", "$schema"].contains($0.key) })
    if let script, let index = members.firstIndex(where: { $0.key == "script" }) { members[index].node = script }
    setPaths(of: workouts, in: &members) { $0 }
    return JSONNode(.object(members))
  }
}

extension JSONNode {
  /// The node with the value at a path of keys replaced; unchanged if there is no such path.
  func replacing(_ path: ArraySlice<String>, with node: JSONNode) -> JSONNode {
    guard let key = path.first else { return node }
    guard case .object(var members) = value, let index = members.firstIndex(where: { $0.key == key }) else {
      return self
    }
    members[index].node = members[index].node.replacing(path.dropFirst(), with: node)
    return JSONNode(.object(members), at: position)
  }
}
