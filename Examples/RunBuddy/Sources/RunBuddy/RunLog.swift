import Foundation

/// What the phone keeps of its runs: one file, written whole, so that a crash leaves the old one or the new one.
public final class RunLog: @unchecked Sendable {
  public struct Contents: Codable, Sendable {
    public var splits: [Split] = []
    /// The runs that have ended.
    public var ended: [String] = []
  }

  public let folder: URL
  private let bug: Bug?
  private let lock = NSLock()
  private var contents: Contents

  private var url: URL { folder.appendingPathComponent("runs.json") }

  public init(folder: URL, bug: Bug? = nil) {
    self.folder = folder
    self.bug = bug
    let url = folder.appendingPathComponent("runs.json")
    contents = (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode(Contents.self, from: $0) } ?? Contents()
  }

  /// The run that the phone heard of last; nil before the first.
  public var latestRun: String? { lock.withLock { contents.splits.last?.run } }

  /// Adds a split, unless it is there: each comes by message and queued, and what is queued may come twice when the app
  /// crashes while it takes it.
  ///
  /// - Returns: Whether it was added.
  public func add(_ split: Split) -> Bool {
    lock.withLock {
      let known = bug == .doubleCount ? contents.splits.suffix(1) : contents.splits[...]
      guard !known.contains(where: { $0.run == split.run && $0.kilometre == split.kilometre }) else { return false }
      contents.splits.append(split)
      if bug != .lostRun { store() }
      return true
    }
  }

  /// Ends a run.
  ///
  /// - Returns: How many kilometres it had; nil where it had ended before.
  public func end(_ run: String) -> Int? {
    lock.withLock {
      guard !contents.ended.contains(run) else { return nil }
      contents.ended.append(run)
      store()
      return contents.splits.count { $0.run == run }
    }
  }

  private func store() { try? JSONEncoder().encode(contents).write(to: url, options: .atomic) }
}
