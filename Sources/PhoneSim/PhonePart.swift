import CoachProtocol
import Link

/// A part of the phone: when it acts by itself, what it does then and at a start, and which commands are for it.
///
/// A part that the scenario does not have has no deadline, and refuses its commands.
struct PhonePart: Sendable {
  /// When it acts next; nil for never.
  ///
  /// The phone is passed in place, so that it is not copied at every input.
  var nextDeadline: @Sendable (inout PhoneNode) -> VirtualTime?
  /// Acts before the first input of a start.
  var begin: (@Sendable (inout PhoneNode, inout Turn) -> Void)?
  /// Acts at its deadline.
  var fire: @Sendable (inout PhoneNode, inout Turn) -> Void
  /// Whether it also acts when only another part is due, since that may be news for it.
  var followsOthers = false
  /// The names of its commands.
  var words: [String] = []
  var carryOut: @Sendable (inout PhoneNode, NodeCommand, inout Turn) -> Void = { _, _, _ in }

  /// All parts, in the order in which those act that are due at one instant.
  ///
  /// The watch comes first: what follows from its silence or its answer is known to all others. Then what is heard and
  /// said, the coach's answers to it, and at last what only stores.
  static let all: [PhonePart] = [
    PhonePart(nextDeadline: { $0.consumer.nextDeadline }, fire: { $0.fireConsumer(in: &$1) }),
    PhonePart(nextDeadline: { $0.startDeadline }, fire: { $0.fireStart(in: &$1) }),
    PhonePart(
      nextDeadline: { $0.audio.nextDeadline }, begin: { $0.beginVoiceChoice(in: &$1) },
      fire: { $0.updateAudio(nil, in: &$1) }, words: VoiceCommand.words, carryOut: { $0.carryOutVoice($1, in: &$2) }),
    PhonePart(
      nextDeadline: { $0.voice.nextDeadline }, begin: { $0.beginVoice(in: &$1) }, fire: { $0.fireVoice(in: &$1) },
      words: [RecordCommand.word], carryOut: { $0.record($1, in: &$2) }),
    PhonePart(
      nextDeadline: { $0.setup.hasEdge ? $0.coach.nextDeadline : nil }, begin: { $0.beginCoach(in: &$1) },
      fire: { $0.fireCoach(in: &$1) }, followsOthers: true),
    PhonePart(
      nextDeadline: { $0.health?.nextDeadline }, begin: { $0.beginHealth(in: &$1) },
      fire: { $0.updateHealth(nil, in: &$1) }),
    PhonePart(
      nextDeadline: { $0.ingestion?.nextDeadline },
      begin: { phone, turn in
        phone.updateIngestion(in: &turn) { $0.begin(into: &$2) }
      },
      fire: { phone, turn in phone.updateIngestion(in: &turn) { $0.fire($1, into: &$2) } },
      words: IngestionCommand.words, carryOut: { $0.carryOutIngestion($1, in: &$2) }),
    PhonePart(
      nextDeadline: { $0.daily?.nextDeadline },
      fire: { phone, turn in phone.updateDaily(in: &turn) { $0.fire($1, into: &$2) } },
      words: DailyCommand.words, carryOut: { $0.carryOutDaily($1, in: &$2) }),
    PhonePart(
      nextDeadline: { $0.isDiskFull ? nil : $0.cloud?.nextDeadline }, begin: { $0.beginTraining(in: &$1) },
      fire: { $0.fireCloud(in: &$1) }, words: TrainingCommand.words, carryOut: { $0.carryOutTraining($1, in: &$2) }),
  ]
}

/// What a part knows of the time at a call.
struct PartMoment: Sendable {
  var now: VirtualTime
  /// The phone's clock, in nanoseconds since 1970.
  var clock: Int64
  /// The true time, in nanoseconds since 1970: that of simulated meals and samples.
  var truth: Int64
  /// What local time adds to UTC, in seconds.
  var offset: Int64
  /// The phone's health store; nil if there is none, as in an import.
  var health: PhoneHealth?

  var seconds: Int64 { clock / 1_000_000_000 }
  var today: LocalDay { LocalDay(clock: clock, offset: offset) }
}

extension PhoneNode {
  func moment(at now: VirtualTime, _ health: PhoneHealth?) -> PartMoment {
    let offset = setup.utcOffsets.last { $0.from <= now } ?? setup.utcOffsets.first
    return PartMoment(
      now: now, clock: clock.reading(at: now), truth: setup.startedAt &+ now.nanoseconds, offset: offset?.seconds ?? 0,
      health: health)
  }

  /// Stores what a part changed in one transaction, and records its events.
  mutating func commit(_ changes: [RareChange], _ events: [any TraceEventKind], in turn: inout Turn) {
    let now = turn.now
    for change in changes { persist(change, in: &turn) }
    if !changes.isEmpty { turn.items.append(.commit) }
    guard turn.isRecording else { return }
    for event in events { turn.record(TraceEvent(event, at: now, on: .phone)) }
  }
}
