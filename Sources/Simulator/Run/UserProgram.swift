package import Console
import Foundation
package import Link
import Synchronization

/// A user program that plays a node.
package struct UserProgram: Sendable, Equatable {
  /// The command as written.
  package var text: String
  /// The program and its arguments.
  var words: [String]
  /// Where a scenario names it, as `file:line:column: error: key`; nil for an option.
  ///
  /// No part of its identity.
  var place: String?

  /// Reads a command.
  ///
  /// - Parameters:
  ///   - option: The option or key, for errors.
  ///   - folder: The folder that the program's path is relative to; nil for the current folder. A name without a slash
  ///     is looked up in `$PATH`, and arguments stay as they are.
  package init(_ text: String, option: String, in folder: String? = nil) throws(Failure) {
    self.text = text
    words = try CommandWords.split(text, option: option)
    if words[0].contains("/") {
      words[0] = FilePath.resolve(words[0], in: folder ?? FileManager.default.currentDirectoryPath)
    }
  }

  package static func == (lhs: Self, rhs: Self) -> Bool { (lhs.text, lhs.words) == (rhs.text, rhs.words) }

  /// The command relative to a file in a folder.
  func text(relativeTo folder: String) -> String {
    guard words[0].hasPrefix("/") else { return CommandWords.join(words) }
    let path = FilePath.relative(words[0], to: folder)
    return CommandWords.join([path.contains("/") ? path : "./\(path)"] + words.dropFirst())
  }

  /// The exit status of ``becoming`` if the program could not be started, like a shell's.
  package static let notStarted: Int32 = 127

  /// The command that starts it as a program which dies with its run.
  var becoming: [String] { [ProcessRun.ownPath, CommandName.become, "--"] + words }

  /// Properties of its file; nil for a script, and for a missing one.
  var image: ProgramImage? { Self.images.image(of: words[0]) }

  private static let images = ImageCache()
}

/// Caches programs' properties: a sweep starts the same two thousands of times.
private final class ImageCache: Sendable {
  private let known = Mutex<[String: ProgramImage]>([:])

  func image(of word: String) -> ProgramImage? {
    if let image = known.withLock({ $0[word] }) { return image }
    guard let image = ProgramImage(word) else { return nil }
    known.withLock { $0[word] = image }
    return image
  }
}

/// The user programs of a run; nil for built-in nodes.
package struct UserPrograms: Sendable, Equatable {
  package var watch: UserProgram?
  package var phone: UserProgram?

  package init() {}

  package var isEmpty: Bool { watch == nil && phone == nil }

  package subscript(role: NodeRole) -> UserProgram? {
    get {
      switch role {
      case .watch: watch
      case .phone: phone
      case .edge: nil
      }
    }
    set {
      switch role {
      case .watch: watch = newValue
      case .phone: phone = newValue
      case .edge: preconditionFailure("the edge's program is none of these")
      }
    }
  }
}

extension ProgramsHeader {
  /// The member; nil for a run with built-in nodes only.
  ///
  /// - Parameter isVirtual: Whether the run is in virtual time: then a trace depends on the exact bytes of an app's
  ///   program.
  static func member(_ scenario: Scenario, isVirtual: Bool) -> JSONMember? {
    guard !scenario.programs.isEmpty else { return nil }
    var members: [JSONMember] = []
    for role in [NodeRole.watch, .phone] {
      guard let program = scenario.programs[role] else { continue }
      let app = isVirtual ? program.image.flatMap { $0.isApp ? $0 : nil } : nil
      let fields: JSONFields = [
        "command": .string(program.text), "sha256": app.map { .string($0.digest) },
        "virtualTime": app.map { _ in virtualTime(scenario.appTime) },
      ]
      members.append(JSONMember(role.text, .fields(fields)))
    }
    return JSONMember(key, .object(members))
  }

  private static func virtualTime(_ time: AppTime) -> JSONValue {
    .fields([
      "version": .integer(AppTime.version), "threads": .string(time.policy.rawValue),
      // Seeds are strings: not every JSON reader has 64-bit integers.
      "threadsSeed": time.threadsSeed.map { .string(String($0)) },
      "jitterMilliseconds": .count(time.jitterMilliseconds),
      "environment": time.environment.added.isEmpty
        ? nil : .array(time.environment.added.map { JSONNode(.string($0)) }),
    ])
  }
}
