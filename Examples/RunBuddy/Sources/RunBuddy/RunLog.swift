import Foundation

/// What the phone keeps of its runs: one file, written whole, so that a crash leaves the old one or the new one.
public final class RunLog: @unchecked Sendable {
  public struct Contents: Codable, Sendable {
    public var splits: [Split] = []
    /// The runs that have ended.
    public var ended: [String] = []
  }

  public let folder: URL
  private let lock = NSLock()
  private var contents: Contents

  private var url: URL { folder.appendingPathComponent("runs.json") }

  public init(folder: URL) {
    self.folder = folder
    let url = folder.appendingPathComponent("runs.json")
    contents = (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode(Contents.self, from: $0) } ?? Contents()
  }

  /// Adds a split, unless it is there: what is queued may come twice when the app crashes while it takes it.
  public func add(_ split: Split) {
    change { contents in
      guard !contents.splits.contains(where: { $0.run == split.run && $0.kilometre == split.kilometre }) else { return }
      contents.splits.append(split)
    }
  }

  public func end(_ run: String) {
    change { contents in
      if !contents.ended.contains(run) { contents.ended.append(run) }
    }
  }

  private func change(_ body: (inout Contents) -> Void) {
    lock.lock()
    defer { lock.unlock() }
    body(&contents)
    try? JSONEncoder().encode(contents).write(to: url, options: .atomic)
  }
}
