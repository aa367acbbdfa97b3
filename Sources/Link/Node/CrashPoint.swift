/// A named place at which a crash can be asked for: right behind a commit or another step that outlives the process.
public struct CrashPoint: Sendable, Hashable {
  /// The name in scenarios and traces.
  public let name: String
  /// What has just happened there, for the reference page.
  public let about: String

  /// Everything of the session's, in the order of a transfer's life.
  public static let session: [CrashPoint] = [
    outboxCommitted, inboxCommitted, inboxAcked, handlerCommitted, contextCommitted, fileOffered, fileChunk,
    fileRenamed,
  ]

  /// A transfer is in the outbox, and nothing of it has been sent.
  public static let outboxCommitted = Self("outbox.committed", "a transfer is in the outbox, and nothing of it is sent")
  /// An event is in the inbox, and not acknowledged.
  public static let inboxCommitted = Self("inbox.committed", "a transfer is in the inbox, and not acknowledged")
  /// An event is acknowledged, and the app has not seen it.
  public static let inboxAcked = Self("inbox.acked", "a transfer is acknowledged, and the app has not seen it")
  /// The app's effects and the mark that it handled an event are durable.
  public static let handlerCommitted = Self(
    "handler.committed", "the app's effects are durable, together with the mark that it handled the transfer")
  /// A received context is durable, and neither acknowledged nor handed over.
  public static let contextCommitted = Self(
    "context.committed", "a received context is durable, and neither acknowledged nor handed over")
  /// A file was offered, and the receiver has noted it.
  public static let fileOffered = Self("file.offered", "the receiver has noted the offer of a file")
  /// A chunk is written and noted, and not acknowledged.
  public static let fileChunk = Self("file.chunk", "a chunk is written and noted, and not acknowledged")
  /// A whole file has its final name, and its row does not exist yet.
  public static let fileRenamed = Self(
    "file.renamed", "a whole file has its final name, and its row does not exist yet")

  /// Creates a point: modules above add their own.
  public init(_ name: String, _ about: String) {
    self.name = name
    self.about = about
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
