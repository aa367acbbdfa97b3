import CoachProtocol
import Console
import Link
import PhoneSim
import WatchSim

/// The thread of the devices: crashes, suspensions and returns, and what the runner says to the coach.
struct DeviceChapter: StoryChapter {
  /// What a device does whose app dies, by the cause.
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
    switch event.name {
    case NodeKilled.name: leave(event, into: &lines)
    case PowerLost.name: losePower(event, into: &lines)
    case NodeStarted.name: come(event, into: &lines)
    case NodeSuspended.name: sleep(event, into: &lines)
    case NodeResumed.name: wake(event, into: &lines)
    default: listen(event, into: &lines)
    }
  }

  private func device(of event: TraceEvent) -> (index: Int, voice: StoryLine.Voice)? {
    switch event["target"]?.text {
    case "watch": (0, .watch)
    case "phone": (1, .phone)
    default: nil
    }
  }

  private mutating func leave(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard let (index, voice) = device(of: event) else { return }
    away[index] = event.time
    let point = event["point"]?.text.map { Self.step($0) } ?? ""
    let text = event["cause"]?.text.flatMap { Self.deaths[$0] } ?? "its app crashes\(point)"
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: .trouble))
  }

  /// The crash points of all apps.
  private static let points = CrashPoint.session + CrashPoint.watch + CrashPoint.phone

  /// What an app has just done at a crash point, as a clause.
  private static func step(_ point: String) -> String {
    let known = points.first { $0.name == point }?.about
    return known.map { " just when \($0)" } ?? " at \(TerminalText.escape(point))"
  }

  private func losePower(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard let (_, voice) = device(of: event), let lost = event["lost"]?.integer, lost > 0 else { return }
    let text = lost == 1 ? "its last commit is lost" : "its last \(lost) commits are lost"
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: .trouble))
  }

  private mutating func come(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard let (index, voice) = device(of: event), let since = away[index] else { return }
    away[index] = nil
    let text = "its app is back after \(StoryText.length(event.time - since)), from what it had stored"
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: .relief))
  }

  private mutating func sleep(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard let (index, voice) = device(of: event) else { return }
    naps[index] += 1
    guard naps[index] == 1 else { return }
    lines.append(StoryLine(time: event.time, voice: voice, text: "its app is put to sleep", tone: .trouble))
  }

  private mutating func wake(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard let (index, voice) = device(of: event), naps[index] > 0 else { return }
    let text: String
    switch event["cause"]?.text {
    case "message":
      guard naps[index] == 1 else { return }
      text = "its app is woken by a message"
    case "command": text = "its app is woken by the runner"
    default:
      naps[index] = 0
      text = "its app is awake again"
    }
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: .relief))
  }

  private mutating func listen(_ event: TraceEvent, into lines: inout [StoryLine]) {
    if event.name == CommandDropped.name, event.place == .runner, let (_, voice) = device(of: event) {
      let command = TerminalText.escape(event["kind"]?.text ?? "")
      return lines.append(
        StoryLine(
          time: event.time, voice: voice, text: "\"\(command)\" has no effect, as its app is down", tone: .trouble))
    }
    let voice: StoryLine.Voice = event.place == .watch ? .watch : .phone
    switch event.name {
    case VoiceRecorded.name:
      if let note = event.identifier("note"), let bytes = event["bytes"]?.integer { recorded[note] = bytes }
      lines.append(StoryLine(time: event.time, voice: voice, text: "a voice note is recorded"))
    case VoiceReceived.name:
      let (bytes, all) = (event["bytes"]?.integer, event.identifier("note").flatMap { recorded[$0] })
      guard let bytes, let all, bytes != all else {
        return lines.append(StoryLine(time: event.time, voice: voice, text: "has the voice note, whole"))
      }
      let text = "takes \(StoryText.count(bytes)) bytes for the voice note, which has \(StoryText.count(all))"
      lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: .trouble))
    case VoiceTranscribed.name:
      let text = event["transcript"]?.text.map { "understands \"\(TerminalText.escape($0))\"" }
      lines.append(
        StoryLine(time: event.time, voice: voice, text: text ?? "cannot make out the voice note", tone: .quiet))
    default: break
    }
  }
}
