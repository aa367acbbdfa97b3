import Foundation
import Link

/// `sim-runner ctl`: breaks the link of a run that is going on.
enum CtlCommand: Command {
  static let name = "ctl"
  static let about = "breaks the link of a run that is going on (run --control SOCKET)"
  static let usage = "SOCKET COMMAND [--json]"
  static let options: [Option] = [.flag("--json", "print the answer as it came, one JSON object")]
  static let takesAnyWords = true
  static let details = """
    SOCKET is what the run was given with --control. COMMAND is one of:

      link down | link up            cut the link, restore it; uplink down and up do so with the way to the edge
      fault add KIND [--KEY VALUE]   begin a fault: fault add loss --probability 0.3 --for 30s
                                     keys as in scenarios (docs/scenario-reference.md); --for, --direction, --uplink
      fault add KIND NODE            begin a fault of a device: fault add suspend phone --for 1m
      fault add '{ ... }'            begin a fault, spelled as a scenario spells it
      fault remove ID                end a fault that is on
      kill watch|phone [--restart-after TIME]
      restart [watch|phone]          start an app that is down
      pause, resume, speed 20x       have time stand still, go on, pass at another pace
      mark TEXT                      leave a note in the trace
      status                         what is going on
      stop                           end the run

    What is done stands in the trace as a control line and as faults with their times; run --save FILE makes a
    scenario of it. Exit status: 0 done; 2 refused, with a word about why; 3 nobody listens, or the run ended.
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
      throw .environment("\(path): error: found an answer that is no JSON: \(TerminalText.escape(answer))")
    }
    let isDone = node.member("ok")?.value == .bool(true)
    if isJSON {
      Terminal.print(TerminalText.escape(answer))
    } else if isDone {
      for line in text(node) { Terminal.print(line) }
    } else {
      Terminal.error(TerminalText.escape(node.member("error")?.text ?? "refused"))
    }
    return isDone ? 0 : 2
  }

  /// The answer to a command, one line.
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
    if let effect = node.member("effect")?.text {
      let at = node.member("t").flatMap(clock).map { "at \($0): " } ?? ""
      let fault = node.member("fault")?.text.map { " (\($0))" } ?? ""
      return [TerminalText.escape("\(at)\(effect)\(fault)")]
    }
    let rows = members.filter { $0.key != "ok" }.map { member in
      let clock = ["t", "duration"].contains(member.key) ? clock(member.node) : nil
      return [member.key == "t" ? "time" : member.key, TerminalText.escape(clock ?? words(member.node))]
    }
    return PlainText.columns(rows)
  }

  /// A time of the run, which is in nanoseconds as in a trace; nil for what can be none.
  private static func clock(_ node: JSONNode) -> String? {
    guard case .integer(let nanoseconds) = node.value, nanoseconds >= 0 else { return nil }
    return StoryText.clock(seconds: nanoseconds / 1_000_000_000)
  }

  /// A value in words: what an object holds by its keys, what a list holds one after the other.
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
