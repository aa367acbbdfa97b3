import CoachProtocol
import Console
import Link
import PhoneSim
import WatchSim

/// The thread of the devices: crashes, suspensions and returns, and what the athlete says to the coach.
struct DeviceChapter: StoryChapter {
  /// What a device does after its app died, for each cause.
  private static let deaths = Dictionary(
    uniqueKeysWithValues: FaultCatalog.nodeFaults.flatMap { $0.deaths.map { ($0.cause, $0.words) } })

  /// Since when each device is away, by role.
  private var away: [VirtualTime?] = [nil, nil]
  /// How often each device was suspended since the story last mentioned it, since waking for every message is reported
  /// once.
  private var naps = [0, 0]
  /// The bytes of each recorded voice note; for lookup only.
  private var recorded: [Identifier: Int64] = [:]

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let time = event.time
    switch event.body {
    case .nodeKilled(let death): leave(death, time, into: &lines)
    case .nodeStarted(let start): come(start.target, time, into: &lines)
    case .nodeSuspended(let sleep): fallAsleep(sleep.target, time, into: &lines)
    case .nodeResumed(let resumed): wake(resumed, time, into: &lines)
    case .voiceRecorded(let note):
      recorded[note.note] = note.bytes
      lines.add(event, "a voice note is recorded")
    case .voiceReceived(let note): receive(note, time, StoryLine.Voice(event.place), into: &lines)
    case .voiceTranscribed(let note):
      let text = note.transcript.map { "understands \"\(TerminalText.escape($0))\"" }
      lines.add(event, text ?? "cannot make out the voice note", .quiet)
    case .other(let other):
      switch other.kind {
      case let loss as PowerLost: losePower(loss, time, into: &lines)
      case let dropped as CommandDropped:
        guard event.place == .runner, let (_, voice) = device(dropped.target) else { return }
        let text = "\"\(TerminalText.escape(dropped.kind))\" has no effect, as its app is down"
        lines.add(time, voice, text, .trouble)
      default: break
      }
    default: break
    }
  }

  private func device(_ target: NodeRole) -> (index: Int, voice: StoryLine.Voice)? {
    switch target {
    case .watch: (0, .watch)
    case .phone: (1, .phone)
    case .edge: nil
    }
  }

  private mutating func leave(_ death: NodeKilled, _ time: VirtualTime, into lines: inout [StoryLine]) {
    guard let (index, voice) = device(death.target) else { return }
    away[index] = time
    let text = Self.deaths[death.cause] ?? "its app crashes\(death.point.map { Self.step($0) } ?? "")"
    lines.add(time, voice, text, .trouble)
  }

  /// The crash points of all apps.
  private static let points = CrashPoint.session + CrashPoint.watch + CrashPoint.phone + CrashPoint.files

  /// What an app has just done at a crash point, as a clause.
  private static func step(_ point: String) -> String {
    let known = points.first { $0.name == point }?.about
    return known.map { " just when \($0)" } ?? " at \(TerminalText.escape(point))"
  }

  private func losePower(_ loss: PowerLost, _ time: VirtualTime, into lines: inout [StoryLine]) {
    guard let (_, voice) = device(loss.target), loss.lost > 0 else { return }
    let text = loss.lost == 1 ? "its last commit is lost" : "its last \(loss.lost) commits are lost"
    lines.add(time, voice, text, .trouble)
  }

  private mutating func come(_ target: NodeRole, _ time: VirtualTime, into lines: inout [StoryLine]) {
    guard let (index, voice) = device(target), let since = away[index] else { return }
    away[index] = nil
    let text = "its app is back after \(StoryText.length(time - since)), from what it had stored"
    lines.add(time, voice, text, .relief)
  }

  private mutating func fallAsleep(_ target: NodeRole, _ time: VirtualTime, into lines: inout [StoryLine]) {
    guard let (index, voice) = device(target) else { return }
    naps[index] += 1
    guard naps[index] == 1 else { return }
    lines.add(time, voice, "its app is put to sleep", .trouble)
  }

  private mutating func wake(_ resumed: NodeResumed, _ time: VirtualTime, into lines: inout [StoryLine]) {
    guard let (index, voice) = device(resumed.target), naps[index] > 0 else { return }
    let text: String
    switch resumed.cause {
    case "message":
      guard naps[index] == 1 else { return }
      text = "its app is woken by a message"
    case "command": text = "its app is woken by the user"
    case "content":
      guard naps[index] == 1 else { return }
      text = "its app is woken behind the foreground, for what has arrived"
    case "task": text = "its app stays awake to finish a task in the background"
    default:
      naps[index] = 0
      text = "its app is awake again"
    }
    lines.add(time, voice, text, .relief)
  }

  private func receive(
    _ note: VoiceReceived, _ time: VirtualTime, _ voice: StoryLine.Voice, into lines: inout [StoryLine]
  ) {
    guard let all = recorded[note.note], note.bytes != all else {
      return lines.add(time, voice, "has the voice note, whole")
    }
    let text = "takes \(StoryText.count(note.bytes)) bytes for the voice note, which has \(StoryText.count(all))"
    lines.add(time, voice, text, .trouble)
  }
}

/// The thread of the health store and the list of runs: what the phone still lacks, finds, shows and loses.
struct HealthChapter: StoryChapter {
  /// Items that the story has reported as missing, so that it does so only once; for lookup only.
  private var missing: Set<Identifier?> = []

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard case .other(let other) = event.body else { return }
    let time = event.time
    switch other.kind {
    case let absence as HealthAbsent:
      guard missing.insert(absence.query.workout ?? absence.query.runId).inserted else { return }
      lines.add(time, .phone, "looks for the workout in the health store: not there yet, and asked for again", .quiet)
    case let link as HealthLinked:
      // Finding a run's workout is routine; only finding a workout's run is reported.
      guard link.by == "workout" else { return }
      lines.add(time, .phone, "finds a workout in the health store, and by the name in it its own record", .quiet)
    case let truth as HealthTruth:
      let length = StoryText.clock(seconds: Int64(min(max(truth.duration, 0), 1e9).rounded()))
      let figures = "\(StoryText.kilometres(truth.distance)) in \(length)"
      lines.add(time, .phone, "has the workout's figures from the health store: \(figures)")
    case let history as HistoryShown:
      let remark = history.stubs > 0 ? ", \(StoryText.count(Int(history.stubs))) without figures yet" : ""
      let runs = StoryText.count(Int(history.runs), "run")
      lines.add(time, .phone, "shows the list of runs: \(runs)\(remark)")
    case is StoreWiped:
      missing = []
      lines.add(time, .phone, "everything that it kept of workouts and athlete is deleted", .trouble)
    default: break
    }
  }
}

/// The thread of local time: it jumps on a flight, and when the clocks change to summer time or back.
struct LocalTimeChapter: StoryChapter {
  private var coming: ArraySlice<TraceHeader.UTCOffset>
  private var current: TraceHeader.UTCOffset?

  /// - Parameter offsets: Of local time from UTC; those before the start are not told.
  init(offsets: [TraceHeader.UTCOffset]) {
    current = offsets.last { $0.time <= .start } ?? offsets.first
    coming = offsets.drop { $0.time <= .start }
  }

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    while let next = coming.first, next.time <= event.time {
      coming.removeFirst()
      if let before = current, before.seconds != next.seconds {
        let text = "local time is \(Self.name(next)) from now on, and no longer \(Self.name(before))"
        lines.add(next.time, .phone, text, .quiet)
      }
      current = next
    }
  }

  /// As in `UTC+5:30`.
  private static func name(_ offset: TraceHeader.UTCOffset) -> String {
    let minutes = offset.seconds.magnitude / 60
    let fraction = minutes % 60
    let text = fraction == 0 ? "" : fraction < 10 ? ":0\(fraction)" : ":\(fraction)"
    return "UTC\(offset.seconds < 0 ? "-" : "+")\(minutes / 60)\(text)"
  }
}

/// The thread of users' controls during the run, by keys or `ctl`.
struct ControlChapter: StoryChapter {
  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard case .control(let control) = event.body, event.place == .runner else { return }
    let command = TerminalText.escape(control.command)
    let effect = TerminalText.escape(control.effect)
    var line = StoryLine(time: event.time, voice: .run, text: "by hand: \(command): \(effect)")
    if command.hasPrefix("mark ") { line.text = "marked by hand: \(command.dropFirst(5))" }
    if control.refused == true {
      line.text = "by hand: \(command), which is refused: \(effect)"
      line.tone = .quiet
    }
    lines.append(line)
  }
}

/// The thread of apps: the facts they record, their users' acts, and their defects.
struct AppChapter: StoryChapter {
  /// The limit of a fact's fields, in characters.
  private static let fieldsMax = 160

  /// The lowest level of log lines that the story shows.
  var logLevel = AppLogLevel.notice

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard event.place == .watch || event.place == .phone, event.name.text.hasPrefix(AppFact.family) else { return }
    var line = StoryLine(time: event.time, voice: StoryLine.Voice(event.place), text: "")
    switch event.body.kind {
    case let finding as AppFindingMade:
      line.text = "its app: \(finding.kind): \(finding.text)"
      line.tone = .trouble
    case let log as AppLogged:
      guard log.level >= logLevel else { return }
      line.text = "its app logs" + (log.level == .notice ? "" : " (\(log.level.rawValue))")
      line.text += (log.category.map { ", \($0): " } ?? ": ") + log.text
      line.tone = .quiet
    case let act as AppActTaken:
      line.text = "its user does \(TerminalText.escape(act.action))"
      if let arguments = act.arguments { line.text += " with \(arguments.text)" }
    default:
      line.text = "its app: \(event.name.text.dropFirst(AppFact.family.utf8.count))" + Self.text(of: event)
    }
    line.text = TerminalText.escape(line.text)
    lines.append(line)
  }

  private static func text(of event: TraceEvent) -> String {
    guard !event.fields.isEmpty else { return "" }
    let text = AppFact.text(of: event)
    // What a screen shows is a value after its name; other facts have fields of their own.
    let mark = event.fields.count == 1 && event.fields.first?.key == "value" ? ": " : ", "
    return mark + (text.count > fieldsMax ? text.prefix(fieldsMax) + "..." : text)
  }
}
