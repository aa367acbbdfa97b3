import Console
import Link

/// The thread of what apps send: each message, context and transfer when it is sent, when it arrives, and when it is lost.
///
/// Of a stream of messages with one name the first is told, and each whose fate is another than that of the one before;
/// the line says how many were like it since.
struct MessageChapter: StoryChapter {
  /// A stream is told again after this time.
  private static let pause = VirtualTime.Span.seconds(60)
  /// The limit of what is remembered of each sort.
  private static let countMax = 10_000

  private enum Fate: Hashable { case sent, arrived, lost }

  /// What a device sends under one name.
  private struct Stream: Hashable {
    var from: TraceEvent.Place
    var name: String
  }

  private struct Told {
    var fate: Fate
    var time: VirtualTime
    /// How many had the same fate since.
    var others = 0
  }

  private struct Message: Hashable {
    var from: TraceEvent.Place
    var epoch: Int64
    var seq: Int64
  }

  // By key, for lookup only.
  private var sent: [Message: (name: String, time: VirtualTime)] = [:]
  private var frames: [Int64: (message: Message, copies: Int64)] = [:]
  private var told: [Stream: [Bool: Told]] = [:]
  /// When each device last set its context.
  private var contexts: [TraceEvent.Place: VirtualTime] = [:]
  private var transfers: [Identifier: (name: String, time: VirtualTime)] = [:]

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.body {
    case .frameSent(let frame):
      guard frame.kind == .data, frame.channel == .message else { return }
      if frames.count >= Self.countMax { frames.removeAll() }
      frames[frame.id] = (Message(from: event.place, epoch: frame.epoch, seq: frame.seq), 1)
    case .frameDuplicated(let frame): frames[frame.id]?.copies += frame.copies
    case .frameDropped(let frame):
      guard let (message, copies) = frames[frame.id] else { return }
      frames[frame.id]?.copies -= 1
      // Another copy may arrive.
      guard copies == 1, let known = sent[message] else { return }
      let cause = StorySummary.cause(frame.cause.text)
      tell(.lost, message.from, known.name, event.time, into: &lines) { name in
        (StoryLine.Voice.link, "\(name) of the \(message.from.text)'s app is lost \(cause)")
      }
    case .messageReceived(let received):
      guard let name = received.kind else { return }
      let message = Message(from: received.from.place, epoch: received.epoch, seq: received.seq)
      let known = sent.removeValue(forKey: message)
      tell(.arrived, message.from, name, event.time, into: &lines) {
        (StoryLine.Voice(event.place), "gets \($0)" + Self.age(known?.time, event.time))
      }
    case .contextSet(let context):
      contexts[event.place] = event.time
      tell(.sent, event.place, context.kind ?? "", isContext: true, event.time, into: &lines) {
        (StoryLine.Voice(event.place), "sets \($0)")
      }
    case .contextReceived(let context):
      let from: TraceEvent.Place = event.place == .watch ? .phone : .watch
      let since = contexts[from]
      tell(.arrived, from, context.kind ?? "", isContext: true, event.time, into: &lines) {
        (StoryLine.Voice(event.place), "gets \($0)" + Self.age(since, event.time))
      }
    case .transferQueued(let transfer):
      let name = Self.transfer(transfer.details.kind, transfer.identity.channel)
      if transfers.count >= Self.countMax { transfers.removeAll() }
      transfers[transfer.identity.transfer] = (name, event.time)
      lines.add(event, "queues \(name)", .quiet)
    case .transferDelivered(let transfer):
      let known = transfers[transfer.identity.transfer]
      let name = known?.name ?? Self.transfer(transfer.details.kind, transfer.identity.channel)
      lines.add(event, "gets \(name)" + Self.age(known?.time, event.time), .quiet)
    case .other(let other):
      guard let message = other.kind as? MessageSent else { return }
      if sent.count >= Self.countMax { sent.removeAll() }
      sent[Message(from: event.place, epoch: message.epoch, seq: message.seq)] = (message.kind, event.time)
      tell(.sent, event.place, message.kind, event.time, into: &lines) {
        (StoryLine.Voice(event.place), "sends \($0)")
      }
    default: break
    }
  }

  /// Tells of an item of a stream, unless it is like the one before.
  private mutating func tell(
    _ fate: Fate, _ from: TraceEvent.Place, _ name: String, isContext: Bool = false, _ time: VirtualTime,
    into lines: inout [StoryLine], _ words: (String) -> (voice: StoryLine.Voice, text: String)
  ) {
    if told.count >= Self.countMax { told.removeAll() }
    let stream = Stream(from: from, name: isContext ? "context \(name)" : name)
    let isEnd = fate != .sent
    var others = 0
    if let last = told[stream]?[isEnd] {
      guard last.fate != fate || time - last.time >= Self.pause else {
        told[stream]?[isEnd]?.others += 1
        return
      }
      others = last.others
    }
    told[stream, default: [:]][isEnd] = Told(fate: fate, time: time)
    var (voice, text) = words(
      isContext ? "the context" + (name.isEmpty ? "" : " \(Self.quoted(name))") : Self.quoted(name))
    if others > 0 { text += ", after \(StoryText.count(others)) more before" }
    lines.add(time, voice, text, fate == .lost ? .trouble : .quiet)
  }

  private static func quoted(_ name: String) -> String { "\"\(TerminalText.escape(name))\"" }

  private static func transfer(_ name: String?, _ channel: Channel) -> String {
    let what = channel == .file ? "file" : "event"
    return "the \(what)" + (name.map { " \(quoted($0))" } ?? "")
  }

  private static func age(_ since: VirtualTime?, _ now: VirtualTime) -> String {
    since.map { ", sent \(StoryText.length(now - $0)) before" } ?? ""
  }
}
