package import Link

/// Reports everything that is wrong with a script.
package enum ScriptValidator {
  /// A line with longer speech gets a warning.
  package static let speechMax = VirtualTime.Span.seconds(10)

  /// Validates the bytes of a file in JSON.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - file: Its name, as the user gave it.
  ///   - plan: The athlete's plan; nil skips the checks that depend on it.
  ///   - dialect: JSON, or JSON5 if the script is part of a scenario.
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

  /// Reads a script and adds warnings; nil if it is none.
  ///
  /// A script with errors among the diagnostics must not be used.
  ///
  /// - Parameters:
  ///   - plan: Lines are judged by its distance and time, if any.
  ///   - accepted: Warnings that are not given; those that apply are removed from the set.
  package static func read(
    _ value: JSONValueReader, plan: Plan?, accepted: inout Set<ScriptWarning>
  ) -> Script? {
    var met: Set<ScriptWarning> = []
    defer { accepted.subtract(met) }
    var positions: [TextPosition] = []
    guard let script = Script(value, positions: { positions = $0 }) else { return nil }
    for (message, position) in zip(script.messages, positions) {
      let words = SpeechLength.wordCount(in: message.text)
      let span = SpeechLength.span(words: words)
      if span > speechMax, accepted.contains(.longLines) {
        met.insert(.longLines)
      } else if span > speechMax {
        value.collector.warning(
          "message \"\(message.id)\": its text takes \(Self.seconds(span)) s to say, which is over 10 s", at: position)
      }
      if let plan, let why = message.trigger.whyNever(under: plan) {
        value.collector.warning("message \"\(message.id)\": its trigger can never hold: it \(why)", at: position)
      }
    }
    if let plan {
      for crowd in crowding(in: script, plan: plan) {
        guard !accepted.contains(.crowdedLines) else {
          met.insert(.crowdedLines)
          break
        }
        let (first, second) = (script.messages[crowd.first], script.messages[crowd.second])
        let other = crowd.first == crowd.second ? "its own points" : "message \"\(first.id)\""
        let what = "comes less than 30 s from \(other) at the target pace (about \(crowd.at) s into the run)"
        value.collector.warning("message \"\(second.id)\": \(what)", at: positions[crowd.second])
      }
    }
    return script
  }

  package static func read(_ value: JSONValueReader, plan: Plan?) -> Script? {
    var none: Set<ScriptWarning> = []
    return read(value, plan: plan, accepted: &none)
  }

  private static func seconds(_ span: VirtualTime.Span) -> String {
    "\(span.nanoseconds / 1_000_000_000).\(span.nanoseconds / 100_000_000 % 10)"
  }

  /// Two positional lines that come too close to each other, by index.
  struct Crowd: Equatable {
    var first: Int
    var second: Int
    /// Whole seconds of the run at which it first happens.
    var at: Int64
  }

  /// Limit of points of repeating lines that are compared, over all lines.
  static let multiplesMax = 100_000

  /// Lines whose points come within 30 s of another's at the target pace: each with its nearest one, each pair once.
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
        // A line that crowds itself would hide all other warnings.
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
        // At one point the priority says which of them is spoken.
        if gap == 0, script.messages[point.line].priority != script.messages[rival.line].priority { continue }
        for (line, other) in [(point.line, rival.line), (rival.line, point.line)]
        where nearest[line].map({ gap < $0.gap }) ?? true {
          nearest[line] = Neighbour(line: other, gap: gap, at: rival.seconds)
        }
      }
    }
    for (line, neighbour) in nearest.enumerated() {
      guard let neighbour else { continue }
      // Mutual nearest neighbours are one pair, reported with the earlier line.
      if neighbour.line < line, nearest[neighbour.line]?.line == line { continue }
      crowds.append(
        Crowd(
          first: min(line, neighbour.line), second: max(line, neighbour.line), at: Int64(min(neighbour.at, 1e15))))
    }
    return crowds
  }

  /// The closest other line.
  private struct Neighbour {
    var line: Int
    /// Seconds between the two.
    var gap: Double
    /// Seconds of the run at which the later one comes.
    var at: Double
  }

  /// Limit of later points that a point is compared with.
  private static let crowdLookMax = 16

  private static func canMeet(_ script: Script, _ first: Int, _ second: Int) -> Bool {
    guard script.branchPolicy == .branched, let a = script.messages[first].branchKey,
      let b = script.messages[second].branchKey
    else { return true }
    return a == b
  }
}

/// A warning about a script that a scenario can be about.
package enum ScriptWarning: String, CaseIterable, Sendable {
  /// Lines whose points lie within 30 s of each other at the target pace.
  case crowdedLines
  /// A text that takes more than 10 s to say.
  case longLines
}
