import Foundation

/// The repository's own traces and scenarios, from which seeds are made.
struct SourceTree {
  let root: URL

  init(_ root: String) { self.root = URL(fileURLWithPath: root) }

  /// The content of a file; empty if it cannot be read.
  func file(_ path: String) -> [UInt8] {
    (try? Data(contentsOf: root.appendingPathComponent(path))).map { [UInt8]($0) } ?? []
  }

  /// The contents of all files of a folder and its subfolders that end in `suffix`, in the order of their paths.
  func files(in folder: String, suffix: String) -> [[UInt8]] {
    let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    let names = (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(suffix) }.sorted()
    return names.map { file("\(folder)/\($0)") }
  }

  /// The shipped traces.
  var traces: [[UInt8]] { files(in: "traces", suffix: ".jsonl") }

  /// Short traces: the header of each shipped trace with `count` successive lines, from several places of it.
  func traceParts(count: Int, places: Int = 12) -> [[UInt8]] {
    traces.flatMap { trace -> [[UInt8]] in
      let lines = trace.split(separator: UInt8(ascii: "\n"))
      guard let header = lines.first, lines.count > count else { return [trace] }
      let step = max(1, (lines.count - count) / places)
      return stride(from: 1, to: lines.count - count, by: step).map { begin in
        ([header] + lines[begin..<begin + count]).flatMap { Array($0) + [UInt8(ascii: "\n")] }
      }
    }
  }
}
