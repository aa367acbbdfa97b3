package import Link

/// The length of the store's log after each commit since the last sync, in a file beside it.
///
/// The store of a simulated device is never really synced: this file says which commits a loss of power may take, and
/// ``PowerCut`` cuts them off. Each entry has 8 bytes, little-endian.
struct UnsyncedCommits {
  static let name = "unsynced"
  private let file: OpenFile
  private(set) var count = 0

  /// Continues the list in a device's folder; a new one is empty.
  init(folder: String) throws(StoreError) {
    let path = "\(folder)/\(Self.name)"
    guard let file = try OpenFile(path, for: .writing) else {
      throw StoreError(.system, "\(path): cannot be created")
    }
    self.file = file
    count = Int(try file.byteCount() / 8)
  }

  mutating func append(logBytes: UInt64) throws(StoreError) {
    try file.write((0..<8).map { UInt8(truncatingIfNeeded: logBytes >> UInt64($0 * 8)) }, at: UInt64(count) * 8)
    count += 1
  }

  mutating func removeAll() throws(StoreError) {
    guard count > 0 else { return }
    try file.truncate(to: 0)
    count = 0
  }

  /// Reads the list in a device's folder; nil if there is none.
  ///
  /// - Throws: `.corrupt` if the lengths decrease, or exceed that of the log.
  static func read(folder: String, logBytes: UInt64) throws(StoreError) -> [UInt64]? {
    let path = "\(folder)/\(name)"
    guard let file = try OpenFile(path, for: .reading) else { return nil }
    let bytes = try file.read(at: 0, count: 8 * PowerLoss.unsyncedMax)
    let lengths = (0..<bytes.count / 8).map { bytes.littleEndian(UInt64.self, at: 8 * $0) }
    var last: UInt64 = 0
    for length in lengths {
      guard length >= last, length <= logBytes else {
        throw StoreError(.corrupt, "\(path): holds the length \(length), expected \(last) to \(logBytes)")
      }
      last = length
    }
    return lengths
  }
}

/// Damages the store of a device whose process has ended, as a loss of power does.
package enum PowerCut {
  private static let sectorBytes: UInt64 = 512

  /// Takes the latest unsynced commits from a store's log.
  ///
  /// Of what follows in the log a drawn number of sectors is left, never a complete commit, and behind it zeros or the
  /// end of the file: SQLite ignores both at its next start.
  ///
  /// - Parameters:
  ///   - folder: The device's folder.
  ///   - draw: 64 random bits.
  /// - Returns: What was lost; nothing for a store that does not list its unsynced commits.
  package static func strike(folder: String, draw: UInt64) throws(StoreError) -> PowerLoss {
    let path = "\(folder)/\(StoreFile.name)-wal"
    let log = try FileSystem.kind(of: path) == .file ? try OpenFile(path, for: .writing) : nil
    let logBytes = try log?.byteCount() ?? 0
    guard let lengths = try UnsyncedCommits.read(folder: folder, logBytes: logBytes) else { return .none }
    let loss = PowerLoss(unsynced: lengths.count, draw: draw)
    let kept = lengths.dropLast(loss.lost).last ?? 0
    if loss.lost > 0, let log, kept < logBytes {
      // The end of the first lost commit that wrote anything; what is torn ends before it.
      let next = lengths.first { $0 > kept } ?? logBytes
      let random = RandomStream(seed: draw, name: "power.sectors")
      let sectors = random.number(below: max(1, (next - kept - 1) / sectorBytes + 1), for: 0)
      try log.truncate(to: kept + sectors * sectorBytes)
      if random.number(below: 2, for: 1) == 1 { try log.truncate(to: logBytes) }
    }
    // What was read after the loss has been on the disk, and cannot be lost by another one.
    if let list = try OpenFile("\(folder)/\(UnsyncedCommits.name)", for: .writing) { try list.truncate(to: 0) }
    return loss
  }
}
