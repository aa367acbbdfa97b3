package import Link

extension CrashPoint {
  /// The phone's crash points, in the order of a run.
  package static let phone: [CrashPoint] = [dispatchCommitted, voiceCommitted, replyCommitted, memoryCommitted]

  package static let dispatchCommitted = Self(
    "dispatch.committed", "a line's PlayedMessage is durable, and playback has not started")
  package static let voiceCommitted = Self(
    "voice.committed", "a voice note's audio and row are durable, and its transcription has not started")
  package static let replyCommitted = Self(
    "reply.committed", "a reply to the athlete is durable, and has not been considered for playback")
  package static let memoryCommitted = Self(
    "memory.committed", "a run's summary and the facts learnt from it are durable")
}
