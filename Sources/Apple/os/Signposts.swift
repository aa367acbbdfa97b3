/// The identity of an interval.
public struct OSSignpostID: RawRepresentable, Equatable, Hashable, Sendable, Comparable {
  public let rawValue: UInt64

  public init(_ value: UInt64) { rawValue = value }
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public init(log: OSLog) { self = SignpostNumbers.shared.next() }
  public init(log: OSLog, object: AnyObject) { self.init(UInt64(UInt(bitPattern: ObjectIdentifier(object)))) }

  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
  public static let invalid = OSSignpostID(.max)
  public static let null = OSSignpostID(0)

  public static func < (lhs: OSSignpostID, rhs: OSSignpostID) -> Bool { lhs.rawValue < rhs.rawValue }
}

private final class SignpostNumbers: @unchecked Sendable {
  static let shared = SignpostNumbers()
  private let last = OSAllocatedUnfairLock(initialState: UInt64(0))

  func next() -> OSSignpostID {
    OSSignpostID(
      last.withLock {
        $0 += 1
        return $0
      })
  }
}

/// What a signpost marks.
public struct OSSignpostType: RawRepresentable, Equatable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public init(_ rawValue: UInt8) { self.init(rawValue: rawValue) }

  public static let event = OSSignpostType(0)
  public static let begin = OSSignpostType(1)
  public static let end = OSSignpostType(2)

  var word: String {
    switch self {
    case .begin: "begin"
    case .end: "end"
    default: "event"
    }
  }
}

extension OSLog {
  /// A signpost as a line at debug.
  func mark(_ type: OSSignpostType, _ name: StaticString, _ text: String) {
    write(.debug, "\(type.word) \(name)" + (text.isEmpty ? "" : ": \(text)"))
  }
}

public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive
) {
  log.mark(type, name, "")
}

public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: any CVarArg...
) {
  log.mark(type, name, FormatText.text(format, arguments))
}

/// What `endInterval` needs to know of `beginInterval`.
public final class OSSignpostIntervalState: Sendable {
  let id: OSSignpostID
  init(_ id: OSSignpostID) { self.id = id }

  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
}

/// Marks events and intervals, which are lines at debug.
public struct OSSignposter: Sendable {
  private let log: OSLog

  public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
  public init(subsystem: String, category: OSLog.Category) { log = OSLog(subsystem: subsystem, category: category) }
  public init(logHandle: OSLog) { log = logHandle }
  public init(logger: Logger) { log = logger.log }
  public init() { log = .default }

  public static let disabled = OSSignposter(logHandle: .disabled)

  public var isEnabled: Bool { log.signpostsEnabled }
  public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: log) }
  public func makeSignpostID(from object: AnyObject) -> OSSignpostID { OSSignpostID(log: log, object: object) }

  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) { log.mark(.event, name, "") }
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage) {
    log.mark(.event, name, message.text)
  }

  public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
    log.mark(.begin, name, "")
    return OSSignpostIntervalState(id)
  }

  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage
  ) -> OSSignpostIntervalState {
    log.mark(.begin, name, message.text)
    return OSSignpostIntervalState(id)
  }

  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) { log.mark(.end, name, "") }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: OSLogMessage) {
    log.mark(.end, name, message.text)
  }

  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> T
  ) rethrows -> T {
    let state = beginInterval(name, id: id)
    defer { endInterval(name, state) }
    return try task()
  }
}
