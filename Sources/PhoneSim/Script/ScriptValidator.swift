package import Link

/// Finds everything that is wrong with a script's file, at once.
package enum ScriptValidator {
  /// Speech past this length is warned about.
  package static let speechMax = VirtualTime.Span.seconds(10)

  /// Validates the bytes of a file in JSON.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - file: Its name, as the user gave it.
  ///   - plan: What the runner set out to do; nil where it is not known, and then what depends on it is not judged.
  ///   - dialect: JSON, or JSON5 where the script is part of a scenario.
  package static func validate(
    _ bytes: [UInt8], file: String, plan: Plan? = nil, dialect: JSONDialect = .json
  ) -> Diagnostics {
    let collector = DiagnosticsCollector(file: file)
    do {
      _ = read(JSONValueReader(try JSONParser.parse(bytes, dialect: dialect), into: collector), plan: plan)
    } catch {
      collector.diagnostics.add(error)
    }
    return collector.diagnostics
  }

  /// Reads a script and adds the warnings about what was read; nil where it is none.
  ///
  /// With errors among the diagnostics the script is not to be used.
  package static func read(_ value: JSONValueReader, plan: Plan?) -> Script? {
    var positions: [TextPosition] = []
    guard let script = Script(value, positions: { positions = $0 }) else { return nil }
    for (message, position) in zip(script.messages, positions) {
      let words = SpeechLength.words(in: message.text)
      let span = SpeechLength.span(words: words)
      if span > speechMax {
        value.collector.warning(
          "message \"\(message.id)\": its text takes \(Self.seconds(span)) s to say, which is over 10 s", at: position)
      }
      if let plan, let why = message.trigger.whyNever(under: plan) {
        value.collector.warning("message \"\(message.id)\": its trigger can never hold: it \(why)", at: position)
      }
    }
    if let plan {
      for crowd in crowding(in: script, plan: plan) {
        let (first, second) = (script.messages[crowd.first], script.messages[crowd.second])
        let place = crowd.first == crowd.second ? "its own points" : "message \"\(first.id)\""
        let what = "comes less than 30 s from \(place) at the target pace (about \(crowd.at) s into the run)"
        value.collector.warning("message \"\(second.id)\": \(what)", at: positions[crowd.second])
      }
    }
    return script
  }

  private static func seconds(_ span: VirtualTime.Span) -> String {
    "\(span.nanoseconds / 1_000_000_000).\(span.nanoseconds / 100_000_000 % 10)"
  }

  /// Two positional lines that come too close to each other, by their place in the script.
  struct Crowd: Equatable {
    var first: Int
    var second: Int
    /// Whole seconds of the run at which it first happens.
    var at: Int64
  }

  /// Points of repeating lines that are looked at, at most, of all of them together.
  static let multiplesMax = 100_000

  /// The lines whose points, run at the target pace, come within 30 s of another's: each with its nearest one, and
  /// each pair once.
  ///
  /// Lines of different branches of a branched script are never due together.
  static func crowding(in script: Script, plan: Plan) -> [Crowd] {
    guard let pace = plan.targetPace, let distance = plan.distance, pace.isFinite, pace > 0 else { return [] }
    var points: [(seconds: Double, line: Int)] = []
    var crowds: [Crowd] = []
    var repeating: [(length: Double, line: Int)] = []
    for (line, message) in script.messages.enumerated() {
      switch message.trigger.form(for: plan) {
      case .distancePoint(let metres): points.append((metres / 1000 * pace, line))
      case .timePoint(let seconds): points.append((seconds, line))
      case .everyMultiple(let length):
        // A line in its own way would crowd out all others' warnings.
        if length / 1000 * pace < 30, distance >= 2 * length {
          crowds.append(Crowd(first: line, second: line, at: Int64(min(length / 1000 * pace, 1e15))))
          continue
        }
        repeating.append((length, line))
      case .condition, .never: break
      }
    }
    for (length, line) in repeating {
      let count = min(ScriptEngine.multiple(of: length, at: distance), Int64(multiplesMax / repeating.count))
      for multiple in 0..<max(0, count) { points.append((Double(multiple + 1) * length / 1000 * pace, line)) }
    }
    points.sort { ($0.seconds, $0.line) < ($1.seconds, $1.line) }
    var nearest = [Neighbour?](repeating: nil, count: script.messages.count)
    for (index, point) in points.enumerated() {
      for rival in points[(index + 1)...].prefix(crowdLookMax) {
        let gap = rival.seconds - point.seconds
        guard gap < 30 else { break }
        guard point.line != rival.line, canMeet(script, point.line, rival.line) else { continue }
        for (line, other) in [(point.line, rival.line), (rival.line, point.line)]
        where nearest[line].map({ gap < $0.gap }) ?? true {
          nearest[line] = Neighbour(line: other, gap: gap, at: rival.seconds)
        }
      }
    }
    for (line, neighbour) in nearest.enumerated() {
      guard let neighbour else { continue }
      // Two that are each other's nearest are one pair; it was told with the earlier one.
      if neighbour.line < line, nearest[neighbour.line]?.line == line { continue }
      crowds.append(
        Crowd(
          first: min(line, neighbour.line), second: max(line, neighbour.line), at: Int64(min(neighbour.at, 1e15))))
    }
    return crowds
  }

  /// The line that comes closest to a line.
  private struct Neighbour {
    var line: Int
    /// Seconds between the two.
    var gap: Double
    /// Seconds of the run at which the later one comes.
    var at: Double
  }

  /// Later points that a point is compared with, at most.
  private static let crowdLookMax = 16

  private static func canMeet(_ script: Script, _ first: Int, _ second: Int) -> Bool {
    guard script.branchPolicy == .branched, let a = script.messages[first].branchKey,
      let b = script.messages[second].branchKey
    else { return true }
    return a == b
  }
}
