import Simulator
import TraceTools
import Console
package import Link

/// Renders a run on a terminal: two faces, the link between them, the story, the keys.
package struct LiveScreen {
  /// Characters in a row.
  let columns: Int
  let rows: Int
  /// Whether rows may contain escape sequences.
  let isColored: Bool
  /// Whether the page of keys is shown instead of the timeline.
  var showsHelp = false
  /// How many sentences the timeline is scrolled back.
  var scrolled = 0
  /// Whether an earlier instant than the run's current one is shown.
  var isPast = false
  /// Rows that take the place of the timeline; nil for the timeline.
  var panel: [String]?
  /// What is shown instead of the keys; nil for the keys.
  var notice: String?

  package init(columns: Int, rows: Int, isColored: Bool, isPast: Bool = false) {
    self.columns = columns
    self.rows = rows
    self.isColored = isColored
    self.isPast = isPast
  }

  /// Keys with their effects, in the order in which they are shown.
  static let keys: [(key: String, does: String)] = [
    ("c", "cut or restore the link"), ("u", "cut or restore the uplink"), ("l", "lose three frames in ten, or none"),
    ("d", "delay frames by two seconds, or not"), ("p", "kill the phone's app, or start it"),
    ("w", "kill the watch's app, or start it"), ("space", "pause and resume"), ("+", "twice as fast"),
    ("-", "half as fast"), (",", "a second back"), (".", "a second forward"), ("<", "back by a sentence"),
    (">", "forward by a sentence"), ("b", "branch: two futures from here"), ("m", "mark this moment"),
    ("1 - 9", "do an act of the scenario in its app"), ("↑ ↓", "scroll; also PgUp, PgDn, Home, End"),
    ("^Z", "stop this program; fg continues it"), ("?", "these keys"), ("q", "quit"),
  ]

  /// At most ``rows`` rows, none wider than ``columns``.
  package func text(_ state: LiveState, position: VirtualTime, clock: LiveClock) -> [String] {
    var lines = [head(state, clock)] + [bar(state, position, clock)]
    let faces = columns >= 64 ? wide(state, position) : narrow(state, position)
    lines += faces
    lines.append(rule())
    let foot = notice.map { styled(cut($0, to: columns), [.yellow]) } ?? keysLine
    // A page of keys that does not fit below the faces replaces them.
    if showsHelp, rows - lines.count - 1 < Self.keys.count { lines.removeAll() }
    let room = max(0, rows - lines.count - 1)
    lines += showsHelp ? help(state, room) : panel.map { Array($0.prefix(room)) } ?? timeline(state, room)
    while lines.count < rows - 1 { lines.append("") }
    lines = Array(lines.prefix(max(0, rows - 1)))
    lines.append(foot)
    return lines
  }

  // MARK: Parts

  private func head(_ state: LiveState, _ clock: LiveClock) -> String {
    let left = "\(state.scenario), seed \(state.seed)"
    let right = isPast ? "looking back" : clock.words
    return styled(fit(left, right: right), clock.isPaused || isPast ? [.bold, .yellow] : [.bold])
  }

  private func bar(_ state: LiveState, _ position: VirtualTime, _ clock: LiveClock) -> String {
    let end = state.end(at: position)
    let text = "\(StoryText.clock(position)) of \(StoryText.clock(end)) "
    let room = columns - text.count
    guard room >= 6 else { return fit(text) }
    let part = Double(position.nanoseconds) / Double(max(1, end.nanoseconds))
    let full = min(room, max(0, Int(saturating: part * Double(room))))
    return text + styled(String(repeating: "━", count: full), [.blue])
      + styled(String(repeating: "─", count: room - full), [.dim])
  }

  private func wide(_ state: LiveState, _ position: VirtualTime) -> [String] {
    let width = (columns - 4) / 2
    let left = face("watch", state.watch, width: width)
    let right = phoneFace(state, position, width: width)
    var lines = [""]
    for index in 0..<max(left.count, right.count) {
      let one = index < left.count ? left[index] : (text: "", styles: [])
      let other = index < right.count ? right[index] : (text: "", styles: [])
      lines.append(
        styled(pad(one.text, to: width), one.styles) + "    " + styled(cut(other.text, to: width), other.styles))
    }
    lines.append("")
    lines += link(state, position)
    return lines
  }

  private func narrow(_ state: LiveState, _ position: VirtualTime) -> [String] {
    var lines: [String] = []
    let few = columns < 32 ? 3 : 2
    for row in face("watch", state.watch, width: columns).prefix(few) { lines.append(styled(row.text, row.styles)) }
    for row in phoneFace(state, position, width: columns).prefix(few + 1) {
      lines.append(styled(cut(row.text, to: columns), row.styles))
    }
    return lines + link(state, position).prefix(1)
  }

  private typealias Row = (text: String, styles: [Terminal.Style])

  private func face(_ name: String, _ face: LiveFace, width: Int) -> [Row] {
    let app = !face.isUp ? "app down" : face.isAsleep ? "asleep" : face.state
    let pace = face.pace.map { "\(StoryText.pace($0)) /km" } ?? "- /km"
    let rate = face.heartRate.map { "\($0) bpm" } ?? "- bpm"
    let time = StoryText.clock(seconds: Int64(saturating: min(max(face.elapsed, 0), 1e9)))
    let head: [Terminal.Style] = face.isUp ? [.bold] : [.bold, .red]
    let title = cut("\(name.uppercased())  \(app)", to: width)
    let metres = StoryText.kilometres(face.distance)
    if width < 32 {
      return [(title, head), (cut("\(time) \(metres)", to: width), []), (cut("\(pace) \(rate)", to: width), [])]
    }
    if width < 40 {
      return [(title, head), (cut("\(time) \(metres) \(pace) \(rate)", to: width), [])]
    }
    let reach = face.isReachable ? "" : "does not reach the other"
    return [
      (title, head), (cut("\(time)   \(StoryText.kilometres(face.distance))", to: width), []),
      (cut("\(pace)   \(rate)", to: width), []), (cut(reach, to: width), [.yellow]),
    ]
  }

  private func phoneFace(_ state: LiveState, _ position: VirtualTime, width: Int) -> [Row] {
    var rows = face("phone", state.phone, width: width)
    let heard = state.phone.since.map { "heard \(StoryText.length(position - $0, places: 0)) ago" } ?? "nothing heard"
    let live: Row =
      state.isSilent
      ? ("watch silent, \(heard)", [.red]) : (state.phone.since == nil ? heard : "live, \(heard)", [.green])
    rows.insert((cut(live.text, to: width), live.styles), at: 1)
    if !state.spoken.isEmpty {
      let said = "\(state.isSpeaking ? "says" : "said") \"\(state.spoken)\""
      rows.append((cut(said, to: width), state.isSpeaking ? [.cyan] : [.dim]))
    }
    return rows
  }

  private func link(_ state: LiveState, _ position: VirtualTime) -> [String] {
    var text = state.isLinkUp ? "link up" : "link CUT"
    if let isUp = state.isUplinkUp { text += isUp ? ", uplink up" : ", uplink CUT" }
    text += ", \(state.lost) of \(state.sent) lost"
    if let last = state.losses.last {
      text += ", the last \(StoryText.length(position - last.time, places: 0)) ago (\(last.cause))"
    }
    let faults = state.faults.map { "\($0.kind) (\(TerminalText.escape($0.id)))" }.joined(separator: ", ")
    let isWell = state.isLinkUp && state.isUplinkUp != false
    return [
      styled(cut(text, to: columns), isWell ? [] : [.red]),
      styled(cut(faults.isEmpty ? "no fault" : "faults: \(faults)", to: columns), faults.isEmpty ? [.dim] : [.yellow]),
    ]
  }

  /// The last sentences that fit, the newest at the bottom.
  private func timeline(_ state: LiveState, _ room: Int) -> [String] {
    var lines: [String] = []
    let story = state.story.dropLast(min(scrolled, max(0, state.story.count - 1)))
    for line in story.suffix(room) {
      let text = "\(StoryText.clock(line.time)) \(line.voice.rawValue): \(line.text)"
      for piece in wrap(text, to: columns) { lines.append(styled(cut(piece, to: columns), line.tone.styles)) }
    }
    if scrolled > 0, room > 0 {
      let later = cut("... \(StoryText.count(scrolled, "later sentence")); End follows the run", to: columns)
      return lines.suffix(room - 1) + [styled(later, [.dim])]
    }
    return lines.suffix(room)
  }

  private func help(_ state: LiveState, _ room: Int) -> [String] {
    let acts = state.acts.enumerated().map { ("\($0.offset + 1)", $0.element.words.dropFirst().joined(separator: " ")) }
    return (Self.keys + acts).prefix(room).map { key, does in
      cut("\(pad(key, to: 6))\(TerminalText.escape(does))", to: columns)
    }
  }

  /// The widest line of keys, in characters.
  static let keysColumnsMax = 80

  /// As many keys as fit; the keys for help and for quitting take precedence.
  private var keysLine: String {
    var line = ""
    for key in [
      "? keys", "q quit", "c cut", "l loss", "d delay", "p phone", "w watch", "space pause", "+- speed", "m mark",
    ] {
      let longer = line.isEmpty ? key : "\(line)  \(key)"
      guard longer.count <= min(columns, Self.keysColumnsMax) else { break }
      line = longer
    }
    return styled(line, [.dim])
  }

  private func rule() -> String { styled(String(repeating: "─", count: columns), [.dim]) }

  // MARK: Fitting

  private func fit(_ left: String, right: String = "") -> String {
    guard left.count + right.count + 1 <= columns else { return cut(left, to: columns) }
    return left + String(repeating: " ", count: columns - left.count - right.count) + right
  }

  /// Truncates to a width, with a mark at the end.
  private func cut(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    return width > 1 ? text.prefix(width - 1) + "…" : String(text.prefix(max(0, width)))
  }

  private func pad(_ text: String, to width: Int) -> String {
    let text = cut(text, to: width)
    return text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func styled(_ text: String, _ styles: [Terminal.Style]) -> String {
    Terminal.styled(text, styles, when: isColored)
  }
}
