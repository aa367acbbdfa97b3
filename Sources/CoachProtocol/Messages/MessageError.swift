public import Link

/// Why a payload is not a valid message.
public enum MessageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bytes are no property list, or its top level is no dictionary.
  case unreadable(PropertyListError)
  /// `kind` is missing or no string; with `v` if present.
  case noKind(version: Int64?)
  /// An unknown kind; with `v` if present.
  case unknownKind(String, version: Int64?)
  /// A known kind in an unknown version; nil if it is missing.
  case unknownVersion(AppMessage.Kind, Int64?)
  /// A required field is missing.
  case missing(AppMessage.Kind, key: String)
  /// A field is invalid.
  case wrong(AppMessage.Kind, key: String, found: String, expected: String)

  /// One sentence for the trace: found and expected.
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

  /// The payload's version, if any: it identifies a peer of another build.
  private static func suffix(_ version: Int64?) -> String { version.map { ", version \($0)" } ?? "" }

  /// The payload's kind; empty if it has none.
  public var kindText: String {
    switch self {
    case .unreadable, .noKind: ""
    case .unknownKind(let text, _): text
    case .unknownVersion(let kind, _), .missing(let kind, _), .wrong(let kind, _, _, _): kind.rawValue
    }
  }
}

extension Result<AppMessage, MessageError> {
  /// The payload's kind, known or not; empty if it has none.
  public var kindText: String {
    switch self {
    case .success(let message): message.kind.rawValue
    case .failure(let error): error.kindText
    }
  }
}
