import Foundation

/// One of the two devices that an app's files are compiled for.
enum DeviceRole: String, CaseIterable {
  case phone, watch

  var title: String { self == .phone ? "Phone" : "Watch" }
  var system: String { self == .phone ? "iOS" : "watchOS" }
}

/// What the conditions of compilation say on a device.
struct DeviceTruth {
  var role: DeviceRole

  /// The modules that an adopted package has.
  static let products = [
    "WatchConnectivity", "HealthKit", "WatchKit", "UIKit", "Combine", "os", "OSLog", "SwiftUI", "AppleFoundation",
    "CoreLocation", "CoreMotion", "AVFoundation", "Speech", "UserNotifications", "ActivityKit", "EventKit", "WidgetKit",
    "SwiftData", "AppleNetworking", "CoreHaptics", "AudioToolbox", "AVFAudio", "WristwireSupport",
  ]
  /// Those that watches do not have.
  private static let phoneModules: Set = ["ActivityKit", "Speech", "CoreHaptics"]
  static let modules = Set(
    products + ["Foundation", "Dispatch", "Swift", "Observation", "Synchronization", "FoundationNetworking"])

  /// A condition with the device's answers in place of `os(iOS)` and the like.
  func resolve(_ condition: String) -> String {
    // No person writes a longer one.
    guard condition.utf8.count <= 1_000 else { return condition }
    var text = ""
    var rest = condition[...]
    while let open = rest.firstIndex(of: "(") {
      let head = rest[..<open]
      let name = head.reversed().prefix { $0.isLetter }.reversed()
      guard let close = rest[open...].firstIndex(of: ")"), let answer = answer(String(name), rest[open..<close]) else {
        text += rest[...open]
        rest = rest[rest.index(after: open)...]
        continue
      }
      text += head.dropLast(name.count) + (answer ? "true" : "false")
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  /// nil for what the compiler answers itself.
  private func answer(_ name: String, _ argument: Substring) -> Bool? {
    let argument = argument.dropFirst().trimmingCharacters(in: .whitespaces)
    switch name {
    case "os": return argument == role.system
    case "targetEnvironment": return false
    case "canImport":
      if argument == "UIKit" { return true }
      if argument == "WatchKit" { return role == .watch }
      if Self.phoneModules.contains(argument) { return role == .phone }
      return Self.modules.contains(argument)
    default: return nil
    }
  }

  /// The truth of a resolved condition; nil where it depends on something else.
  static func evaluate(_ condition: String) -> Bool? {
    guard condition.utf8.count <= 1_000 else { return nil }
    var parser = ConditionParser(condition)
    return parser.whole()
  }

  /// The text without what the device's conditions exclude, which becomes blanks: every line and every offset stays.
  func active(_ bytes: [UInt8]) -> [UInt8] {
    struct Level {
      /// Whether an earlier branch is compiled: yes, no, or unknown.
      var taken: Bool?
      var isActive: Bool
    }
    var result = bytes
    var levels: [Level] = []
    var from = 0
    func blank(to end: Int) {
      guard levels.contains(where: { !$0.isActive }) else { return }
      for index in from..<max(from, end) where result[index] != 0x0A { result[index] = 0x20 }
    }
    for token in SwiftTokens(bytes).tokens where token.kind == .directive {
      blank(to: token.start)
      from = token.end
      let words = token.text.split(separator: " ", maxSplits: 1)
      let condition = words.count > 1 ? Self.evaluate(resolve(String(words[1]))) : nil
      switch words[0] {
      case "#if": levels.append(Level(taken: condition, isActive: condition != false))
      case "#elseif":
        guard let last = levels.last else { break }
        levels[levels.count - 1].isActive = last.taken != true && condition != false
        if last.taken != true { levels[levels.count - 1].taken = condition == true ? true : last.taken ?? condition }
      case "#endif" where !levels.isEmpty: levels.removeLast()
      default:
        if let last = levels.last { levels[levels.count - 1].isActive = last.taken != true }
      }
    }
    blank(to: bytes.count)
    return result
  }
}

/// `true && (unknown || !false)`.
private struct ConditionParser {
  private var rest: Substring

  init(_ text: String) {
    let end = text.range(of: "//")?.lowerBound ?? text.endIndex
    rest = text[..<end]
  }

  mutating func whole() -> Bool? {
    let value = either(0)
    skipBlanks()
    return rest.isEmpty ? value : nil
  }

  private mutating func skipBlanks() { while rest.first?.isWhitespace == true { rest.removeFirst() } }

  private mutating func take(_ text: String) -> Bool {
    skipBlanks()
    guard rest.hasPrefix(text) else { return false }
    rest.removeFirst(text.count)
    return true
  }

  private mutating func either(_ depth: Int) -> Bool? {
    var value = both(depth)
    while take("||") {
      let next = both(depth)
      value = value == true || next == true ? true : value == nil || next == nil ? nil : false
    }
    return value
  }

  private mutating func both(_ depth: Int) -> Bool? {
    var value = one(depth)
    while take("&&") {
      let next = one(depth)
      value = value == false || next == false ? false : value == nil || next == nil ? nil : true
    }
    return value
  }

  private mutating func one(_ depth: Int) -> Bool? {
    guard depth < 32 else { return nil }
    if take("!") { return one(depth + 1).map { !$0 } }
    if take("(") {
      let value = either(depth + 1)
      return take(")") ? value : nil
    }
    skipBlanks()
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    rest.removeFirst(word.count)
    if word == "true" || word == "false" { return word == "true" }
    // Something like `swift(>=6)`.
    skipBlanks()
    if rest.first == "(", let close = rest.firstIndex(of: ")") { rest = rest[rest.index(after: close)...] }
    return nil
  }
}
