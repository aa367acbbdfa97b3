import Simulator
import Console
import Foundation
import Link

/// A file through the pair, compared with a plain copy over the same sockets with the same digest; and the memory for a
/// larger file and a longer queue.
enum FileMeasurement: BenchMeasurement {
  static let name = "file"
  static let about = "MB a second of a file of 100 MB through the pair, and its peak memory"

  private static let megabyte = 1_000_000

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let bytes = setting.pick(tiny: 300_000, quick: 100 * megabyte, full: 100 * megabyte)
    let rounds = setting.pick(tiny: 1, quick: 3, full: 7)
    let folder = try BenchFolder.make()
    let path = "\(folder.path)/file"
    try make(path, TransferPeer.content(byteCount: bytes))
    let rates = try BenchRounds.run(rounds, variants: 2) { (variant) throws(Failure) in
      let seconds =
        variant == 0
        ? try TransferRun.run(.file(bytes), sharesProcessor: setting.isPinned).seconds
        : try CopyLoop.seconds(path: path, bytes: bytes)
      return Double(bytes) / Double(megabyte) / seconds
    }
    let rows = [
      BenchRow("a file through the pair", "MB a second", Spread(rates[0])),
      BenchRow("a plain copy through three processes", "MB a second", Spread(rates[1])),
      BenchRow("a file / a plain copy", "ratio", .ratio(rates[0], to: rates[1]), .atLeast(0.5)),
    ]
    return setting.isPinned ? try rows + memory(setting) : rows
  }

  /// The file for the plain copy.
  private static func make(_ path: String, _ content: FileContent) throws(Failure) {
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
    else { throw .environment("bench: \(path) cannot be written") }
    var offset: UInt64 = 0
    while offset < content.byteCount {
      let piece = content.bytes(offset: offset, count: 1 << 17)
      do { try file.write(contentsOf: piece) } catch { throw .environment("bench: \(error.systemText)") }
      offset += UInt64(piece.count)
    }
  }

  // MARK: Memory

  /// The processes, in the order of their reported peaks.
  private static let processes = ["conductor", "sending node", "receiving node"]

  private static func memory(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let rounds = setting.pick(tiny: 1, quick: 1, full: 3)
    let loads = [
      (
        "file", small: ("10 MB", setting.pick(tiny: 10_000, quick: 10 * megabyte, full: 10 * megabyte)),
        large: ("100 MB", setting.pick(tiny: 20_000, quick: 100 * megabyte, full: 100 * megabyte))
      ),
      (
        "events", small: ("1,000 events", setting.pick(tiny: 10, quick: 1_000, full: 1_000)),
        large: ("20,000 events", setting.pick(tiny: 20, quick: 20_000, full: 20_000))
      ),
    ]
    var rows: [BenchRow] = []
    for (kind, small, large) in loads {
      var peaks: [(small: [Double], large: [Double])] = []
      for _ in 0..<rounds { peaks.append((try Self.peaks(kind, small.1), try Self.peaks(kind, large.1))) }
      for (index, process) in processes.enumerated() {
        let less = peaks.map { $0.small[index] }
        let more = peaks.map { $0.large[index] }
        rows.append(BenchRow("\(process), \(large.0)", "MiB", Spread(more), .atMost(64)))
        rows.append(
          BenchRow("\(process), \(large.0) / \(small.0)", "ratio", .ratio(more, to: less), .atMost(1.1)))
      }
    }
    return rows
  }

  /// The peaks of a run's processes, in MiB.
  private static func peaks(_ kind: String, _ size: Int) throws(Failure) -> [Double] {
    try TimedChild.numbers(processes.count, of: "a run for memory", ["peaks", kind, "\(size)"]).map { $0 / 1_024 }
  }
}
