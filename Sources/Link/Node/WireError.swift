/// Why bytes between conductor and node break the protocol.
public enum WireError: Error, Sendable, Equatable {
  /// A record without a type.
  case emptyRecord
  /// An unknown type.
  case unknownType(UInt8)
  /// A type that is not allowed now.
  case unexpected(RecordType)
  /// A body over the limit of its type; both in bytes.
  case oversized(RecordType, bytes: Int, max: Int)
  /// A body that does not match its type.
  case malformed(RecordType, expected: String)
  /// A frame record whose bytes are not a frame.
  case frame(FrameError)
  /// An answer with too many records.
  case answerItems(max: Int)
  /// An answer with too many bytes.
  case answerBytes(max: Int)
  /// An answer for another number of inputs than its grant had.
  case handledInputs(found: Int, granted: Int)
  /// A line of another node or instant, with its expected beginning.
  case foreignLine(expected: String)
  /// A deadline before the granted instant, both in nanoseconds.
  case deadlineInThePast(found: Int64, granted: Int64)
  /// A second deadline from a node that is no app in virtual time.
  case foreignAppDeadline
  /// A node that stopped at a crash point that is not armed.
  case unarmed(String)
  /// Bytes after the end of an answer, or before a grant.
  case unasked(bytes: Int)
}

extension WireError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .emptyRecord: "a record of length 0, expected at least its type"
    case .unknownType(let found): "a record of type \(found), expected 1...\(RecordType.allCases.count)"
    case .unexpected(let type): "a \(type.text) record that may not come here"
    case .oversized(let type, let bytes, let max): "a \(type.text) record of \(bytes) bytes, expected at most \(max)"
    case .malformed(let type, let expected): "a malformed \(type.text) record, expected \(expected)"
    case .frame(let error): error.description
    case .answerItems(let max): "an answer of more than \(max) records"
    case .answerBytes(let max): "an answer of more than \(max) bytes"
    case .handledInputs(let found, let granted): "an answer to \(found) inputs, granted \(granted)"
    case .foreignLine(let expected): "a line of another node or instant, expected it to begin with \(expected)"
    case .deadlineInThePast(let found, let granted):
      "a deadline at \(found), expected none before the granted \(granted)"
    case .foreignAppDeadline: "a done record with two deadlines, expected one: the node is no app in virtual time"
    case .unarmed(let point): "a stop at \(quoted(point)), which is not armed"
    case .unasked(let bytes): "\(bytes) unexpected bytes outside of an answer"
    }
  }
}
