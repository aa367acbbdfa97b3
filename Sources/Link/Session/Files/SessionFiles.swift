/// The file that is being sent and the one that is being received.
@usableFromInline struct SessionFiles: Sendable, Equatable {
  /// The file that is being sent, or its void number.
  var sender = FileSender()
  /// The file that is being received, if any.
  var receiver: FileReceiver?
  /// A file whose rest was refused; every frame of it gets the same answer until its sender has passed its number.
  var refused: RefusedFile?
  /// Whether a file is owed; read often.
  var isOwed: Bool
  /// The next repetition of an offer or a chunk; ``VirtualTime/distantFuture`` for never.
  @usableFromInline var deadline = VirtualTime.distantFuture
}
