import Console
import Foundation
import Link
import LinkStore
import LinkTransport
import PhoneSim

/// Finds the phone's store in a state folder, and migrates it or a copy.
struct MigrationRun {
  /// The phone's folder.
  private let folder: String
  private let phases: Set<MigrationPhase>
  /// Whether a copy is migrated.
  let isCheck: Bool

  /// The path of the store.
  var store: String { "\(folder)/\(StoreFile.name)" }

  /// - Parameter folder: The state folder, or the phone's folder in it.
  init(folder: String, phases: Set<MigrationPhase>, isCheck: Bool) {
    let own = "\(folder)/\(NodeRole.phone.text)"
    let isPhone = FileManager.default.fileExists(atPath: "\(folder)/\(StoreFile.name)")
    self.folder = isPhone && !FileManager.default.fileExists(atPath: "\(own)/\(StoreFile.name)") ? folder : own
    self.phases = phases
    self.isCheck = isCheck
  }

  /// Runs the phases.
  ///
  /// - Throws: ``Failure/input(_:)`` for a store that is missing, damaged, newer or in use, and for a phase whose dependency
  ///   is not done; ``Failure/environment(_:)`` for a disk that is full or cannot be written.
  func migrate(_ progress: (MigrationProgress) -> Void) throws(Failure) -> MigrationReport {
    do throws(StoreError) {
      try StoreFile.requireStore(in: folder)
      if isCheck { return try migrateCopy(progress) }
      return try OldShapeMigration(folder: folder)
        .run(phases, backup: "\(folder)/\(OldShapeMigration.backupName)", progress: progress)
    } catch {
      throw error.cause == .full ? .environment(error.text) : .input(error.text)
    }
  }

  private func migrateCopy(_ progress: (MigrationProgress) -> Void) throws(StoreError) -> MigrationReport {
    let copy = try copyStore()
    return try OldShapeMigration(folder: copy.path).run(phases, progress: progress)
  }

  /// Copies the store with its log, while no other process can open it.
  private func copyStore() throws(StoreError) -> TemporaryDirectory {
    var reader: DeviceReader<PhoneTables>?
    do throws(StoreError) {
      reader = try DeviceReader<PhoneTables>(folder: folder)
    } catch {
      // Its own tables are migrated in the copy.
      guard error.cause == .older else { throw error }
    }
    defer { withExtendedLifetime(reader) {} }
    do {
      let copy = try TemporaryDirectory()
      for name in [StoreFile.name, StoreFile.name + "-wal"]
      where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
        try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy.path)/\(name)")
      }
      return copy
    } catch {
      throw error as? StoreError ?? StoreError(.system, "\(store): cannot be copied: \(error.systemText)")
    }
  }
}
