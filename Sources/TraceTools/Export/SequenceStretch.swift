import Console
import Link

/// The contents of a sequence diagram: the frames and notes of a stretch, in order of time.
struct SequenceStretch {
  /// One step to draw.
  enum Step {
    case sent(ExportedFrame)
    /// The fate of a copy of the sent frame.
    case fate(ExportedFrame, ExportedFrame.Fate)
    case sentence(StoryLine)
  }

  /// The limit of frames in a diagram; more would be unreadable.
  static let framesMax = 150
  /// The limit of sentences of the story.
  private static let linesMax = 100

  private let window: ExportWindow
  private var ledger = FrameLedger()
  private var teller: Storyteller
  private var frames: [ExportedFrame] = []
  private var sentences: [StoryLine] = []
  /// Frames and sentences that did not fit.
  private(set) var omitted = 0
  /// When the first frame that did not fit was sent; nil if all did.
  private(set) var omittedFrom: VirtualTime?

  init(_ subject: ExportSubject) {
    window = subject.window
    teller = Storyteller(header: subject.header)
  }

  mutating func observe(_ event: TraceEvent, line: Int) {
    for line in teller.observe(event, line: line) where window.contains(line.time) {
      if sentences.count < Self.linesMax { sentences.append(line) }
    }
    ledger.observe(event, line: line)
    while let frame = ledger.next() { addFrame(frame) }
  }

  /// Returns the steps to draw; call it at the end of the trace.
  mutating func finish() -> [Step] {
    while let frame = ledger.next(isOver: true) { addFrame(frame) }
    let lines = omittedFrom.map { from in sentences.filter { $0.time < from } } ?? sentences
    // At one instant a note follows the frame it describes, in the order of the trace.
    var steps: [(time: VirtualTime, line: Int, step: Step)] = lines.map { ($0.time, $0.traceLine, .sentence($0)) }
    for frame in frames {
      steps.append((frame.time, frame.line, .sent(frame)))
      for fate in frame.fates.prefix(8) { steps.append((fate.time, fate.line, .fate(frame, fate))) }
    }
    return steps.sorted { ($0.time, $0.line) < ($1.time, $1.line) }.map(\.step)
  }

  /// A notice for the reader if not everything fits; otherwise nil.
  var notice: String? {
    guard let omittedFrom else { return nil }
    return "the diagram shows the first \(frames.count) frames; \(StoryText.count(omitted, "more frame")) from "
      + "\(DurationText.text(omittedFrom - .start)) on \(omitted == 1 ? "is" : "are") left out: "
      + "--from and --to choose another stretch"
  }

  private mutating func addFrame(_ frame: ExportedFrame) {
    guard window.contains(frame.time) else { return }
    guard frames.count < Self.framesMax else {
      omitted += 1
      omittedFrom = omittedFrom ?? frame.time
      return
    }
    frames.append(frame)
  }
}

extension ExportedFrame {
  /// The label of its arrow.
  var label: String {
    let again = attempt > 1 ? ", attempt \(attempt)" : ""
    return TerminalText.escape("\(title)\(again)")
  }
}
