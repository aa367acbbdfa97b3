public import Link

/// Why a payload is no message.
public enum MessageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bytes are no property list, or its top is no dictionary.
  case unreadable(PropertyListError)
  /// There is no `kind`, or it is no string; what `v` says, nil where it says nothing.
  case noKind(version: Int64?)
  /// Nobody here knows this kind; what `v` says of it, nil where it says nothing.
  case unknownKind(String, version: Int64?)
  /// The kind is known, but not this version of it; nil where there is none.
  case unknownVersion(AppMessage.Kind, Int64?)
  /// A field that must be there is not.
  case missing(AppMessage.Kind, key: String)
  /// A field holds what it must not.
  case wrong(AppMessage.Kind, key: String, found: String, expected: String)

  /// One sentence for the trace: what was found, and what would have been right.
  public var description: String {
    switch self {
    case .unreadable(let error): "not a dictionary in a property list: \(error)"
    case .noKind(let version): "no kind" + Self.suffix(version)
    case .unknownKind(let kind, let version): "unknown kind \"\(kind)\"" + Self.suffix(version)
    case .unknownVersion(let kind, let version?):
      "\(kind.rawValue): unknown version \(version), expected \(AppMessage.version)"
    case .unknownVersion(let kind, nil): "\(kind.rawValue): no version, expected \(AppMessage.version)"
    case .missing(let kind, let key): "\(kind.rawValue): no \(key)"
    case .wrong(let kind, let key, let found, let expected):
      "\(kind.rawValue): \(key) is \(found), expected \(expected)"
    }
  }

  /// Which version it is of, where the payload says so: a peer of another build is known by it.
  private static func suffix(_ version: Int64?) -> String { version.map { ", version \($0)" } ?? "" }

  /// The kind the payload names; empty where it names none.
  public var kindText: String {
    switch self {
    case .unreadable, .noKind: ""
    case .unknownKind(let text, _): text
    case .unknownVersion(let kind, _), .missing(let kind, _), .wrong(let kind, _, _, _): kind.rawValue
    }
  }
}

extension Result<AppMessage, MessageError> {
  /// The kind the payload names, known or not; empty where it names none.
  public var kindText: String {
    switch self {
    case .success(let message): message.kind.rawValue
    case .failure(let error): error.kindText
    }
  }
}
