/// Tells lines of one name apart where not all who listen to the name have something to say of each: for the sake of
/// time alone.
///
/// A line of a sort has a code of its own, under which those are found who listen to it. One whose sort is not known has
/// its name's code: it is handed to all.
struct LineSorter: Sendable {
  /// The kind of message that some pass over; nil where nobody does.
  private let passedKind: String?
  /// The latest frame that was sent.
  private var lastSent: Int64 = 0
  /// Which of the 64 frames up to that one are known to be plain, the last one's bit lowest.
  private var plain: UInt64 = 0

  init(passedKind: String?) { self.passedKind = passedKind }

  /// The code under which those are found who listen to a line; lines are taken in the order of the trace.
  @inline(__always)
  mutating func code(of event: TraceEvent) -> UInt64 {
    let code = event.name.code
    switch code {
    case TraceEvent.Name.Code.frameSent:
      guard let sort = FrameSort(sent: event) else {
        plain = 0
        return code
      }
      note(event, isPlain: sort == .plain)
      return Self.code(sent: sort)
    case TraceEvent.Name.Code.frameDelivered: return isPlain(event) ? Self.deliveredPlain : code
    case TraceEvent.Name.Code.messageReceived: return isPassed(event) ? Self.receivedPassed : code
    default: return code
    }
  }

  /// Stands for the lines of sent frames of a sort; no name's own, as the others here.
  static func code(sent sort: FrameSort) -> UInt64 { TraceEvent.Name.Code.frameSent &+ UInt64(sort.rawValue) &+ 1 }
  /// Stands for the arrivals of plain frames.
  static let deliveredPlain = TraceEvent.Name.Code.frameDelivered &+ 1
  /// Stands for the messages of the kind that some pass over.
  static let receivedPassed = TraceEvent.Name.Code.messageReceived &+ 1

  @inline(__always)
  private mutating func note(_ event: TraceEvent, isPlain: Bool) {
    // Frames count from 1, one by one; where they do not, nothing is known.
    guard let id = Self.id(event), id == lastSent &+ 1 else {
      plain = 0
      lastSent = max(lastSent, Self.id(event) ?? 0)
      return
    }
    plain = plain << 1 | (isPlain ? 1 : 0)
    lastSent = id
  }

  @inline(__always)
  private func isPlain(_ event: TraceEvent) -> Bool {
    guard let id = Self.id(event) else { return false }
    let age = lastSent &- id
    return 0..<64 ~= age && plain >> UInt64(age) & 1 == 1
  }

  @inline(__always)
  private static func id(_ event: TraceEvent) -> Int64? {
    guard let first = event.fields.first, first.key.isIdentical(to: "id"), case .int(let id) = first.value else {
      return nil
    }
    return id
  }

  @inline(__always)
  private func isPassed(_ event: TraceEvent) -> Bool {
    guard let passedKind, event.fields.count > 1, event.fields[1].key.isIdentical(to: "kind"),
      case .string(let kind) = event.fields[1].value
    else { return false }
    return kind.isIdentical(to: passedKind)
  }
}
