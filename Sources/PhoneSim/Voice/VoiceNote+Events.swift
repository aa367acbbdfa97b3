import Link

extension VoiceNote {
  /// The `voice.received` event.
  func receivedEvent(bytes: UInt64, seconds: Double, at now: VirtualTime) -> TraceEvent {
    TraceEvent(VoiceReceived.self, at: now, on: .phone) {
      $0.note = id
      $0.runId = runId
      $0.recordedAt = recordedAt
      $0.bytes = Int64(clamping: bytes)
      $0.seconds = seconds
    }
  }

  /// The `voice.recorded` event: the watch's fields first, in the watch's order.
  func recordedEvent(bytes: UInt64, seconds: Double, at now: VirtualTime) -> TraceEvent {
    TraceEvent(VoiceRecorded.self, at: now, on: .phone) {
      $0.note = id
      $0.seconds = seconds
      $0.bytes = Int64(clamping: bytes)
      $0.runId = runId
      $0.recordedAt = recordedAt
    }
  }
}
