package import Link

extension CrashPoint {
  /// The phone's own, in the order of a run.
  package static let phone: [CrashPoint] = [dispatchCommitted, voiceCommitted, replyCommitted, memoryCommitted]

  /// A line's row is durable, and not a word of it is spoken.
  package static let dispatchCommitted = Self(
    "dispatch.committed", "a line's PlayedMessage is durable, and not a word of it is spoken")
  /// A voice note's audio and row are durable, and its words are not looked for yet.
  package static let voiceCommitted = Self(
    "voice.committed", "a voice note's audio and its row are durable, and its words are not looked for yet")
  /// An answer to the runner is durable, and is not looked at yet.
  package static let replyCommitted = Self(
    "reply.committed", "an answer to the runner is durable, and is not looked at yet")
  /// A run's summary and what was learnt from it are durable.
  package static let memoryCommitted = Self(
    "memory.committed", "what there is to say about a run, and what was learnt from it, are durable")
}
