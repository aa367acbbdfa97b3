/// What sort of frame a `frame.sent` or `frame.delivered` line tells of, as far as checkers choose between them.
///
/// Of a run's lines two in five are of a plain message's frame, and half of those who listen to frames have nothing to say
/// of it.
public enum FrameSort: UInt8, Sendable, CaseIterable {
  /// Data of which nothing stands behind the eight fields of every frame: sent once, no transfer, no reply wanted.
  case plain
  /// Any other data.
  case data
  case ack, hello, reply, chunk

  /// The sort of a sent frame's line; nil where the line is not written as the runner writes it, and concerns everybody.
  @inline(__always)
  init?(sent event: TraceEvent) {
    guard event.fields.count >= Self.fieldCount, event.fields[2].key.isIdentical(to: "kind"),
      case .string(let kind) = event.fields[2].value
    else { return nil }
    if kind.isIdentical(to: "data") {
      self = event.fields.count == Self.fieldCount ? .plain : .data
    } else if let other = Self.rare(kind) {
      self = other
    } else {
      return nil
    }
  }

  /// How many fields every frame has.
  private static let fieldCount = 8

  private static func rare(_ kind: String) -> FrameSort? {
    switch kind {
    case "ack": .ack
    case "hello": .hello
    case "reply": .reply
    case "chunk": .chunk
    default: nil
    }
  }
}
