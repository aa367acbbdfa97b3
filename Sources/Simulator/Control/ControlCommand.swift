import Console
import Link

/// A command to a running run, from keys or `ctl`.
///
/// ```
/// link down|up            uplink down|up
/// fault add KIND [NODE] [--KEY VALUE]... [--for TIME] [--direction D] [--uplink]
/// fault add '{ loss: { probability: 0.3 }, for: "30s" }'
/// fault remove ID         kill watch|phone [--restart-after TIME]
/// restart [watch|phone]   pause, resume, speed 20x|real|virtual
/// act watch|phone NAME [{ JSON5 }]
/// mark TEXT               status                stop
/// ```
package enum ControlCommand {
  /// A change of the run at an instant.
  case order(LiveOrder.Action)
  case pause
  case resume
  /// How many times faster than real time; nil for as fast as possible.
  case speed(Double?)
  case mark(String)
  case status
  case stop

  /// What is wrong with a command, in a sentence.
  package struct Refusal: Error {
    package var text: String

    package init(text: String) { self.text = text }
  }

  /// The conductor's action; nil for a command that needs none.
  package var action: LiveOrder.Action? {
    switch self {
    case .order(let action): action
    case .pause: .record("the run is paused")
    case .resume: .record("time goes on")
    case .speed: .record("time passes at another pace")
    case .mark: .record("marked")
    case .status, .stop: nil
    }
  }

  /// All first words.
  package static let words = [
    "link", "uplink", "fault", "kill", "restart", "act", "pause", "resume", "speed", "mark", "status", "stop",
  ]
  /// Limit of a mark's length.
  static let markMax = 200

  /// Reads a command.
  ///
  /// - Parameter hasEdge: Whether the run has an uplink.
  package init(_ words: [String], hasEdge: Bool) throws(Refusal) {
    guard let first = words.first else { throw Refusal(text: "found no command\(Self.expected)") }
    let rest = Array(words.dropFirst())
    switch first {
    case "link": self = .order(try Self.link(rest, onUplink: false, hasEdge: hasEdge))
    case "uplink": self = .order(try Self.link(rest, onUplink: true, hasEdge: hasEdge))
    case "fault": self = .order(try Self.fault(rest, hasEdge: hasEdge))
    case "kill": self = .order(try Self.kill(rest, hasEdge: hasEdge))
    case "restart":
      let role = try rest.first.map { word throws(Refusal) in try Self.device(word, of: "restart") }
      try Self.nothing(after: 1, of: rest)
      self = .order(.restart(role))
    case "act": self = .order(.act(try Self.act(rest)))
    case "speed":
      guard let word = rest.first, let factor = Pacer.factor(word) else {
        throw Refusal(
          text:
            "speed: found \(Self.quoted(rest.first)), expected virtual, real, or a multiple of real time such as 20x")
      }
      try Self.nothing(after: 1, of: rest)
      self = .speed(factor)
    case "mark":
      let text = TerminalText.escape(rest.joined(separator: " "))
      guard !text.isEmpty, text.count <= Self.markMax else {
        throw Refusal(text: "mark: found \(text.count) characters, expected 1 to \(Self.markMax)")
      }
      self = .mark(text)
    case "pause", "resume", "status", "stop":
      try Self.nothing(after: 0, of: rest)
      self = first == "pause" ? .pause : first == "resume" ? .resume : first == "status" ? .status : .stop
    default:
      throw Refusal(text: "found \(Self.quoted(first))\(PlainText.hint(for: first, among: Self.words))")
    }
  }

  private static var expected: String { ", expected one of \(words.joined(separator: ", "))" }

  private static func quoted(_ word: String?) -> String { word.map { "\"\(TerminalText.escape($0))\"" } ?? "nothing" }

  private static func nothing(after count: Int, of rest: [String]) throws(Refusal) {
    guard rest.count > count else { return }
    throw Refusal(text: "found \(quoted(rest[count])), expected nothing there")
  }

  private static func device(_ word: String, of command: String) throws(Refusal) -> NodeRole {
    switch word {
    case "watch": .watch
    case "phone": .phone
    default: throw Refusal(text: "\(command): found \(quoted(word)), expected watch or phone")
    }
  }

  private static func link(_ rest: [String], onUplink: Bool, hasEdge: Bool) throws(Refusal) -> LiveOrder.Action {
    let name = onUplink ? "uplink" : "link"
    guard !onUplink || hasEdge else { throw Refusal(text: "uplink: this run has none") }
    try nothing(after: 1, of: rest)
    switch rest.first {
    case "down": return .begin(PlannedFault(onUplink: onUplink, .world(DisconnectFault())))
    case "up": return .restore(onUplink: onUplink)
    default: throw Refusal(text: "\(name): found \(quoted(rest.first)), expected down or up")
    }
  }

  private static func kill(_ rest: [String], hasEdge: Bool) throws(Refusal) -> LiveOrder.Action {
    guard let word = rest.first else { throw Refusal(text: "kill: found nothing, expected watch or phone") }
    let role = try device(word, of: "kill")
    var words = ["kill", role.text]
    switch rest.count {
    case 1: break
    case 3 where rest[1] == "--restart-after": words += ["--restartAfter", rest[2]]
    default: throw Refusal(text: "kill: found \(quoted(rest[1])), expected --restart-after TIME, or nothing")
    }
    return .begin(try FaultWordsReader.read(words, hasEdge: hasEdge))
  }

  private static func act(_ rest: [String]) throws(Refusal) -> TimedAct {
    guard let word = rest.first else { throw Refusal(text: "act: found nothing, expected watch or phone") }
    let role = try device(word, of: "act")
    guard rest.count > 1, AppFact.isName(rest[1]) else {
      throw Refusal(text: "act: found \(quoted(rest.dropFirst().first)), expected a name: \(TimedAct.expectedName)")
    }
    guard rest.count > 2 else { return TimedAct(at: .start, role: role, name: rest[1]) }
    let text = rest.dropFirst(2).joined(separator: " ")
    do throws(JSONError) {
      let node = try JSONParser.parse(text, dialect: .json5)
      guard case .object = node.value, JSONWriter.compact(node).count <= TimedAct.argumentBytesMax else {
        throw JSONError(at: node.position, found: quoted(text), expected: "an object of at most 16 KiB")
      }
      return TimedAct(at: .start, role: role, name: rest[1], arguments: node)
    } catch {
      throw Refusal(text: "act: \(TerminalText.escape(error.message))")
    }
  }

  private static func fault(_ rest: [String], hasEdge: Bool) throws(Refusal) -> LiveOrder.Action {
    switch rest.first {
    case "add": return .begin(try FaultWordsReader.read(Array(rest.dropFirst()), hasEdge: hasEdge))
    case "remove":
      guard rest.count > 1 else { throw Refusal(text: "fault remove: found nothing, expected a fault's id") }
      try nothing(after: 2, of: rest)
      return .end(rest[1])
    default: throw Refusal(text: "fault: found \(quoted(rest.first)), expected add or remove")
    }
  }
}

/// Reads a fault from the words of a command, by the rules of scenarios.
enum FaultWordsReader {
  /// Members beside a fault's kind in a scenario, not inside it.
  private static let beside = ["for", "direction", "channels"]

  /// Reads `loss --probability 0.3 --for 30s`, `suspend phone --for 1m`, or the fault as in a scenario.
  static func read(_ words: [String], hasEdge: Bool) throws(ControlCommand.Refusal) -> PlannedFault {
    guard let first = words.first else {
      let kinds = FaultCatalog.all.map { $0.kind }.joined(separator: ", ")
      throw ControlCommand.Refusal(text: "fault add: found nothing, expected one of \(kinds)")
    }
    let node: JSONNode
    if first.hasPrefix("{") {
      do throws(JSONError) { node = try JSONParser.parse(words.joined(separator: " "), dialect: .json5) } catch {
        throw ControlCommand.Refusal(text: "fault add: \(error.message)")
      }
    } else {
      node = try compose(kind: first, Array(words.dropFirst()))
    }
    let collector = DiagnosticsCollector(file: "fault")
    let found = FaultPlan.read(
      [JSONValueReader(node, into: collector)], points: CrashPoint.all, hasUplink: hasEdge)
    if let problem = collector.diagnostics.list.first(where: { $0.severity == .error }) {
      throw ControlCommand.Refusal(text: "fault add: \(TerminalText.escape(problem.message))")
    }
    guard let fault = found.first else { throw ControlCommand.Refusal(text: "fault add: found no fault") }
    return fault
  }

  private static func compose(kind: String, _ words: [String]) throws(ControlCommand.Refusal) -> JSONNode {
    let kinds = FaultCatalog.all.map { $0.kind }
    guard kinds.contains(kind) else {
      throw ControlCommand.Refusal(
        text: "fault add: found \"\(TerminalText.escape(kind))\"\(PlainText.hint(for: kind, among: kinds))")
    }
    var rest = words[...]
    var target: String?
    if let word = rest.first, !word.hasPrefix("--") {
      target = word
      rest.removeFirst()
    }
    var (inside, outside): ([JSONMember], [JSONMember]) = ([], [])
    var isOnUplink = false
    while let word = rest.popFirst() {
      if word == "--uplink" {
        isOnUplink = true
        continue
      }
      guard word.hasPrefix("--"), word.count > 2, let value = rest.popFirst() else {
        throw ControlCommand.Refusal(
          text: "fault add: found \"\(TerminalText.escape(word))\", expected --KEY VALUE, as a scenario names the keys")
      }
      let key = String(word.dropFirst(2))
      let member = JSONMember(key, Self.value(value))
      // A device's fault has its options beside the device's name.
      if target != nil || beside.contains(key) { outside.append(member) } else { inside.append(member) }
    }
    let body = JSONMember(kind, target.map { .string($0) } ?? .object(inside))
    guard isOnUplink else { return JSONNode(.object([body] + outside)) }
    return JSONNode(.object([JSONMember("uplink", .object([body]))] + outside))
  }

  /// A number, a Boolean or a list if the word is one; otherwise the word itself: `30s`, `watch-to-phone`.
  private static func value(_ word: String) -> JSONValue {
    (try? JSONParser.parse(word, dialect: .json5))?.value ?? .string(word)
  }
}
