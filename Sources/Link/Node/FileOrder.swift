/// What a node asks its host to do with files, which no machine ever holds.
///
/// Every file is named by its transfer, so that two transfers of one name do not collide. Each order can be
/// carried out again after a crash without harm; those that discard come after the commit that they follow from.
public enum FileOrder: Sendable, Equatable {
  /// Make a file that is to be sent.
  case create(Identifier, FileContent)
  /// Write bytes of the file that is being received, at an offset that is not beyond its end; what stood behind
  /// them is cut off.
  case write(Identifier, offset: UInt64, [UInt8])
  /// Give the whole file its final place in the session's inbox.
  case place(Identifier)
  /// Move a file from the session's inbox to the app, under this name in the app's folder.
  case keep(Identifier, as: String)
  /// Make a file of the app's own, under this name in the app's folder; one that is there is that file already.
  case make(FileContent, as: String)
  /// Take away the file of this name in the app's folder, if there is one; also one that was not made to its end.
  case remove(String)
  /// The file was sent, or will not be: it is needed no more.
  case discardOutgoing(Identifier)
  /// What came of a file that is being received, or lies in the inbox, is not wanted.
  case discardIncoming(Identifier)
}

/// What a file holds, told without holding it.
public enum FileContent: Sendable, Equatable {
  /// So many bytes that follow from a key: a recording made up by the simulator.
  case generated(key: UInt64, byteCount: UInt64)
}

/// Where a host keeps files.
public protocol FileBox {
  /// Carries an order out.
  mutating func carryOut(_ order: FileOrder) throws(StoreError)
  /// Reads bytes of a file that is being sent: as many as asked for, or those up to its end.
  mutating func read(_ transfer: Identifier, offset: UInt64, count: Int) throws(StoreError) -> [UInt8]
}
