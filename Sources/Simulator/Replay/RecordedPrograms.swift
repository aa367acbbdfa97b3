package import Console
package import Link

/// The user programs that played nodes of a recorded run.
///
/// They are run again, because no built-in node can repeat what a program did. Of the recorded commands only those are
/// run whose program is, to the byte, the app in the trace's header; a command line can name any other.
package struct RecordedPrograms {
  /// From the header.
  private(set) var programs = UserPrograms()
  package private(set) var time = AppTime()
  /// The digest of each app's program.
  private var digests: [NodeRole: String] = [:]
  private let place: String

  /// Reads the header of a trace.
  ///
  /// - Throws: ``Failure/input(_:)`` for a member that no release of this program writes.
  package init(_ trace: RecordedTrace) throws(Failure) {
    guard let recorded = trace.header.extra(ProgramsHeader.key) else {
      place = trace.path
      return
    }
    place = "\(trace.path):1:\(recorded.position.column): error"
    for role in [NodeRole.watch, .phone] {
      guard let node = recorded[role.text] else { continue }
      guard let text = node["command"]?.text else {
        throw .input("\(place): found a \(role.text) without a command in programs, expected one")
      }
      let option = "\(place): programs.\(role.text).command"
      var program = try UserProgram(text, option: option)
      // A scenario names a program relative to its own folder, where the trace often is, or in a folder of failures in
      // it.
      let folder = FilePath.folder(of: trace.path)
      for place in [folder, FilePath.resolve("..", in: folder)] where program.image == nil {
        program = try UserProgram(text, option: option, in: place)
      }
      programs[role] = program
      if let digest = node["sha256"]?.text { digests[role] = digest }
      if let virtualTime = node["virtualTime"] { try read(virtualTime) }
    }
  }

  private mutating func read(_ node: JSONNode) throws(Failure) {
    guard let version = node["version"]?.integer, version == AppTime.version else {
      throw .input(
        "\(place): found a run in virtual time of another version of the library, expected version \(AppTime.version)")
    }
    if let text = node["threads"]?.text {
      guard let policy = AppTime.Policy(rawValue: text) else {
        throw .input(
          "\(place): found \"\(TerminalText.escape(text))\" in programs as threads, expected fair, pct or fifo")
      }
      time.policy = policy
    }
    if let text = node["threadsSeed"]?.text {
      guard let seed = UInt64(text) else {
        throw .input("\(place): found \"\(TerminalText.escape(text))\" in programs as threadsSeed, expected a seed")
      }
      time.threadsSeed = seed
    }
    if let jitter = node["jitterMilliseconds"]?.integer {
      guard let value = UInt64(exactly: jitter), value <= AppTime.jitterMax else {
        throw .input("\(place): found \(jitter) in programs as jitterMilliseconds, expected 0 to \(AppTime.jitterMax)")
      }
      time.jitterMilliseconds = value
    }
    time.environment = AppEnvironment()
    for variable in node["environment"]?.elements ?? [] {
      try time.environment.add(entry: variable.text ?? "", option: "\(place): programs, environment")
    }
  }

  /// Refuses to compare a built-in node with a user's program.
  package func refuse(_ role: NodeRole, option: String) throws(Failure) {
    guard let program = programs[role] else { return }
    throw .input(
      "\(place): found a \(role.text) played by the program \(TerminalText.escape(program.text)), expected a built-in one with "
        + "\(option); without it the program is run again")
  }

  /// The programs to run again.
  ///
  /// - Parameter named: Those of the command line, which take precedence.
  /// - Throws: ``Failure/input(_:)`` for one that is not the program that the trace was made from.
  package func running(_ named: UserPrograms) throws(Failure) -> UserPrograms {
    var running = UserPrograms()
    for role in [NodeRole.watch, .phone] {
      let option = "--\(role.text)-cmd"
      guard let recorded = programs[role] else {
        guard named[role] == nil else {
          throw .input("\(option): the \(role.text) of \(place.prefix { $0 != ":" }) was a built-in one")
        }
        continue
      }
      let program = named[role] ?? recorded
      running[role] = program
      if named[role] != nil { continue }
      let name = TerminalText.escape(recorded.words[0])
      guard let digest = digests[role] else {
        throw .input(
          "\(place): found a \(role.text) played by the program \(name), which no digest identifies; "
            + "\(option) names the program to run")
      }
      guard let image = recorded.image else {
        throw .input("\(name): error: the program of the \(role.text) is not there; \(option) names it elsewhere")
      }
      guard image.digest == digest else {
        throw .input(
          "\(name): error: found a program of SHA-256 \(image.digest.prefix(16))..., expected "
            + "\(TerminalText.escape(String(digest.prefix(16))))..., of which the trace is; \(option) runs another one")
      }
    }
    return running
  }
}

extension RecordedTrace {
  /// Refuses a trace in which a node of one of these roles was a free-running app, which no built-in node can repeat.
  ///
  /// - Throws: ``Failure/input(_:)``.
  package func refuseFreeRunning(_ roles: [NodeRole]) throws(Failure) {
    guard let names = header.extra("freeRunning") else { return }
    for role in roles where names.elements.contains(where: { $0.text == role.text }) {
      throw .input(
        "\(path):1:\(names.position.column): error: found a \(role.text) with timers of its own, which cannot be "
          + "made to do the same again; expected one that follows grants")
    }
  }
}

/// Repeats the users' controls of a recorded run at the same instants.
package final class RecordedControls: LiveControls {
  private var orders: [(at: VirtualTime, order: LiveOrder)] = []
  private var next = 0
  private let last: VirtualTime?

  /// Nil if there were no controls.
  ///
  /// - Parameter last: The last instant of the run; nil for its own end.
  package init?(_ trace: RecordedTrace, hasEdge: Bool, last: VirtualTime?) {
    self.last = last
    for event in trace.events where event.place == .runner && event.name.text == "control" {
      guard let command = event.text("command") else { continue }
      var action = LiveOrder.Action.record(event.text("effect") ?? "")
      // A mark is recorded without quotes.
      let words =
        command.hasPrefix("mark ")
        ? ["mark", String(command.dropFirst(5))] : try? CommandWords.split(command, option: "control")
      if let words, let known = try? ControlCommand(words, hasEdge: hasEdge), let ordered = known.action {
        action = ordered
      }
      let origin = event.text("by").flatMap(LiveOrder.Origin.init(rawValue:)) ?? .ctl
      orders.append((event.time, LiveOrder(origin: origin, command: command, action: action)))
    }
    guard !orders.isEmpty else { return nil }
  }

  package func wait(from now: VirtualTime, to next: VirtualTime) -> LiveStep {
    // Controls come first: the last ones of a stopped run lie between its last event and its end.
    if self.next < orders.count {
      // A control's instant is unique: one that would lie in the past follows immediately.
      let at = max(orders[self.next].at, now + VirtualTime.Span(nanoseconds: 1))
      if at <= min(next, last ?? next) {
        self.next += 1
        return .order(orders[self.next - 1].order, at: at)
      }
    }
    if let last, next > last { return .stop(at: last) }
    return .advance
  }

  package func carriedOut(_ order: LiveOrder, _ outcome: LiveOutcome, plan: [PlannedFault]) {}
}
