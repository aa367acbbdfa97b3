package import Console
package import Link
import Simulator

/// What a user does on the page, read from the page's JSON.
package enum PageAct {
  /// What a step goes to.
  package enum Step: String, CaseIterable {
    case event, decision, sentence, second
  }

  case play
  case pause
  /// Virtual seconds in a second; nil for as fast as it goes.
  case speed(Double?)
  case seek(VirtualTime)
  case step(Step, isForward: Bool)
  /// A fault as a scenario spells it, without `at`, and what to call it.
  case fault([JSONMember], text: String)
  case endFault(String)
  /// An event of the watch or the phone, as a scenario spells it.
  case event([JSONMember], on: NodeRole, text: String)
  /// An act of an app of the user's own, as a scenario spells it.
  case appAct([JSONMember], on: NodeRole, text: String)
  case startWorkout
  case undo
  case branch([JSONMember], text: String)
  case keep(Int)
  case save

  /// Reads an act.
  ///
  /// - Parameter bytes: A JSON object; `do` says which act it is.
  /// - Throws: ``Failure/input(_:)`` with what was found and expected.
  package init(_ bytes: [UInt8]) throws(Failure) {
    let node: JSONNode
    do { node = try JSONParser.parse(bytes, dialect: .json) } catch {
      throw .input("an act: \(TerminalText.escape(error.description))")
    }
    guard let word = node["do"]?.text else { throw .input("an act: found no \"do\", expected one") }
    switch word {
    case "play": self = .play
    case "pause": self = .pause
    case "speed": self = .speed(try Self.speed(node))
    case "seek": self = .seek(VirtualTime(nanoseconds: try Self.instant(node)))
    case "step":
      guard let step = node["to"]?.text.flatMap(Step.init(rawValue:)) else {
        throw .input("step: expected \"to\": \(Step.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      self = .step(step, isForward: node["back"]?.boolean != true)
    case "fault": self = .fault(try Self.members(node, "fault"), text: Self.text(node))
    case "branch": self = .branch(try Self.members(node, "fault"), text: Self.text(node))
    case "endFault":
      guard let id = node["id"]?.text else { throw .input("endFault: found no \"id\", expected a fault's") }
      self = .endFault(id)
    case "event": self = .event(try Self.members(node, "event"), on: try Self.role(node), text: Self.text(node))
    case "act": self = .appAct(try Self.members(node, "event"), on: try Self.role(node), text: Self.text(node))
    case "startWorkout": self = .startWorkout
    case "undo": self = .undo
    case "keep": self = .keep(Int(clamping: node["lane"]?.integer ?? -1))
    case "save": self = .save
    default: throw .input("an act: found \"\(TerminalText.escape(word))\", expected one of the page's")
    }
  }

  private static func speed(_ node: JSONNode) throws(Failure) -> Double? {
    guard let factor = node["factor"]?.double else { return nil }
    guard factor > 0, factor <= 100_000 else {
      throw .input("speed: found \(factor), expected more than 0, at most 100000")
    }
    return factor
  }

  private static func instant(_ node: JSONNode) throws(Failure) -> Int64 {
    guard let seconds = node["t"]?.double, seconds >= 0, seconds < 9e9 else {
      throw .input("seek: expected \"t\", seconds since the run's start")
    }
    return Int64((seconds * 1e9).rounded())
  }

  private static func members(_ node: JSONNode, _ key: String) throws(Failure) -> [JSONMember] {
    guard case .object(let members)? = node[key]?.value else {
      throw .input("an act: found no \"\(key)\", expected an object as a scenario has it")
    }
    return members
  }

  private static func role(_ node: JSONNode) throws(Failure) -> NodeRole {
    switch node["on"]?.text {
    case "watch": return .watch
    case "phone": return .phone
    default: throw .input("an act: expected \"on\": watch or phone")
    }
  }

  private static func text(_ node: JSONNode) -> String {
    TerminalText.escape(String((node["text"]?.text ?? "by hand").prefix(120)))
  }
}
