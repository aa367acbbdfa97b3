import Link

/// A user's act in an app: an element of a scenario's `phone.acts` or `watch.acts`.
struct TimedAct: Sendable, Equatable {
  var at: VirtualTime
  var role: NodeRole
  /// The `do`.
  var name: String
  /// The `with`, an object; nil for none.
  var arguments: JSONNode?
  /// Whether the act starts an app that is down, as if the user opened it.
  var launches = false

  /// The limit of acts of one device.
  static let countMax = 10_000
  /// The limit of `with` as JSON, in bytes.
  static let argumentBytesMax = AppFact.textBytesMax
  /// The form of a name, for messages.
  static let expectedName = "a letter, then letters, digits, - and _, at most \(AppFact.nameBytesMax) bytes"

  /// The command that passes it to the app.
  var command: NodeCommand { NodeCommand(act: name, with: arguments) }

  /// Whether another act does the same, at any time.
  func isSame(as other: TimedAct) -> Bool {
    role == other.role && words == other.words
  }

  /// The arguments of `ctl` that do it now.
  var words: [String] {
    ["act", role.text, name] + (arguments.map { [String(decoding: JSONWriter.compact($0), as: UTF8.self)] } ?? [])
  }

  /// The act in a scenario's spelling.
  var json: JSONNode {
    var members = [JSONMember("at", .plain((at - .start).seconds)), JSONMember("do", .string(name))]
    if let arguments { members.append(JSONMember(key: "with", at: .nowhere, arguments)) }
    if launches { members.append(JSONMember("launch", .bool(true))) }
    return JSONNode(.object(members))
  }
}

extension Scenario {
  /// Reads `phone.acts` or `watch.acts`.
  mutating func takeActs(_ reader: JSONObjectReader, of role: NodeRole) {
    for element in reader.array("acts", countMax: TimedAct.countMax) ?? [] {
      guard let reader = element.object() else { continue }
      let at = reader.duration("at", required: true)
      let value = reader.value("do", required: true)
      let name = value?.string()
      if let name, !AppFact.isName(name) { value?.refuse(expected: TimedAct.expectedName) }
      let arguments = reader.value("with")
      if let arguments {
        if case .object = arguments.node.value {
          let bytes = JSONWriter.compact(arguments.node).count
          if bytes > TimedAct.argumentBytesMax {
            arguments.error("found \(bytes) bytes as JSON, expected at most \(TimedAct.argumentBytesMax)")
          }
        } else {
          arguments.refuse(expected: "an object")
        }
      }
      let launches = reader.bool("launch") ?? false
      reader.finish()
      guard let at, let name else { continue }
      acts.append(
        TimedAct(at: .start + at, role: role, name: name, arguments: arguments?.node, launches: launches))
    }
  }

  /// Reads `payload`.
  mutating func takePayload(_ reader: JSONObjectReader) {
    reader.object("payload") { payload in
      guard let value = payload.value("name", required: true), let text = value.string() else { return () }
      payloadName = PayloadPath(text)
      if payloadName == nil { value.refuse(expected: PayloadPath.expected) }
      return ()
    }
  }

  /// Reads `checks`.
  mutating func takeChecks(_ reader: JSONObjectReader) {
    reader.object("checks") { checks in
      for kind in AppCheck.Kind.allCases {
        let check = checks.object(kind.rawValue) { check -> AppCheck? in
          guard kind.comparesRuns else { return Self.singleRunCheck(kind, check) }
          guard let list = check.array("facts", countMax: 1_000) else { return AppCheck(kind: kind) }
          if list.isEmpty { check.error("facts: found an empty array, expected names, or no `facts` for all") }
          return AppCheck(kind: kind, facts: list.compactMap { Self.factName($0) })
        }
        if let check { self.checks.append(check) }
      }
      return ()
    }
  }

  /// Reads a check that needs no second run.
  private static func singleRunCheck(_ kind: AppCheck.Kind, _ reader: JSONObjectReader) -> AppCheck {
    var check = AppCheck(kind: kind)
    if kind == .noMainThreadStall {
      check.stallMax = reader.duration("longerThan", in: .milliseconds(1) ... .seconds(3_600))
    }
    guard kind == .owedIsSaid else { return check }
    let sent = reader.value("sent").map { ($0, factName($0)) }
    let said = reader.array("said", countMax: 100)
    let by = reader.string("by")
    guard sent != nil || said != nil || by != nil else { return check }
    guard let sent, let said, !said.isEmpty else {
      reader.error("found one of `sent`, `said` and `by`, expected `sent` and at least one name in `said`")
      return check
    }
    if let name = sent.1 {
      check.owed = OwedFacts(sent: name, said: said.compactMap { factName($0) }, by: by ?? OwedFacts.byDefault)
    }
    return check
  }

  private static func factName(_ value: JSONValueReader) -> String? {
    guard let name = value.string() else { return nil }
    guard AppFact.isName(name), !AppFact.reserved.contains(name) else {
      value.refuse(expected: "the name of a fact")
      return nil
    }
    return name
  }

  /// `checks` in a scenario's spelling; nil for none.
  var checksMember: JSONMember? {
    checks.isEmpty ? nil : JSONMember("checks", .object(checks.map(\.member)))
  }

  /// `payload` in a scenario's spelling; nil for none.
  var payloadMember: JSONMember? {
    payloadName.map { JSONMember("payload", .object([JSONMember("name", .string($0.text))])) }
  }

  /// The acts of one device in a scenario's spelling; nil for none.
  func actsMember(of role: NodeRole) -> JSONMember? {
    let acts = acts.filter { $0.role == role }
    return acts.isEmpty ? nil : JSONMember("acts", .array(acts.map(\.json)))
  }

  /// Writes the acts into the members of the file.
  static func setActs(of scenario: Scenario, in members: inout [JSONMember]) {
    for role in [NodeRole.watch, .phone] {
      guard let acts = scenario.actsMember(of: role) else { continue }
      if let index = members.firstIndex(where: { $0.key == role.text }),
        case .object(let old) = members[index].node.value
      {
        members[index].node.value = .object(old.filter { $0.key != "acts" } + [acts])
      } else {
        members.append(JSONMember(role.text, .object([acts])))
      }
    }
  }

  /// Refuses acts for a built-in node, and faults that apply only to apps.
  func checkApps() throws(Failure) {
    for fault in faults {
      guard case .node(let body) = fault.body, type(of: body).isForAppsOnly, programs[body.node] == nil else {
        continue
      }
      throw .input(
        "faults: found \(fault.kind) for the built-in \(body.node.text), expected an app: \(body.node.text).command, or "
          + "--\(body.node.text)-cmd")
    }
    guard let act = acts.first(where: { programs[$0.role] == nil }) else { return }
    throw .input(
      "\(act.role.text).acts: found the act \"\(act.name)\" for the built-in \(act.role.text), expected an app: "
        + "\(act.role.text).command, or --\(act.role.text)-cmd")
  }
}
