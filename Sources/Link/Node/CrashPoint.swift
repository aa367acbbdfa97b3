/// A named point for a crash, directly after a commit or another step that survives the process.
public struct CrashPoint: Sendable, Hashable {
  /// The name in scenarios and traces.
  public let name: String
  /// The step before it, for the reference page.
  public let about: String

  /// The points of the session, in the order of a transfer's life.
  public static let session: [CrashPoint] = [
    outboxCommitted, inboxCommitted, inboxAcked, handlerCommitted, contextCommitted, fileOffered, fileChunk,
    fileRenamed,
  ]

  /// A transfer is in the outbox, and none of it has been sent.
  public static let outboxCommitted = Self(
    "outbox.committed", "a transfer is in the outbox, and none of it has been sent")
  /// An event is in the inbox and not acknowledged.
  public static let inboxCommitted = Self("inbox.committed", "a transfer is in the inbox and not acknowledged")
  /// An event is acknowledged, and the app has not got it.
  public static let inboxAcked = Self("inbox.acked", "a transfer is acknowledged, and the app has not got it")
  /// The app's effects and the record that it handled an event are durable.
  public static let handlerCommitted = Self(
    "handler.committed", "the app's effects are durable, together with the record that it handled the transfer")
  /// A received context is durable, but neither acknowledged nor delivered.
  public static let contextCommitted = Self(
    "context.committed", "a received context is durable, but neither acknowledged nor delivered")
  /// A file was offered, and the receiver has recorded the offer.
  public static let fileOffered = Self("file.offered", "the receiver has recorded the offer of a file")
  /// A chunk is written and recorded, and not acknowledged.
  public static let fileChunk = Self("file.chunk", "a chunk is written and recorded, and not acknowledged")
  /// A complete file has its final name, and its row does not exist yet.
  public static let fileRenamed = Self(
    "file.renamed", "a complete file has its final name, and its row does not exist yet")

  /// The points between the files of a grant and its commit, which the node's host adds; apps have none of them.
  public static let files: [CrashPoint] = [
    writeUncommitted, moveUncommitted, keepUncommitted, makeUncommitted, discardPending, discardBegun,
  ]

  /// Bytes of a file being received are written.
  public static let writeUncommitted = Self(
    "write.uncommitted", "bytes of a file are written, and nothing that it did at that instant is committed")
  /// A complete file is in the session's inbox.
  public static let moveUncommitted = Self(
    "move.uncommitted", "a complete file has its final name, and nothing that it did at that instant is committed")
  /// A file of the session's inbox has a name in the app's folder.
  public static let keepUncommitted = Self(
    "keep.uncommitted", "the app has kept a received file, and nothing that it did at that instant is committed")
  /// A file to send, or a file of the app, is created.
  public static let makeUncommitted = Self(
    "make.uncommitted", "a file is created, and nothing that it did at that instant is committed")
  /// A commit is durable, and the files that it makes superfluous are not removed yet.
  public static let discardPending = Self(
    "discard.pending", "a commit is durable, and the files that nothing needs any more are still there")
  /// The first of those files is removed.
  public static let discardBegun = Self(
    "discard.begun", "of the files that nothing needs any more after a commit, only the first is removed")

  /// Whether a node that stops there loses all that it did in the grant, with its answer.
  public var losesGrant: Bool {
    self != .discardPending && self != .discardBegun && Self.files.contains(self)
  }

  /// The point between an order for a file and the commit of its grant; nil for an order that follows a commit.
  @usableFromInline init?(uncommitted order: FileOrder) {
    switch order {
    case .write: self = .writeUncommitted
    case .moveToInbox: self = .moveUncommitted
    case .keep: self = .keepUncommitted
    case .create, .make: self = .makeUncommitted
    case .remove, .discardOutgoing, .discardIncoming: return nil
    }
  }

  /// Creates a point; other modules add their own.
  public init(_ name: String, _ about: String) {
    self.name = name
    self.about = about
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
