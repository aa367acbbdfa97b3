import Link
import LinkStore

/// The files of a device; outgoing ones are read where the app has them.
///
/// All copies share the same sources, guarded by the session's lock.
struct SourceFiles: FileBox {
  private var files: DiskFiles
  private let sources: Sources

  private final class Sources {
    var byTransfer: [Identifier: SourceFile] = [:]
    var unreadable: [(transfer: Identifier, file: SourceFile, problem: SourceFile.Problem)] = []
  }

  init(_ files: DiskFiles) {
    self.files = files
    sources = Sources()
  }

  /// The file of a transfer; nil for one that was copied, or is over.
  subscript(transfer: Identifier) -> SourceFile? {
    get { sources.byTransfer[transfer] }
    nonmutating set { sources.byTransfer[transfer] = newValue }
  }

  /// Removes and returns the next transfer with an unreadable file, if any.
  func takeUnreadable() -> (transfer: Identifier, file: SourceFile, problem: SourceFile.Problem)? {
    sources.unreadable.isEmpty ? nil : sources.unreadable.removeFirst()
  }

  mutating func carryOut(_ order: FileOrder) throws(StoreError) {
    if case .discardOutgoing(let transfer) = order { self[transfer] = nil }
    try files.carryOut(order)
  }

  /// Reads bytes of an outgoing file; zeros if the app's file has changed, which ``takeUnreadable()`` then reports: its
  /// transfer must be withdrawn.
  mutating func read(_ transfer: Identifier, offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    guard let source = self[transfer] else { return try files.read(transfer, offset: offset, count: count) }
    do throws(SourceFile.Problem) { return try source.read(offset: offset, count: count) } catch {
      if !sources.unreadable.contains(where: { $0.transfer == transfer }) {
        sources.unreadable.append((transfer, source, error))
      }
      return [UInt8](repeating: 0, count: count)
    }
  }

  mutating func removeOrphans(isOwned: (Identifier) -> Bool) throws(StoreError) {
    try files.removeOrphans(isOwned: isOwned)
  }

  mutating func takeBack(_ transfer: Identifier) throws(StoreError) -> UInt64 { try files.takeBack(transfer) }
  func keptNames() throws(StoreError) -> [String] { try files.keptNames() }
}
