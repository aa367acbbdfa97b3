import LiveView
import Simulator
import Console
import Foundation
import Link

/// `sim-runner ctl`: controls a running run.
enum CtlCommand: Command {
  static let name = "ctl"
  static let about = "controls a running run (run --control SOCKET)"
  static let usage = "SOCKET COMMAND [--json]"
  static let options: [Option] = [.flag("--json", "print the answer unchanged, one JSON object")]
  static let takesAnyWords = true
  static let details = """
    SOCKET is the path given to `run --control`. COMMAND is one of:

      link down | link up            cut or restore the link; uplink down, uplink up do so for the uplink
      fault add KIND [--KEY VALUE]   begin a fault: fault add loss --probability 0.3 --for 30s
                                     keys as in scenarios (docs/scenarios.md); --for, --direction, --uplink
      fault add KIND NODE            begin a fault of a device: fault add suspend phone --for 1m
      fault add '{ ... }'            begin a fault, written as in a scenario
      fault remove ID                end an active fault
      kill watch|phone [--restart-after TIME]
      restart [watch|phone]          start an app that is down
      pause, resume, speed 20x       pause time, resume it, change its pace
      mark TEXT                      add a mark to the trace
      status                         print the current state
      stop                           end the run

    Commands are recorded in the trace as control lines, and as faults with their times; run --save FILE writes
    them to a scenario. Exit status: 0 done; 2 refused, with a reason; 3 no run listens, or the run ended.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    var words = arguments.operands
    let isJSON = words.contains("--json")
    words.removeAll { $0 == "--json" }
    guard let path = words.first else { throw .input("the socket is missing") }
    words.removeFirst()
    guard !words.isEmpty else {
      throw .input("found no command, expected one of \(ControlCommand.words.joined(separator: ", "))")
    }
    let answer = try ask(path, CommandWords.join(words))
    let node: JSONNode
    do { node = try JSONParser.parse(answer, dialect: .json) } catch {
      throw .environment("\(path): error: found an answer that is not JSON: \(TerminalText.escape(answer))")
    }
    let isDone = node["ok"]?.value == .bool(true)
    if isJSON {
      Terminal.print(TerminalText.escape(answer))
    } else if isDone {
      for line in text(node) { Terminal.print(line) }
    } else {
      Terminal.error(TerminalText.escape(node["error"]?.text ?? "refused"))
    }
    return isDone ? 0 : 2
  }

  /// Sends a command and returns the answer, one line.
  private static func ask(_ path: String, _ command: String) throws(Failure) -> String {
    guard !command.contains("\n") else { throw .input("found a line feed, expected a command of one line") }
    let descriptor = try ControlSocket.connect(to: path)
    defer { close(descriptor) }
    let bytes = Array("\(command)\n".utf8)
    guard send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
      throw .environment("\(path): error: the run does not listen any more")
    }
    var answer: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 4_096)
    while !answer.contains(UInt8(ascii: "\n")) {
      let count = recv(descriptor, &room, room.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0, answer.count < 1 << 20 else {
        throw .environment("\(path): error: the run ended before it answered")
      }
      answer += room.prefix(count)
    }
    return String(decoding: answer.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  private static func text(_ node: JSONNode) -> [String] {
    guard case .object(let members) = node.value else { return [] }
    if let effect = node["effect"]?.text {
      let at = node["t"].flatMap(clock).map { "at \($0): " } ?? ""
      let fault = node["fault"]?.text.map { " (\($0))" } ?? ""
      return [TerminalText.escape("\(at)\(effect)\(fault)")]
    }
    let rows = members.filter { $0.key != "ok" }.map { member in
      let clock = ["t", "duration"].contains(member.key) ? clock(member.node) : nil
      return [member.key == "t" ? "time" : member.key, TerminalText.escape(clock ?? words(member.node))]
    }
    return PlainText.columns(rows)
  }

  /// A virtual time in nanoseconds as `10:04.375`; nil for an invalid one.
  private static func clock(_ node: JSONNode) -> String? {
    guard case .integer(let nanoseconds) = node.value, nanoseconds >= 0 else { return nil }
    return VirtualTime(nanoseconds: nanoseconds).text
  }

  /// A JSON value as text: an object's members with their keys, a list's elements in order.
  private static func words(_ node: JSONNode) -> String {
    switch node.value {
    case .object(let members): members.map { "\($0.key) \(words($0.node))" }.joined(separator: ", ")
    case .array(let nodes): nodes.isEmpty ? "none" : nodes.map(words).joined(separator: "; ")
    case .bool(let isTrue): isTrue ? "yes" : "no"
    case .null: "-"
    default: node.text ?? String(decoding: JSONWriter.compact(node), as: UTF8.self)
    }
  }
}
