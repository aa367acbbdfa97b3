import CSimulation
import Foundation

/// A line of the log on its way: into the run's trace, or to standard error outside a run.
enum LogLine {
  /// The limit of a line's text in bytes, as a device truncates it.
  static let textBytesMax = 1024

  static func write(_ type: OSLogType, subsystem: String, category: String, _ text: String) {
    let level = type.word
    let isTaken = pass(level) { level, levelCount in
      pass(subsystem) { subsystem, subsystemCount in
        pass(category) { category, categoryCount in
          pass(text) { text, count in
            wristwire_simulation_log(
              level, levelCount, subsystem, subsystemCount, category, categoryCount, text, count)
          }
        }
      }
    }
    guard isTaken == 0 else { return }
    let place = [subsystem, category].filter { !$0.isEmpty }.joined(separator: ":")
    let line = (place.isEmpty ? "" : "[\(place)] ") + (level == "notice" ? "" : "\(level): ") + text + "\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  private static func pass(_ text: String, _ body: (UnsafePointer<CChar>?, Int) -> Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress, $0.count) }
    }
  }
}

/// The level of a line, by the numbers that Apple's module has.
public struct OSLogType: RawRepresentable, Equatable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public init(_ rawValue: UInt8) { self.init(rawValue: rawValue) }

  public static let `default` = OSLogType(rawValue: 0)
  public static let info = OSLogType(rawValue: 1)
  public static let debug = OSLogType(rawValue: 2)
  public static let error = OSLogType(rawValue: 16)
  public static let fault = OSLogType(rawValue: 17)

  /// The word that the trace has for it.
  var word: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .error: "error"
    case .fault: "fault"
    default: "notice"
    }
  }
}

/// A place for lines, by subsystem and category.
public final class OSLog: @unchecked Sendable {
  public let subsystem: String
  public let category: String
  private let isOn: Bool

  public init(subsystem: String, category: String) {
    (self.subsystem, self.category, isOn) = (subsystem, category, true)
  }

  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  private init(isOn: Bool) { (subsystem, category, self.isOn) = ("", "", isOn) }

  public static let `default` = OSLog(isOn: true)
  /// Takes no line.
  public static let disabled = OSLog(isOn: false)

  public struct Category: RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
    public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
  }

  /// Whether lines of a level are taken: here all are, and the story chooses.
  public func isEnabled(type: OSLogType) -> Bool { isOn }
  public var signpostsEnabled: Bool { isOn }

  func write(_ type: OSLogType, _ text: @autoclosure () -> String) {
    if isOn { LogLine.write(type, subsystem: subsystem, category: category, text()) }
  }
}

/// Writes lines of a subsystem and a category.
@frozen
public struct Logger: Sendable {
  @usableFromInline let log: OSLog

  public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
  public init(_ logObj: OSLog) { log = logObj }
  public init() { log = .default }

  public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
  public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
  /// As `debug`.
  public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
  public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
  public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
  public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
  /// As `error`.
  public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }
  public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
  /// As `fault`.
  public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
  public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}

/// Writes a line.
public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message.text) }

public func os_log(_ type: OSLogType, _ message: OSLogMessage) { OSLog.default.write(type, message.text) }

public func os_log(_ type: OSLogType = .default, log: OSLog, _ message: OSLogMessage) { log.write(type, message.text) }

/// Writes a line made of a format: `%{public}@` and the like, where the words in braces have no effect.
@_disfavoredOverload
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ args: any CVarArg...
) {
  log.write(type, FormatText.text(message, args))
}

@_disfavoredOverload
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ args: any CVarArg...
) {
  log.write(type, FormatText.text(message, args))
}

/// Formats as `os_log` has them.
enum FormatText {
  static func text(_ format: StaticString, _ arguments: [any CVarArg]) -> String {
    let plain = withoutOptions(format.description)
    return arguments.isEmpty
      ? plain.replacingOccurrences(of: "%%", with: "%") : String(format: plain, arguments: arguments)
  }

  /// `%{public}@` as `%@`.
  private static func withoutOptions(_ format: String) -> String {
    var result = ""
    var rest = Substring(format)
    while let percent = rest.firstIndex(of: "%") {
      result += rest[...percent]
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        result += "%"
        rest = rest.dropFirst()
      } else if rest.first == "{", let end = rest.firstIndex(of: "}") {
        rest = rest[rest.index(after: end)...]
      }
    }
    return result + rest
  }
}
