package import EdgeSim
package import Link
import LinkStore

/// An edge's files in its state folder.
package struct EdgeFolder: NodeStore {
  private var session = MemorySessionStore()
  private let files: WholeFiles

  init(_ folder: String) throws(StoreError) { files = try WholeFiles(folder: folder) }

  package mutating func commit(_ changes: [SessionChange], _ app: [EdgeChange]) throws(StoreError) {
    if !changes.isEmpty { session.commit(changes) }
    for change in app {
      switch change {
      case .write(let file, let bytes): try files.replace(file.rawValue, with: bytes)
      case .tear(let file): try files.halve(file.rawValue)
      case .wipe: for file in EdgeFile.allCases { try files.remove(file.rawValue) }
      }
    }
  }

  package mutating func begin() throws(StoreError) -> (session: SessionRecord, app: EdgeRecord) {
    var record = EdgeRecord()
    for file in EdgeFile.allCases {
      record.files[file] = try files.read(file.rawValue, countMax: EdgeRecord.bytesMax)
    }
    return (session.beginEpoch(), record)
  }

  package mutating func page(_ order: PageOrder) -> StorePage { session.page(order) }
}
