import Foundation
import Link
import Synchronization

/// A program of the user's that plays a node, as its command names it.
struct UserProgram: Sendable, Equatable {
  /// The command as it was written.
  var text: String
  /// The program and its arguments.
  var words: [String]

  /// Reads a command.
  ///
  /// - Parameter option: Where it was written, for errors.
  init(_ text: String, option: String) throws(Failure) {
    self.text = text
    words = try CommandWords.split(text, option: option)
  }

  /// The words that start it as a program which dies with its run.
  var becoming: [String] { [ProcessRun.ownPath, BecomeCommand.name, "--"] + words }

  /// What its file says; nil for a script, and for one that is not there.
  var image: ProgramImage? { Self.images.image(of: words[0]) }

  private static let images = ImageCache()
}

/// The programs looked at already: a sweep starts the same two thousands of times.
private final class ImageCache: Sendable {
  private let known = Mutex<[String: ProgramImage]>([:])

  func image(of word: String) -> ProgramImage? {
    if let image = known.withLock({ $0[word] }) { return image }
    guard let image = ProgramImage(word) else { return nil }
    known.withLock { $0[word] = image }
    return image
  }
}

/// Which programs play the nodes of a run; nil for our own.
struct UserPrograms: Sendable, Equatable {
  var watch: UserProgram?
  var phone: UserProgram?

  var isEmpty: Bool { watch == nil && phone == nil }

  subscript(role: NodeRole) -> UserProgram? {
    switch role {
    case .watch: watch
    case .phone: phone
    case .edge: nil
    }
  }
}
