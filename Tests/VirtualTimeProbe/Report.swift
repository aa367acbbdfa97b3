import Foundation
import Synchronization

enum Settings {
  static var hours: Double { Double(CommandLine.arguments.dropFirst(2).first ?? "") ?? 1 }
  /// An empty folder.
  static var folder: URL { URL(filePath: CommandLine.arguments.dropFirst(3).first ?? NSTemporaryDirectory()) }
}

/// What the probe prints: a line for each thing it saw, with the virtual time since its start.
enum Report {
  static let began = Date()
  private static let ended = Mutex<Set<String>>([])

  /// Prints a line.
  static func say(_ text: String) {
    print(String(format: "%10.3f", Date().timeIntervalSince(began)), text)
  }

  /// Prints a line that the tests look for when something is not as it must be.
  static func check(_ isTrue: Bool, _ what: String) {
    if !isTrue { say("FAIL \(what)") }
  }

  /// Ends a part.
  static func finish(_ part: String) {
    let count = ended.withLock { ended in
      check(ended.insert(part).inserted, "\(part) ended once")
      return ended.count
    }
    say("done \(part) \(count)/\(Parts.all.count)")
  }

  static var isComplete: Bool { ended.withLock { $0.count == Parts.all.count } }
}

/// Memory that the part which uses it guards by the lock it tests.
final class Box<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
