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
