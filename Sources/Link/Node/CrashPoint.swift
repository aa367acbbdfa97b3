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

  /// Creates a point; other modules add their own.
  public init(_ name: String, _ about: String) {
    self.name = name
    self.about = about
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
